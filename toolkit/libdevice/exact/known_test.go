package exact_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/toolkit/libdevice/exact"
)

func order(f func(int, *exact.Number) *exact.Number, n int) func(*exact.Number) *exact.Number {
	return func(x *exact.Number) *exact.Number { return f(n, x) }
}

var functions = map[string]func(*exact.Number) *exact.Number{
	"Exp": exact.Exp, "Exp2": exact.Exp2, "Exp10": exact.Exp10, "Expm1": exact.Expm1,
	"Log": exact.Log, "Log1p": exact.Log1p, "Log2": exact.Log2, "Log10": exact.Log10,
	"Sin": exact.Sin, "Cos": exact.Cos, "Tan": exact.Tan,
	"Asin": exact.Asin, "Acos": exact.Acos, "Atan": exact.Atan,
	"Sinh": exact.Sinh, "Cosh": exact.Cosh, "Tanh": exact.Tanh,
	"Asinh": exact.Asinh, "Acosh": exact.Acosh, "Atanh": exact.Atanh, "Cbrt": exact.Cbrt,
	"Erf": exact.Erf, "Erfc": exact.Erfc, "Erfcx": exact.Erfcx,
	"Erfinv": exact.Erfinv, "Erfcinv": exact.Erfcinv,
	"Normcdf": exact.Normcdf, "Normcdfinv": exact.Normcdfinv,
	"Gamma": exact.Gamma, "Lgamma": exact.Lgamma,
	"J0": order(exact.J, 0), "J1": order(exact.J, 1), "J5": order(exact.J, 5),
	"J100": order(exact.J, 100),
	"Y0":   order(exact.Y, 0), "Y1": order(exact.Y, 1), "Y3": order(exact.Y, 3),
	"I0": order(exact.I, 0), "I1": order(exact.I, 1),
}

// The functions agree with values that another program computed, to 2^-120.
func TestKnown(t *testing.T) {
	text, err := os.ReadFile("testdata/known.txt")
	require.NoError(t, err)
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		words := strings.Fields(line)
		x, err := strconv.ParseFloat(words[1], 64)
		require.NoError(t, err)
		f := functions[words[0]]
		require.NotNil(t, f, words[0])
		want, ok := exact.Float(0).SetString(words[2])
		require.True(t, ok, line)
		off, _ := exact.Abs(exact.Sub(exact.Quo(f(exact.Float(x)), want), exact.Float(1))).Float64()
		require.Less(t, off, 0x1p-120, line)
		seen[words[0]] = true
	}
	require.Len(t, seen, len(functions), "every function has a value")
}

// Functions that are zero at 0 return zero there; an odd function keeps the sign of x.
func TestSymmetry(t *testing.T) {
	odd := []string{"Sin", "Tan", "Asin", "Atan", "Sinh", "Tanh", "Asinh", "Atanh", "Cbrt", "Erf",
		"Erfinv"}
	for _, name := range append([]string{"Expm1", "Log1p"}, odd...) {
		require.Zero(t, functions[name](exact.Float(0)).Sign(), name)
	}
	for _, name := range odd {
		x := exact.Float(0.703125)
		off, _ := exact.Add(functions[name](exact.Neg(x)), functions[name](x)).Float64()
		require.InDelta(t, 0, off, 0x1p-200, name)
	}
}

func TestPi(t *testing.T) {
	s, c := exact.SinCosPi(exact.Float(1e15 + 0.5))
	require.Equal(t, 1, s.Cmp(exact.Float(0.99)))
	require.Zero(t, c.Sign())
	a := exact.Atan2(exact.Float(-1), exact.Float(-1))
	quarters := exact.Quo(exact.Scale(a, 2), exact.Pi(exact.Precision))
	off, _ := exact.Add(quarters, exact.Float(3)).Float64()
	require.InDelta(t, 0, off, 0x1p-200)
}

// Amplitude and angle make the Bessel functions.
func TestModulus(t *testing.T) {
	for n := range 2 {
		x := exact.Float(37.25)
		m, p := exact.Modulus(n, x)
		angle := exact.Add(x, p)
		angle = exact.Sub(angle, exact.Scale(exact.Pi(exact.Precision), -2))
		if n == 1 {
			angle = exact.Sub(angle, exact.Scale(exact.Pi(exact.Precision), -1))
		}
		scale := exact.Sqrt(exact.Quo(exact.Float(2), exact.Mul(exact.Pi(exact.Precision), x)))
		j := exact.Mul(exact.Mul(scale, m), exact.Cos(angle))
		off, _ := exact.Sub(j, exact.J(n, x)).Float64()
		require.InDelta(t, 0, off, 0x1p-150)
	}
}

func TestZero(t *testing.T) {
	z := exact.Zero(order(exact.J, 0), 2.4)
	f, _ := z.Float64()
	require.InDelta(t, 2.404825557695773, f, 1e-15)
	off, _ := exact.J(0, z).Float64()
	require.InDelta(t, 0, off, 0x1p-150)
}
