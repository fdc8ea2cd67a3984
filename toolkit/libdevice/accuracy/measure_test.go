package accuracy

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/toolkit/libdevice/exact"
)

func TestErrorOf(t *testing.T) {
	for _, c := range []struct {
		name   string
		got    float64
		want   *exact.Number
		single bool
		error  float64
	}{
		{"equal", 1.5, exact.Float(1.5), true, 0},
		{"one off", 1 + 0x1p-23, exact.Float(1), true, 1},
		{"one off below a power", 1 - 0x1p-24, exact.Float(1), true, 0.5},
		{"double", 1 + 0x1p-51, exact.Float(1), false, 2},
		{"subnormal double", 0x1p-1074, exact.Float(0x1p-1073), false, 1},
		{"subnormal float", 0, exact.Float(0x1p-130), true, 0},
		{"lost float", 0, exact.Float(0x1p-126), true, 1 << 23},
		{"beyond", math.Inf(1), exact.Float(0x1p128), true, 0},
		{"not beyond", math.Inf(1), exact.Float(0x1.fffffep127), true, 1},
		{"wrong infinity", math.Inf(-1), exact.Float(0x1p200), true, math.Inf(1)},
		{"not a number", math.NaN(), exact.Float(1), false, math.Inf(1)},
		{"zero", 0x1p-1074, exact.Float(0), false, 1},
	} {
		require.InDelta(t, c.error, ErrorOf(c.got, c.want, c.single), 0, c.name)
	}
}

func TestWithin(t *testing.T) {
	for _, m := range Measurements() {
		bound, absolute := m.Bound()
		require.True(t, m.Within(bound))
		if !math.IsInf(bound, 1) {
			require.False(t, m.Within(bound*1.01+0.51))
			require.Equal(t, absolute, !m.Within(bound+0.4))
		}
	}
}

// Arguments are in the range, and of every way that the range allows.
func TestInputs(t *testing.T) {
	for _, m := range Measurements() {
		g := newInputs(&m, rand.New(rand.NewPCG(5, 6)))
		small, large := 0, 0
		for range 200 {
			for i, x := range g.row() {
				require.GreaterOrEqual(t, x, g.ranges[i][0], m.Function.Name)
				require.LessOrEqual(t, x, g.ranges[i][1], m.Function.Name)
				if g.single[i] {
					require.Equal(t, x, float64(float32(x)), m.Function.Name)
				}
				if math.Abs(x) < 1e-3 {
					small++
				} else {
					large++
				}
			}
		}
		require.Positive(t, large, m.Function.Name)
		if r := g.ranges[0]; r[0] <= 0 && r[1] >= 0 && m.truth.skip == nil {
			require.Positive(t, small, m.Function.Name)
		}
	}
}
