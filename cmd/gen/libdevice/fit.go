package main

import (
	"fmt"
	"math"
	"strings"

	"jacquard/toolkit/libdevice/exact"
)

// polynomial is one polynomial of the sources, for float and for double.
type polynomial struct {
	name    string
	lo, hi  float64
	single  int // terms for float, 0 for none
	double  int // terms for double, 0 for none
	f       func(u *exact.Number) *exact.Number
	comment string
}

// fit returns the polynomial through f at n Chebyshev points, lowest power first. It is next to
// the best one.
func fit(p *polynomial, n int) []*exact.Number {
	lo, hi := exact.Float(p.lo), exact.Float(p.hi)
	middle, half := exact.Scale(exact.Add(hi, lo), -1), exact.Scale(exact.Sub(hi, lo), -1)
	points, values := make([]*exact.Number, n), make([]*exact.Number, n)
	for i := range n {
		_, c := exact.SinCosPi(exact.Quo(exact.Float(float64(i)+0.5), exact.Float(float64(n))))
		points[i] = exact.Add(middle, exact.Mul(half, c))
		if points[i].Sign() == 0 { // where some functions are 0 by 0
			points[i] = exact.Scale(half, -60)
		}
		values[i] = p.f(points[i])
	}
	for k := 1; k < n; k++ { // divided differences
		for i := n - 1; i >= k; i-- {
			values[i] = exact.Quo(exact.Sub(values[i], values[i-1]), exact.Sub(points[i], points[i-k]))
		}
	}
	c := []*exact.Number{values[n-1]}
	for i := n - 2; i >= 0; i-- { // times (u - point), plus the difference
		next := make([]*exact.Number, len(c)+1)
		next[0] = values[i]
		for k := range c {
			next[k] = exact.Sub(orZero(next[k]), exact.Mul(c[k], points[i]))
			next[k+1] = c[k]
		}
		c = next
	}
	return c
}

func orZero(x *exact.Number) *exact.Number {
	if x == nil {
		return exact.Float(0)
	}
	return x
}

// worst returns the greatest relative error of rounded coefficients on a grid, and its logarithm.
func worst(p *polynomial, c []float64) float64 {
	most := math.Inf(-1)
	for i := range 41 {
		step := exact.Mul(exact.Float(p.hi-p.lo), exact.Float((float64(i)+0.37)/41.5))
		u := exact.Add(exact.Float(p.lo), step)
		y := exact.Float(0)
		for k := len(c) - 1; k >= 0; k-- {
			y = exact.Add(exact.Mul(y, u), exact.Float(c[k]))
		}
		want := p.f(u)
		e, _ := exact.Quo(exact.Sub(y, want), want).Float64()
		most = max(most, math.Log2(math.Abs(e)))
	}
	return most
}

// write appends the arrays of a polynomial.
func write(b *strings.Builder, p *polynomial) {
	fmt.Fprintf(b, "\n// %s, u from %g to %g.\n", p.comment, p.lo, p.hi)
	fmt.Fprintf(b, "template <typename T> inline constexpr T %s[1];\n", p.name)
	array := func(kind, suffix string, n int, round func(*exact.Number) float64) {
		if n == 0 {
			return
		}
		rounded := make([]float64, n)
		for i, c := range fit(p, n) {
			rounded[i] = round(c)
		}
		fmt.Fprintf(b, "template <> inline constexpr %s %s<%s>[] = { // 2^%.1f\n", kind, p.name, kind,
			worst(p, rounded))
		for _, c := range rounded {
			fmt.Fprintf(b, "    %x%s,\n", c, suffix)
		}
		b.WriteString("};\n")
	}
	array("float", "f", p.single, func(x *exact.Number) float64 {
		f, _ := x.Float32()
		return float64(f)
	})
	array("double", "", p.double, func(x *exact.Number) float64 { f, _ := x.Float64(); return f })
}
