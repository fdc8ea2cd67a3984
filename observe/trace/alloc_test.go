package trace_test

import (
	"io"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/maze"
	"jacquard/observe/trace"
	"jacquard/simt"
)

// idle is an observer that does nothing.
type idle struct{}

func (idle) Block(*simt.Block) simt.BlockObserver { return idle{} }
func (idle) Issue(*simt.Issue)                    {}
func (idle) End()                                 {}

// Recording does not allocate per issue: a run of thousands of issues takes only the buffers.
func TestAllocations(t *testing.T) {
	// a collection would discard what launches keep for the next
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	m := maze.New(18)
	all := trace.Options{Values: trace.Values{Registers: true, Addresses: true, Data: true}}
	r, err := trace.NewRecorder(io.Discard, all, nil)
	require.NoError(t, err)
	mallocs := func(run func()) uint64 {
		run() // fills the pools
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		run()
		runtime.ReadMemStats(&after)
		return after.Mallocs - before.Mallocs
	}
	without := mallocs(func() {
		_, err := m.Program() // as watch does
		require.NoError(t, err)
		_, err = m.Watch("", idle{})
		require.NoError(t, err)
	})
	var stats *simt.Stats
	with := mallocs(func() {
		var err error
		stats, err = watch(r, 0, m, "", idle{})
		require.NoError(t, err)
	})
	require.Greater(t, stats.WarpInstructions, uint64(10000))
	p, err := m.Program()
	require.NoError(t, err)
	attaching := mallocs(func() { r.Attach(&simt.Launch{Program: p}, "", 1)(nil) })
	// A pool returns less to a goroutine that moved to another processor.
	require.Less(t, with, without+attaching+stats.WarpInstructions/4)
	require.NoError(t, r.Close())
}
