//go:build !race

package schedule

import (
	"math"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/mem"
	"jacquard/tesla"
)

// A launch of one block allocates nothing if an earlier one left storage for it. The race detector
// allocates, so it does not build this file.
func TestNoAllocationPerLaunch(t *testing.T) {
	p := writtenProgram(t, func(w *kernelWriter) { w.arith(tesla.Add, 6, reg(6), imm(1)) })
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection would free what launches leave
	for name, p := range map[string]*Program{"as lowered": p, "translated": hotOf(t, p)} {
		l := &Launch{
			Program: p, Grid: [2]int{1, 1}, Block: [3]int{64, 1, 1}, Global: mem.NewSpace(1 << 16),
			Params: make([]byte, 4), Pool: new(Pool),
		}
		least := math.Inf(1)
		for range 20 { // the test may move to another core, which has none of the storage
			least = min(least, testing.AllocsPerRun(1, func() {
				var err error
				l.Reuse, err = Run(l)
				require.NoError(t, err)
			}))
		}
		require.Zero(t, least, name)
	}
}
