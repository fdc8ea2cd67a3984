package tesla_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/tesla"
)

// The most registers of a thread fit, and one more does not.
func TestMostRegisters(t *testing.T) {
	for _, a := range tesla.Archs {
		l := a.Limits()
		for threads := 1; threads <= l.ThreadsPerBlock; threads++ {
			most := l.MostRegisters(threads, 0)
			require.NotZero(t, l.BlocksPerWave(threads, most, 0))
			require.True(t, most == tesla.MaxRegisters || l.BlocksPerWave(threads, most+1, 0) == 0, "%s: %d threads", a, threads)
		}
		require.Zero(t, l.MostRegisters(1, l.Shared+1))
	}
}
