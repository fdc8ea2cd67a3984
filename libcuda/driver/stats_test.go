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
	"jacquard/observe/stats"
)

// The stats knob writes the counts of every launch.
func TestStatsFile(t *testing.T) {
	folder := t.TempDir()
	summary := filepath.Join(folder, "summary.jsonl")
	d, th, log := start(t, knobs.Settings{Stats: filepath.Join(folder, "%p.json"), Summary: summary, Device: "c1060,8800gtx", Simd: "off"})
	create(t, th)
	vecadd(t, th, "vecadd_sm13.cubin", oldLaunch(t, th))
	vecadd(t, th, "vecadd_sm13.cubin", oldLaunch(t, th))
	d.End()
	require.Empty(t, log.String())

	r, err := stats.Load(filepath.Join(folder, strconv.Itoa(os.Getpid())+".json"))
	require.NoError(t, err)
	require.Nil(t, r.Damage)
	own, err := os.Executable()
	require.NoError(t, err)
	require.Equal(t, own, r.Program)
	require.Equal(t, []string{"c1060", "8800gtx"}, r.Devices)
	require.Equal(t, "nvidia", r.Policy)
	require.Equal(t, "off", r.SIMD)
	require.Len(t, r.Kernels, 1, "both launches are of one kernel")
	require.Len(t, r.Launches, 2)
	text, err := os.ReadFile(summary)
	require.NoError(t, err)
	n := 0
	for line := range bytes.Lines(text) {
		var e events.Launch
		require.NoError(t, json.Unmarshal(line, &e))
		if e.Event != "launch" {
			continue
		}
		l := r.Launches[n]
		n++
		require.Equal(t, "vecadd", l.Kernel.Name)
		require.Equal(t, "c1060", l.Device)
		require.Empty(t, l.Error)
		require.Equal(t, e.Grid, l.Stats.Grid)
		require.Equal(t, e.Block, l.Stats.Block)
		require.NotZero(t, e.WarpInstructions)
		require.Equal(t, e.WarpInstructions, l.Stats.WarpInstructions)
		require.Equal(t, e.ThreadInstructions, l.Stats.ThreadInstructions)
		require.Equal(t, e.Divergence.ActiveLanes, l.Stats.Active)
		require.InDelta(t, e.Seconds, l.Stats.Elapsed.Seconds(), 1.5e-9, "to a nanosecond, and the rounding of seconds")
	}
	require.Equal(t, 2, n)
}

// Operands and costs are counted if the knob asks for them.
func TestStatsOnRequest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.json")
	_, th, log := start(t, knobs.Settings{Stats: path + ":tags:costs"})
	create(t, th)
	vecadd(t, th, "vecadd_sm13.cubin", oldLaunch(t, th))
	require.Empty(t, log.String())
	r, err := stats.Load(path)
	require.NoError(t, err)
	s := &r.Launches[0].Stats
	require.NotZero(t, s.ByInstruction[1].Operands.ReadsAffine)
	require.Equal(t, s.Arbiter.PC+s.Arbiter.Memory+s.Costs.Replays, s.Costs.ArbiterSteps)
	require.NotZero(t, s.Costs.ArbiterSteps)
}

// A launch that faults is in the statistics, with its reason.
func TestStatsOfFault(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.json")
	_, th, _ := start(t, knobs.Settings{Stats: path})
	create(t, th)
	f := function(t, th, "faults.cubin", "illegal")
	require.NoError(t, th.FuncSetBlockShape(f, 64, 1, 1))
	require.NoError(t, th.LaunchGrid(f, 1, 1))
	r, err := stats.Load(path)
	require.NoError(t, err)
	require.Len(t, r.Launches, 1)
	require.True(t, r.Launches[0].Stats.Incomplete)
	require.Contains(t, r.Launches[0].Error, "in kernel illegal, block (0,0), warp 0")
}

func TestStatsThatCannotBeWritten(t *testing.T) {
	_, th, log := fresh(knobs.Settings{Stats: "/dev/null/s.json"})
	is(t, driver.ErrInvalidValue, th.Init(0))
	require.Contains(t, log.String(), "jacquard: cuInit: statistics: open /dev/null/s.json: not a directory\n")
}

// A full disk is logged at once, and the program goes on.
func TestStatsOnFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skipf("no /dev/full: %v", err)
	}
	path := filepath.Join(t.TempDir(), "s.json")
	require.NoError(t, os.Symlink("/dev/full", path))
	_, th, log := start(t, knobs.Settings{Stats: path})
	create(t, th)
	for range 2 {
		vecadd(t, th, "vecadd_sm13.cubin", oldLaunch(t, th))
	}
	require.Equal(t, "jacquard: statistics: write "+path+": no space left on device; nothing more is written\n", log.String())
}

// A file that cannot be written any more is logged in one line, and the program goes on.
func TestStatsThatBreakOff(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.csv")
	_, th, log := start(t, knobs.Settings{Stats: path})
	create(t, th)
	vecadd(t, th, "vecadd_sm13.cubin", oldLaunch(t, th))
	require.Empty(t, log.String())
	require.NoError(t, os.Truncate(path, 0)) // as another process would
	for range 2 {
		vecadd(t, th, "vecadd_sm13.cubin", oldLaunch(t, th))
	}
	require.Equal(t, "jacquard: statistics: another process writes the same file: %p in its name stands for the process; nothing more is written\n", log.String())
}
