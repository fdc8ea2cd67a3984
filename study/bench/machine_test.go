package bench

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPeakOf(t *testing.T) {
	require.EqualValues(t, 12_345<<10, peakOf("Name:\tjacquard\nVmPeak:\t   99 kB\nVmHWM:\t   12345 kB\nVmRSS:\t 7 kB\n"))
	require.Zero(t, peakOf("Name:\tjacquard\n"))
	require.Zero(t, peakOf("Name:\tjacquard\nVmHWM:"))
}
