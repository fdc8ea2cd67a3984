package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver/events"
	"jacquard/study/programs"
)

// sdk makes an SDK of shell scripts, a simulator and a runtime library; nothing loads the last two.
func sdk(t *testing.T, scripts map[string]string) *setup {
	t.Helper()
	dir := t.TempDir()
	release := filepath.Join(dir, "C/bin/linux/release")
	require.NoError(t, os.MkdirAll(release, 0o777))
	for name, text := range scripts {
		require.NoError(t, os.WriteFile(filepath.Join(release, name), []byte("#!/bin/sh\n"+text), 0o777))
	}
	require.NoError(t, os.WriteFile(filepath.Join(release, "notes.txt"), nil, 0o666))
	for _, lib := range []string{"libcuda.so.1", "libcudart.so.4"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, lib), nil, 0o666))
	}
	s, err := newSetup(dir, dir, dir, time.Minute)
	require.NoError(t, err)
	return s
}

func TestRun(t *testing.T) {
	s := sdk(t, map[string]string{
		"good": `echo '{"event":"init"}' > $JACQUARD_SUMMARY
echo '{"event":"launch","warp_instructions":5}' >> $JACQUARD_SUMMARY
echo '{"event":"launch","warp_instructions":7}' >> $JACQUARD_SUMMARY
[ -x ./good ] && [ -n "$LD_LIBRARY_PATH" ] && echo PASSED`,
		"bad":     "echo FAILED",
		"endless": "sleep 60",
	})
	names, err := s.programs()
	require.NoError(t, err)
	require.Equal(t, []string{"bad", "endless", "good"}, names)

	good := s.run("good")
	require.Equal(t, programs.Passed, good.Verdict, good.Reason)
	require.Len(t, good.Launches, 2)
	require.EqualValues(t, 12, good.WarpInstructions())
	require.Equal(t, programs.Failed, s.run("bad").Verdict)
	s.limit = 100 * time.Millisecond
	endless := s.run("endless")
	require.Equal(t, programs.Failed, endless.Verdict)
	require.Equal(t, "takes longer than 100ms", endless.Reason)
	s.limit = time.Minute
	require.Equal(t, programs.Failed, s.run("none").Verdict)
}

func TestSetup(t *testing.T) {
	_, err := newSetup("", "", "", 0)
	require.ErrorContains(t, err, "-sdk DIR")
	_, err = newSetup(t.TempDir(), t.TempDir(), t.TempDir(), 0)
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestTable(t *testing.T) {
	var b bytes.Buffer
	table := newTable(&b)
	table.add("scan", &programs.Result{
		Verdict: programs.Passed, Process: programs.Process{Elapsed: 1234 * time.Millisecond, Processor: 2 * time.Second},
		Launches: []events.Launch{{WarpInstructions: 12300}, {WarpInstructions: 45}, {}},
	})
	table.add("boxFilter", &programs.Result{Verdict: programs.Absent, Reason: "needs libglut.so.3"})
	table.end()
	require.Equal(t, `program                      result           time      cpu  launches  warp instructions  reason
scan                         PASSED          1.23s       2s         3              12345
boxFilter                    cannot start       0s       0s         0                  0  needs libglut.so.3
2 programs: 1 passed, 0 waived, 1 cannot start, 0 failed
`, b.String())
}
