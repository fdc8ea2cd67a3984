package bench

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every workload runs, and almost all of its threads have work.
func TestWorkloads(t *testing.T) {
	for _, w := range Workloads() {
		t.Run(w.Name, func(t *testing.T) {
			b, err := w.Prepare()
			require.NoError(t, err)
			r, err := b.Run(0)
			require.NoError(t, err)
			require.Equal(t, w.Name, r.Kernel)
			require.GreaterOrEqual(t, r.Launches, leastLaunches)
			require.Positive(t, r.WarpInstructions)
			grid := uint64(w.Grid[0] * w.Grid[1] * w.Block[0] * w.Block[1])
			require.GreaterOrEqual(t, grid, uint64(16384))
			require.Greater(t, r.ThreadInstructions, 10*grid)
		})
	}
}

// The launches that are measured compute something.
func TestResults(t *testing.T) {
	for _, w := range Workloads() {
		if w.Name != "vecadd" {
			continue
		}
		b, err := w.Prepare()
		require.NoError(t, err)
		_, err = b.Run(0)
		require.NoError(t, err)
		at := func(buffer, i int) float32 {
			return math.Float32frombits(binary.LittleEndian.Uint32(b.buffers[buffer][4*i:]))
		}
		for i := range threads {
			require.Equal(t, at(0, i)+at(1, i), at(2, i))
		}
	}
}
