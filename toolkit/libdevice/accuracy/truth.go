package accuracy

import (
	"math"
	"math/big"

	. "jacquard/toolkit/libdevice/exact" //lint:ignore ST1001 formulas
)

// truth is the definition of a mathematical function, and the range where it is measured.
type truth struct {
	exact func(x []*Number) *Number // its result is nil where the function has none
	also  func(x []*Number) *Number // the second result; nil for none
	// single and double are the least and greatest arguments of the function for float and double.
	single, double [][2]float64
	// absolute are the bounds of the absolute error for float and double, where NVIDIA has these;
	// 0 where the error is measured in ulp.
	absolute [2]float64
	where    string                 // says which arguments, if not all; "" for all
	why      string                 // says why an error is beyond its bound, if one is
	skip     func(x []float64) bool // refuses arguments; nil for none
}

// results are what all results are.
func (t *truth) results() []func([]*Number) *Number {
	if t.also != nil {
		return []func([]*Number) *Number{t.exact, t.also}
	}
	return []func([]*Number) *Number{t.exact}
}

// numbers returns big numbers of a row.
func numbers(row []float64) []*Number {
	all := make([]*Number, len(row))
	for i, x := range row {
		all[i] = Float(x)
	}
	return all
}

const (
	most32 = math.MaxFloat32
	most64 = math.MaxFloat64
)

func one(f func(*Number) *Number) func([]*Number) *Number {
	return func(x []*Number) *Number { return f(x[0]) }
}

func two(f func(a, b *Number) *Number) func([]*Number) *Number {
	return func(x []*Number) *Number { return f(x[0], x[1]) }
}

func from(lo, hi float64) [][2]float64 { return [][2]float64{{lo, hi}} }

func both(r [2]float64, n int) (all [][2]float64) {
	for range n {
		all = append(all, r)
	}
	return all
}

var (
	all32      = from(-most32, most32)
	all64      = from(-most64, most64)
	positive32 = from(0x1p-126, most32)
	positive64 = from(0x1p-1022, most64)
	unit       = from(-1, 1)
)

func reciprocal(f func([]*Number) *Number) func([]*Number) *Number {
	return func(x []*Number) *Number { return Quo(Float(1), f(x)) }
}

func length(x []*Number) *Number { return Hypot(x...) }

// some is [length] of as many components as the first argument says.
func some(x []*Number) *Number {
	n, _ := x[0].Int64()
	return Hypot(x[1 : 1+n]...)
}

func power(x, y *Number) *Number {
	if x.Sign() == 0 {
		return nil
	}
	p := Pow(Abs(x), y)
	if x.Sign() < 0 {
		if !y.IsInt() {
			return nil
		}
		if n, _ := y.Int(nil); n.Bit(0) == 1 {
			p.Neg(p)
		}
	}
	return p
}

func order(f func(int, *Number) *Number) func([]*Number) *Number {
	return func(x []*Number) *Number {
		n, _ := x[0].Int64()
		y := f(int(n), Abs(x[1]))
		if x[1].Sign() < 0 && n%2 == 1 {
			y.Neg(y)
		}
		return y
	}
}

func of(n float64, f func([]*Number) *Number) func([]*Number) *Number {
	return func(x []*Number) *Number { return f([]*Number{Float(n), x[0]}) }
}

// pole reports whether x is a pole of the gamma function.
func pole(x *Number) bool { return x.Sign() <= 0 && x.IsInt() }

func gamma(f func(*Number) *Number) func([]*Number) *Number {
	return func(x []*Number) *Number {
		if pole(x[0]) {
			return nil
		}
		return f(x[0])
	}
}

func sinPi(x *Number) *Number {
	s, _ := SinCosPi(x)
	return s
}

func cosPi(x *Number) *Number {
	_, c := SinCosPi(x)
	return c
}

// multiple returns x - y n, of the integer n next to x/y (even) or next towards 0.
func multiple(even bool) func(x, y *Number) *Number {
	return func(x, y *Number) *Number {
		if y.Sign() == 0 {
			return nil
		}
		const bits = 2200 // of the quotient of any two doubles
		n, _ := new(Number).SetPrec(bits).Quo(x, y).Int(nil)
		rest := func(n *big.Int) *Number {
			p := new(Number).SetPrec(bits).SetInt(n)
			return p.Sub(x, p.Mul(p, y))
		}
		r := rest(n)
		if !even {
			return r
		}
		for _, by := range []int64{-1, 1} {
			m := new(big.Int).Add(n, big.NewInt(by))
			s := rest(m)
			c := new(Number).Abs(s).Cmp(new(Number).Abs(r))
			if c < 0 || c == 0 && m.Bit(0) == 0 {
				r = s
			}
		}
		return r
	}
}
