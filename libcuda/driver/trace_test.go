package driver_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/events"
	"jacquard/libcuda/driver/knobs"
	"jacquard/observe/trace"
)

// The trace knob records every launch; the trace adds up to the launch's counts.
func TestTrace(t *testing.T) {
	folder := t.TempDir()
	summary := filepath.Join(folder, "summary.jsonl")
	d, th, log := start(t, knobs.Settings{Trace: filepath.Join(folder, "%p.jqt:values=regs"), Summary: summary})
	create(t, th)
	vecadd(t, th, "vecadd_sm13.cubin", oldLaunch(t, th))
	vecadd(t, th, "vecadd_sm13.cubin", oldLaunch(t, th))
	d.End()
	require.Empty(t, log.String())

	f, err := trace.Open(filepath.Join(folder, strconv.Itoa(os.Getpid())+".jqt"))
	require.NoError(t, err)
	defer f.Close()
	require.Nil(t, f.Damage)
	require.Len(t, f.Kernels, 1, "both launches are of one kernel")
	require.Len(t, f.Launches, 2)
	var counted uint64
	for _, l := range f.Launches {
		require.Equal(t, "vecadd", l.Kernel.Name)
		require.Equal(t, [2]int{2, 1}, l.Grid)
		require.Equal(t, "nvidia", l.Policy)
		require.True(t, l.Ended)
		require.Empty(t, l.Error)
		counted += l.Count
	}
	text, err := os.ReadFile(summary)
	require.NoError(t, err)
	var want uint64
	for line := range bytes.Lines(text) {
		var e events.Launch
		require.NoError(t, json.Unmarshal(line, &e))
		want += e.WarpInstructions
	}
	require.Equal(t, want, counted)
	values := 0
	for s, err := range f.Steps(&trace.Filter{}) {
		require.NoError(t, err)
		values += len(s.Values)
	}
	require.Positive(t, values)
}

// A launch that faults is in the trace with its reason, up to the instruction that faulted.
func TestTraceOfFault(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.jqt")
	_, th, _ := start(t, knobs.Settings{Trace: path})
	create(t, th)
	f := function(t, th, "faults.cubin", "illegal")
	require.NoError(t, th.FuncSetBlockShape(f, 64, 1, 1))
	require.NoError(t, th.LaunchGrid(f, 1, 1))
	file, err := trace.Open(path)
	require.NoError(t, err)
	defer file.Close()
	require.Len(t, file.Launches, 1)
	require.Contains(t, file.Launches[0].Error, "in kernel illegal, block (0,0), warp 0")
}

func TestTraceThatCannotBeWritten(t *testing.T) {
	_, th, log := fresh(knobs.Settings{Trace: "/dev/null/t.jqt"})
	is(t, driver.ErrInvalidValue, th.Init(0))
	require.Contains(t, log.String(), "jacquard: cuInit: trace: open /dev/null/t.jqt: not a directory\n")

	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	_, th, log = fresh(knobs.Settings{Trace: "/dev/full"})
	require.NoError(t, th.Init(0), "the program goes on")
	require.Contains(t, log.String(), "no space left on device")
}
