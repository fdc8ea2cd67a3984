package bench

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jacquard/simt"
)

// launchOnce prepares a workload and runs it once.
func launchOnce(t *testing.T, w *Workload) (*Bench, *simt.Stats) {
	t.Helper()
	b, err := w.Prepare(simt.Host{})
	require.NoError(t, err)
	stats, err := simt.Run(&b.launch)
	require.NoError(t, err)
	return b, stats
}

// Every workload runs, and almost all of its many threads have work.
func TestWorkloads(t *testing.T) {
	for _, w := range Workloads() {
		if w.Name == oneBlock {
			continue
		}
		t.Run(w.Name, func(t *testing.T) {
			_, stats := launchOnce(t, &w)
			require.Equal(t, w.Name, stats.Kernel)
			grid := uint64(w.Grid[0] * w.Grid[1] * w.Block[0] * w.Block[1])
			require.GreaterOrEqual(t, grid, uint64(2048))
			require.Greater(t, stats.ThreadInstructions, 10*grid)
		})
	}
}

// The machine code is that which other tests run.
func TestKernelsAreThoseOfTestdata(t *testing.T) {
	files, err := filepath.Glob("kernels/*.cubin")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		ours, err := os.ReadFile(file)
		require.NoError(t, err)
		name := strings.TrimSuffix(filepath.Base(file), ".cubin")
		theirs, err := os.ReadFile("../../testdata/mesa-kernels/" + name + "/sm_13.cubin")
		require.NoError(t, err)
		require.Equal(t, theirs, ours, name)
	}
}

// Run measures real launches: they leave results behind.
func TestRun(t *testing.T) {
	w := Workloads()[0]
	require.Equal(t, "vecadd", w.Name)
	b, stats := launchOnce(t, &w)
	clear(b.buffers[2])
	r, err := b.Run(1, 0)
	require.NoError(t, err)
	require.Equal(t, leastLaunches, r.Launches)
	require.Equal(t, 1, r.Workers)
	require.Equal(t, b.launch.Program.SIMD(), r.SIMD)
	require.EqualValues(t, 3*4*many, r.DeviceBytes)
	require.Equal(t, stats.WarpInstructions, r.WarpInstructions)
	require.Equal(t, stats.ThreadInstructions, r.ThreadInstructions)
	require.Positive(t, r.Counting)
	require.InEpsilon(t, float64(r.WarpInstructions), r.Seconds*r.WarpInstructionsPerSecond, 1e-9)
	at := func(buffer, i int) float32 {
		return math.Float32frombits(binary.LittleEndian.Uint32(b.buffers[buffer][4*i:]))
	}
	for i := range threads {
		require.Equal(t, at(0, i)+at(1, i), at(2, i))
	}
}

// A few launches at a slower clock do not move the median.
func TestRatios(t *testing.T) {
	var r ratios
	for _, ms := range []time.Duration{3, 2, 20, 3, 4} {
		r.add(&simt.Stats{Elapsed: ms * time.Millisecond}, &simt.Stats{Elapsed: 2 * time.Millisecond})
	}
	require.EqualValues(t, 1.5, r.median())
}
