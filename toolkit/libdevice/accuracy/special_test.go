package accuracy_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// special are arguments whose results C's Annex F fixes.
var special = []float64{0, math.Copysign(0, -1), 1, -1, 2, -2, 3, -3, 0.5, -0.5, -2.5,
	math.Inf(1), math.Inf(-1), math.NaN()}

// specialOf are functions that agree with Go's library at special arguments.
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

// far are functions whose results leave the range of numbers, with their exact values.
var far = map[string]func(x float64) float64{
	"erf": math.Erf, "erfc": math.Erfc, "exp2": math.Exp2, "expm1": math.Expm1, "tanh": math.Tanh,
	"cbrt": math.Cbrt, "exp10": specialOf["exp10"], "normcdf": specialOf["normcdf"],
	"rcbrt": specialOf["rcbrt"], "rsqrt": specialOf["rsqrt"], "tgamma": specialOf["tgamma"],
	"exp":  func(x float64) float64 { return halves(x, 1) },
	"cosh": func(x float64) float64 { return halves(x, 0.5) + halves(-x, 0.5) },
	"sinh": func(x float64) float64 {
		if math.Abs(x) < 1 {
			return math.Sinh(x)
		}
		return halves(x, 0.5) - halves(-x, 0.5)
	},
	"erfcx": func(x float64) float64 {
		if x < 20 {
			return halves(x*x, 1) * math.Erfc(x)
		}
		u := 0.5 / (x * x)
		return (1 - u*(1-u*(3-u*(15-u*105)))) / (x * math.Sqrt(math.Pi))
	},
}

// halves returns c times e^x. Go's Exp is infinite from 709.1 on, too early.
func halves(x, c float64) float64 { return math.Exp(x/2) * (c * math.Exp(x/2)) }

// edges are arguments near points where results leave the range, or small arguments.
var edges = []float64{13.5, 19, 58.74, 59.5, 0x1p-126, 0x1.8p-126, 0x1p-125, 0x1p127, 0x1.fffffep127}

// doubleEdges are such arguments that only double has.
var doubleEdges = []float64{0x1p-1074, 0x1.8p-1073, 1e-310, 0x1p-1023, 0x1.fp-1023, 0x1p-1022,
	0x1.8p-1000, 0x1p-900, 0x1.8p-901, 0x1p900, 0x1.8p900, 0x1.fffffffffffffp1023}

// Results leave the range of numbers at the right arguments: none wraps around.
func TestFar(t *testing.T) {
	l := library(t)
	for name, f := range far {
		t.Run(name+"f", func(t *testing.T) {
			var args []uint64
			for _, x := range sweep(256, edges) {
				args = append(args, uint64(math.Float32bits(float32(x))))
			}
			got, err := l.Run(function(t, "__nv_"+name+"f"), args)
			require.NoError(t, err)
			for i, a := range args {
				x := float64(math.Float32frombits(uint32(a)))
				y, y0 := float64(math.Float32frombits(uint32(got[i]))), float64(float32(f(x)))
				near(t, x, y, y0, 1e-4, 0x1p-126)
			}
		})
		t.Run(name, func(t *testing.T) {
			var args []uint64
			for _, x := range sweep(1200, edges, doubleEdges) {
				args = append(args, math.Float64bits(x))
			}
			got, err := l.Run(function(t, "__nv_"+name), args)
			require.NoError(t, err)
			for i, a := range args {
				x := math.Float64frombits(a)
				near(t, x, math.Float64frombits(got[i]), f(x), 1e-10, 0x1p-1022)
			}
		})
	}
}

// sweep returns numbers up to most, a quarter apart, and others, with both signs.
func sweep(most float64, others ...[]float64) (all []float64) {
	for x := 0.25; x <= most; x += 0.25 {
		all = append(all, x, -x)
	}
	for _, x := range slices.Concat(others...) {
		all = append(all, x, -x)
	}
	return all
}

// near checks a result against the exact value: equal if NaN or infinite, else close. All numbers
// below least count as equal, as float has no subnormal numbers on Tesla.
func near(t *testing.T, x, y, y0, error, least float64) {
	t.Helper()
	switch {
	case y0 != y0:
		require.True(t, y != y, "f(%v) is %v instead of NaN", x, y)
	case math.IsInf(y0, 0):
		require.Equal(t, y0, y, "f(%v)", x)
	default:
		require.InDelta(t, y0, y, error*math.Abs(y0)+least, "f(%v)", x)
	}
}

// ilogb has no number to return for zeros, infinities and NaN.
func TestExponents(t *testing.T) {
	l := library(t)
	for x, want := range map[float64]int32{
		0: math.MinInt32, math.Inf(1): math.MaxInt32, math.Inf(-1): math.MaxInt32,
		math.NaN(): math.MinInt32, math.Copysign(math.NaN(), -1): math.MinInt32, 8: 3, 0.75: -1,
	} {
		got, err := l.Run(function(t, "__nv_ilogb"), []uint64{math.Float64bits(x)})
		require.NoError(t, err)
		require.Equal(t, want, int32(got[0]), "ilogb(%v)", x)
		single := uint64(math.Float32bits(float32(x)))
		got, err = l.Run(function(t, "__nv_ilogbf"), []uint64{single})
		require.NoError(t, err)
		require.Equal(t, want, int32(got[0]), "ilogbf(%v)", x)
	}
}
