package report

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The axis of a histogram is marked with whole percentages, and no bar reaches past its end.
func TestHistogramAxis(t *testing.T) {
	for _, c := range []struct {
		most float64
		want float64
	}{{3.1, 4}, {4, 4}, {4.1, 8}, {19, 20}, {33, 40}, {47, 60}, {80, 80}, {99.8, 100}, {100, 100}} {
		require.InDelta(t, c.want, scale(c.most), 0, "%v", c.most)
	}
	chart := string(histogram([33]uint64{16: 1, 32: 499}))
	require.Contains(t, chart, ">100 %</text>")
	require.Contains(t, chart, ">25 %</text>")
	require.Contains(t, chart, "499 issues with 32 active lanes: 99.8 %")
	require.Contains(t, chart, `height="149.7"`)
}
