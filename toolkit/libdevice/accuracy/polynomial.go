package accuracy

import (
	"math"
	"sync"

	"jacquard/toolkit/libdevice/exact"
)

const (
	nodes = 13 // of a polynomial

	// A polynomial is exact to spare bits more than a result has. Ten of them are lost where the
	// truth is as small as coarse beside the greatest of the segment.
	spare  = 22
	coarse = 0x1p-10
	slack  = 0x1p-10 // ulp: more than the error of a polynomial
)

// polynomial is the truth times scale, at most about 1, as a function of t from -1 to 1. Each
// coefficient is the sum of two numbers.
type polynomial struct {
	c     [nodes][2]float64
	scale float64
	ulp   float64 // of results from 1 to 2; 0 where errors are absolute
}

// interpolate returns the polynomial through values at the nodes.
func interpolate(values *[nodes]*exact.Number) (p polynomial) {
	_, basis := lagrange()
	greatest := math.MinInt
	for _, y := range values {
		if y.Sign() != 0 {
			greatest = max(greatest, y.MantExp(nil))
		}
	}
	p.scale = math.Ldexp(1, -greatest)
	for k := range p.c {
		sum := exact.Float(0)
		for j, y := range values {
			sum.Add(sum, exact.Mul(basis[j][k], y))
		}
		sum = exact.Scale(sum, -greatest)
		p.c[k][0], _ = sum.Float64()
		p.c[k][1], _ = exact.Sub(sum, exact.Float(p.c[k][0])).Float64()
	}
	return p
}

// lagrange returns the nodes, which are Chebyshev's with both ends, from the center on, and the
// coefficients of the polynomials that are 1 at one node and 0 at all others.
var lagrange = sync.OnceValues(func() (places [nodes]float64, basis [nodes][nodes]*exact.Number) {
	for j := range places {
		places[j] = math.Sin(math.Pi * float64((j+1)/2) / (nodes - 1))
		if j%2 == 0 {
			places[j] = -places[j]
		}
	}
	for j, at := range places {
		p := &basis[j]
		for k := range p {
			p[k] = exact.Float(0)
		}
		p[0] = exact.Float(1)
		for i, zero := range places {
			if i == j {
				continue
			}
			z, d := exact.Float(zero), exact.Sub(exact.Float(at), exact.Float(zero))
			for k := nodes - 1; k >= 0; k-- { // times (t - zero) / (at - zero)
				c := exact.Neg(exact.Mul(p[k], z))
				if k > 0 {
					c.Add(c, p[k-1])
				}
				p[k] = c.Quo(c, d)
			}
		}
	}
	return places, basis
})

// at returns the value at t, as the sum of two numbers.
func (p *polynomial) at(t float64) (hi, lo float64) {
	for k := nodes - 1; k >= 0; k-- {
		c := &p.c[k]
		product := float64(hi * t)
		sum := product + c[0]
		back := sum - c[0]
		rest := (product - back) + (c[0] - (sum - back))
		rest += math.FMA(lo, t, math.FMA(hi, t, -product)) + c[1]
		hi = sum + rest
		lo = rest - (hi - sum)
	}
	return hi, lo
}

// above reports whether the error of a result at t may be above the greatest so far.
func (p *polynomial) above(worst, t, got float64) bool {
	hi, lo := p.at(t)
	d := math.Abs(got*p.scale - hi - lo)
	if p.ulp == 0 {
		return !(d <= worst*p.scale)
	}
	power := math.Float64frombits(math.Float64bits(hi) & (0x7ff << 52))
	if math.Abs(hi) == power && hi*lo < 0 { // just below
		power /= 2
	}
	return power < coarse || !(d <= (worst+slack)*p.ulp*power)
}
