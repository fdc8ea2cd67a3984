package driver_test

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/events"
	"jacquard/libcuda/driver/knobs"
	"jacquard/libcuda/driver/sinks"
	"jacquard/observe/bundle"
	"jacquard/observe/stats"
	"jacquard/observe/trace"
)

// files are the names of files that have launches.
type files struct{ bundle, trace, stats, summary string }

func newFiles(t *testing.T) files {
	at := func(name string) string { return filepath.Join(t.TempDir(), name) }
	return files{at("x.jqb"), at("x.jqt"), at("x.json"), at("x.jsonl")}
}

// settings returns s with the files.
func (f files) settings(s knobs.Settings) knobs.Settings {
	s.Record, s.Trace, s.Stats, s.Summary = f.bundle, f.trace, f.stats, f.summary
	return s
}

// numbered is a launch in a file. A grid's width tells the launches of a test apart.
type numbered struct{ number, width int }

// numbers returns the launches of each file, by number.
func (f files) numbers(t *testing.T) (inBundle, inTrace, inStats, inSummary []numbered) {
	t.Helper()
	b, err := bundle.Open(f.bundle)
	require.NoError(t, err)
	defer b.Close()
	for l, err := b.Next(); err != io.EOF; l, err = b.Next() {
		require.NoError(t, err)
		inBundle = append(inBundle, numbered{l.Number, l.Grid[0]})
	}
	steps, err := trace.Open(f.trace)
	require.NoError(t, err)
	defer steps.Close()
	require.Nil(t, steps.Damage)
	for _, l := range steps.Launches {
		inTrace = append(inTrace, numbered{l.Number, l.Grid[0]})
	}
	run, err := stats.Load(f.stats)
	require.NoError(t, err)
	require.Nil(t, run.Damage)
	for _, l := range run.Launches {
		inStats = append(inStats, numbered{l.Number, l.Stats.Grid[0]})
	}
	record, err := events.Read(f.summary)
	require.NoError(t, err)
	for _, l := range record.Launches {
		inSummary = append(inSummary, numbered{l.Number, l.Grid[0]})
	}
	for _, list := range [][]numbered{inBundle, inTrace, inStats, inSummary} {
		slices.SortFunc(list, func(a, b numbered) int { return a.number - b.number })
	}
	return inBundle, inTrace, inStats, inSummary
}

// wide launches vecadd, without an element, on a grid of so many blocks.
func wide(t *testing.T, th *driver.Thread, width uint32) error {
	t.Helper()
	f := function(t, th, "vecadd_sm13.cubin", "vecadd")
	return th.LaunchKernel(f, [3]uint32{width, 1, 1}, [3]uint32{32, 1, 1}, 0, 0, driver.Arguments{Packed: words(0, 0, 0, 0)})
}

// A launch has one number, in all files. One that was refused has a number, too: a file without
// the launch lacks the number.
func TestNumbersOfRefusedLaunches(t *testing.T) {
	f := newFiles(t)
	d, th, _ := start(t, f.settings(knobs.Settings{Policy: "chap"}))
	create(t, th)
	require.NoError(t, wide(t, th, 1))
	calls, err := os.ReadFile("../../testdata/mesa-kernels/calls/sm_13.cubin")
	require.NoError(t, err)
	m, err := th.ModuleLoadData(calls)
	require.NoError(t, err)
	refused, err := th.ModuleGetFunction(m, "calls")
	require.NoError(t, err)
	is(t, driver.ErrNotSupported, th.LaunchKernel(refused, [3]uint32{2, 1, 1}, [3]uint32{32, 1, 1}, 0, 0, driver.Arguments{Packed: words(0, 0)}), "by the policy")
	require.NoError(t, wide(t, th, 3))
	vecadd := function(t, th, "vecadd_sm13.cubin", "vecadd")
	is(t, driver.ErrInvalidValue, th.LaunchKernel(vecadd, [3]uint32{4, 1, 1}, [3]uint32{1024, 1, 1}, 0, 0, driver.Arguments{Packed: words(0, 0, 0, 0)}), "by the device")
	require.NoError(t, wide(t, th, 5))
	d.End()
	inBundle, inTrace, inStats, inSummary := f.numbers(t)
	require.Equal(t, []numbered{{0, 1}, {1, 2}, {2, 3}, {4, 5}}, inBundle)
	require.Equal(t, []numbered{{0, 1}, {1, 2}, {2, 3}, {4, 5}}, inTrace)
	require.Equal(t, []numbered{{0, 1}, {2, 3}, {4, 5}}, inStats)
	require.Equal(t, []numbered{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}, inSummary)
}

// awaiting is a sink that keeps the launch of one block from ending until wait returns.
type awaiting struct{ begun, wait func() }

func (a awaiting) Begin(l *sinks.Launch) (end func()) {
	if l.Request.Grid[0] > 1 {
		return func() {}
	}
	a.begun()
	return a.wait
}

// Launches that run at the same time have the numbers of their beginnings.
func TestNumbersUnderThreads(t *testing.T) {
	f := newFiles(t)
	var begun, over sync.WaitGroup
	begun.Add(1)
	over.Add(1)
	d := driver.New(driver.Config{
		Settings: f.settings(knobs.Settings{Workers: "1"}), Output: new(output),
		Sinks: []sinks.Sink{awaiting{begun.Done, over.Wait}},
	})
	require.NoError(t, d.Thread(1).Init(0))
	create(t, d.Thread(1))
	create(t, d.Thread(2))
	var all sync.WaitGroup
	var first error
	all.Go(func() { first = wide(t, d.Thread(1), 1) })
	begun.Wait()
	require.NoError(t, wide(t, d.Thread(2), 2))
	over.Done()
	all.Wait()
	require.NoError(t, first)
	require.NoError(t, wide(t, d.Thread(1), 3))
	want := []numbered{{0, 1}, {1, 2}, {2, 3}}
	d.End()
	inBundle, inTrace, inStats, inSummary := f.numbers(t)
	require.Equal(t, want, inBundle)
	require.Equal(t, want, inTrace)
	require.Equal(t, want, inStats)
	require.Equal(t, want, inSummary)
}
