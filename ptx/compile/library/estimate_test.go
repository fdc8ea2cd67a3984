package library_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/sfu"
)

// TestEstimates proves, for all significands, an assumption of the functions: an estimate made
// some units smaller is not above the true value, and its relative error is small.
func TestEstimates(t *testing.T) {
	t.Parallel()
	rcp := func(x float64) float64 { return 1 / x }
	rsqrt := func(x float64) float64 { return 1 / math.Sqrt(x) }
	tests := []struct {
		name       string
		first, end uint32
		less       uint32 // units
		estimate   func(x uint32) uint32
		truth      func(x float64) float64
		least      float64 // error, in 2^-24
		most       float64
	}{
		{"div_rn_f32, divide_u32", 0x3f800000, 0x40000000, 1, sfu.Rcp, rcp, 0, 3.65},
		{"sqrt_rn_f32", 0x3f800000, 0x40800000, 3, sfu.Rsqrt, rsqrt, 0, 8.1},
		{"divide_u64", 0x3f800000, 0x40000000, 8, sfu.Rcp, rcp, 4, 17.65},
	}
	for _, test := range tests {
		best, worst := math.Inf(1), 0.0
		for x := test.first; x < test.end; x++ {
			got := float64(math.Float32frombits(test.estimate(x) - test.less))
			want := test.truth(float64(math.Float32frombits(x)))
			e := (want - got) / want * (1 << 24)
			worst, best = max(worst, e), min(best, e)
		}
		t.Logf("%s: %.3f to %.3f times 2^-24 too small", test.name, best, worst)
		require.GreaterOrEqual(t, best, test.least, test.name)
		require.LessOrEqual(t, worst, test.most, test.name)
	}
}
