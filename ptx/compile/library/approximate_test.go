package library_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// near checks a function of f32 or f64 against the function that it approximates, with a bound of
// the relative error. Where the truth is no normal number, the results must be equal.
func near(t *testing.T, name string, bound float64, value func(x uint64) float64,
	want func(r row) float64) {
	t.Helper()
	f := functions()[name]
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		g := newOperands(f)
		rows := make([]row, len(g.special)+randomOperands())
		for i := range rows {
			rows[i] = g.row(i)
		}
		worst := 0.0
		for i, r := range apply(t, kernels(), name, rows) {
			got, w := value(r[0]), want(rows[i])
			if got == w || got != got && w != w {
				continue
			}
			e := math.Abs(got-w) / math.Abs(w)
			require.Less(t, e, bound, "%s(%#x) is %g instead of %g", name, rows[i], got, w)
			worst = max(worst, e)
		}
		t.Logf("relative error at most 2^%.1f", math.Log2(worst))
		tested.Store(name, len(rows))
	})
}

func single(x uint64) float64 { return number(x) }

// rounded brings a number to f32, so that all numbers beyond its range are equal.
func rounded(x float64) float64 {
	if m := math.Abs(x); m < 0x1p-126 {
		return math.Copysign(0, x)
	}
	return float64(float32(x))
}

func TestApproximations(t *testing.T) {
	near(t, "div_full_f32", 0x1p-22, single, func(r row) float64 {
		return rounded(number(r[0]) / number(r[1]))
	})
	near(t, "tanh_approx_f32", 0x1p-15, single, func(r row) float64 {
		return rounded(math.Tanh(number(r[0])))
	})
	near(t, "rsqrt_approx_f64", 0x1p-51, math.Float64frombits, func(r row) float64 {
		return 1 / math.Sqrt(math.Float64frombits(r[0]))
	})
	near(t, "rsqrt_approx_ftz_f64", 0x1p-19, math.Float64frombits, func(r row) float64 {
		if r[0]<<1 < 1<<53 {
			return math.Copysign(math.Inf(1), math.Float64frombits(r[0]))
		}
		return 1 / math.Sqrt(math.Float64frombits(r[0]))
	})
	near(t, "rcp_approx_f64", 0x1p-19, math.Float64frombits, func(r row) float64 {
		if x := math.Float64frombits(r[0]); x != x {
			return x
		}
		x := 1 / math.Float64frombits(r[0]&^uint64(math.MaxUint32))
		if m := math.Float64bits(x) << 1; r[0]<<1 < 1<<53 {
			return math.Copysign(math.Inf(1), math.Float64frombits(r[0]))
		} else if m <= 1<<53 {
			return math.Copysign(0, x)
		}
		return x
	})
	for _, op := range []string{"rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2"} {
		checkNative(t, op)
	}
}

// checkNative compares a function with the machine's own.
func checkNative(t *testing.T, op string) {
	u := unit{}
	truth := map[string]func(uint32) uint32{"rcp": u.Rcp, "sqrt": u.Sqrt, "rsqrt": u.Rsqrt,
		"sin": u.Sin, "cos": u.Cos, "lg2": u.Lg2, "ex2": u.Ex2}[op]
	check(t, op+"_f32", one(func(r row) uint64 {
		x := flush32(uint32(r[0]))
		if x&0x7fffffff > inf32 {
			return nan32
		}
		if y := truth(x); y&0x7fffffff <= inf32 {
			return uint64(flush32(y))
		}
		return nan32
	}))
}
