package accuracy_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// special are arguments whose results C's Annex F fixes.
var special = []float64{0, math.Copysign(0, -1), 1, -1, 2, -2, 3, -3, 0.5, -0.5, -2.5,
	math.Inf(1), math.Inf(-1), math.NaN()}

// specialOf are functions whose results at special arguments are those of Go's library.
var specialOf = map[string]func(x float64) float64{
	"acos": math.Acos, "acosh": math.Acosh, "asin": math.Asin, "asinh": math.Asinh, "atan": math.Atan,
	"atanh": math.Atanh, "cbrt": math.Cbrt, "cos": math.Cos, "cosh": math.Cosh, "erf": math.Erf,
	"erfc": math.Erfc, "erfinv": math.Erfinv, "erfcinv": math.Erfcinv, "exp": math.Exp,
	"exp2": math.Exp2, "expm1": math.Expm1, "j0": math.J0, "log": math.Log,
	"log10": math.Log10, "log1p": math.Log1p, "log2": math.Log2, "logb": math.Logb, "sin": math.Sin,
	"sinh": math.Sinh, "sqrt": math.Sqrt, "tan": math.Tan, "tanh": math.Tanh,
	"y0": math.Y0, "y1": math.Y1,
	"j1": func(x float64) float64 {
		if math.IsInf(x, 0) {
			return math.Copysign(0, x)
		}
		return math.J1(x)
	},
	"exp10": func(x float64) float64 { return math.Pow(10, x) },
	"rsqrt": func(x float64) float64 { return 1 / math.Sqrt(x) },
	"rcbrt": func(x float64) float64 { return 1 / math.Cbrt(x) },
	"lgamma": func(x float64) float64 {
		y, _ := math.Lgamma(x)
		if math.IsInf(x, -1) { // where Go differs from C
			return -x
		}
		return y
	},
	"tgamma": func(x float64) float64 {
		if x < 0 && x == math.Trunc(x) {
			return math.NaN()
		}
		return math.Gamma(x)
	},
	"normcdf": func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 },
	"sinpi": func(x float64) float64 {
		if x == math.Trunc(x) && x-x == 0 {
			return math.Copysign(0, x)
		}
		return math.Sin(math.Pi * x)
	},
}

var specialOfTwo = map[string]func(x, y float64) float64{
	"atan2": math.Atan2, "fmod": math.Mod, "hypot": math.Hypot, "pow": math.Pow,
	"remainder": math.Remainder,
	"rhypot":    func(x, y float64) float64 { return 1 / math.Hypot(x, y) },
	"fdim": func(x, y float64) float64 {
		if x <= y {
			return 0
		}
		return x - y
	},
}

// fixed reports whether a result is one that Annex F fixes.
func fixed(y float64) bool { return y != y || y == 0 || math.IsInf(y, 0) }

// Not a number, infinities and zeros are what C says, with their signs.
func TestSpecial(t *testing.T) {
	l := library(t)
	check := func(t *testing.T, name string, rows [][]float64, want func(x []float64) float64) {
		for _, single := range []bool{true, false} {
			full := "__nv_" + name
			if single {
				full += "f"
			}
			var args []uint64
			for _, r := range rows {
				for _, x := range r {
					w := math.Float64bits(x)
					if single {
						w = uint64(math.Float32bits(float32(x)))
					}
					args = append(args, w)
				}
			}
			got, err := l.Run(function(t, full), args)
			require.NoError(t, err)
			for i, r := range rows {
				y, y0 := math.Float64frombits(got[i]), want(r)
				if single {
					y = float64(math.Float32frombits(uint32(got[i])))
				}
				if !fixed(y0) {
					require.False(t, fixed(y), "%s(%v) is %v instead of %v", full, r, y, y0)
					continue
				}
				equal := y != y && y0 != y0 || y == y0 && math.Signbit(y) == math.Signbit(y0)
				require.True(t, equal, "%s(%v) is %v instead of %v", full, r, y, y0)
			}
		}
	}
	var one, two [][]float64
	for _, x := range special {
		one = append(one, []float64{x})
		for _, y := range special {
			two = append(two, []float64{x, y})
		}
	}
	for name, f := range specialOf {
		t.Run(name, func(t *testing.T) {
			check(t, name, one, func(x []float64) float64 { return f(x[0]) })
		})
	}
	for name, f := range specialOfTwo {
		t.Run(name, func(t *testing.T) {
			check(t, name, two, func(x []float64) float64 { return f(x[0], x[1]) })
		})
	}
}
