package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/events"
)

func TestJudge(t *testing.T) {
	status := errors.New("exit status 1")
	for _, c := range []struct {
		name, output string
		err          error
		verdict      verdict
		reason       string
	}{
		{"passed", "[scan] test results...\nPASSED\n", nil, passed, ""},
		{"passed, older", "Test PASSED\n", nil, passed, ""},
		{"passed, in a sentence", "  reduction: PASSED \n", nil, passed, ""},
		{"passed in a session", "0.4(%) of bytes mismatched\n&&&& PASSED boxFilter -qatest\n", nil, passed, ""},
		{"failed in a session", "&&&& PASSED a -qatest\n&&&& FAILED boxFilter -qatest\n", nil, failed, "its own check fails"},
		{"passed and failed", "PASSED\nFAILED\n", nil, failed, "its own check fails"},
		{"passed with a status", "PASSED\n", status, failed, "exit status 1"},
		{"not a verdict", "tests PASSED so far: 0\n", nil, failed, "does not say that it passed"},
		{"failed", "FAILED\n", nil, failed, "its own check fails"},
		{"library", "./x: error while loading shared libraries: libglut.so.3: cannot open\n", status, absent, "needs libglut.so.3"},
		{"waived", "GPU does not meet: requires SM 2.0\n", nil, waived, "GPU does not meet: requires SM 2.0"},
		{"driver", "jacquard: module: no\nrequires SM 2.0\n", nil, failed, "jacquard: module: no"},
		{"error", "x.cu(3) : CUDA Runtime API error 3: initialization error.\n", status, failed, "x.cu(3) : CUDA Runtime API error 3: initialization error."},
	} {
		t.Run(c.name, func(t *testing.T) {
			verdict, reason := judge(c.output, c.err)
			require.Equal(t, c.verdict, verdict)
			require.Equal(t, c.reason, reason)
		})
	}
}

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
	require.Equal(t, passed, good.verdict, good.reason)
	require.Len(t, good.launched, 2)
	require.EqualValues(t, 12, good.instructions)
	require.Equal(t, failed, s.run("bad").verdict)
	s.limit = 100 * time.Millisecond
	endless := s.run("endless")
	require.Equal(t, failed, endless.verdict)
	require.Equal(t, "takes longer than 100ms", endless.reason)
	s.limit = time.Minute
	require.Equal(t, failed, s.run("none").verdict)
}

func TestSetup(t *testing.T) {
	_, err := newSetup("", "", "", 0)
	require.ErrorContains(t, err, "-sdk DIR -cudart DIR")
	_, err = newSetup(t.TempDir(), t.TempDir(), t.TempDir(), 0)
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestTable(t *testing.T) {
	var b bytes.Buffer
	table := newTable(&b)
	table.add("scan", result{verdict: passed, elapsed: 1234 * time.Millisecond, processor: 2 * time.Second, launched: make([]events.Launch, 3), instructions: 12345})
	table.add("boxFilter", result{verdict: absent, reason: "needs libglut.so.3"})
	table.end()
	require.Equal(t, `program                      result           time      cpu  launches  warp instructions  reason
scan                         PASSED          1.23s       2s         3              12345
boxFilter                    cannot start       0s       0s         0                  0  needs libglut.so.3
2 programs: 1 passed, 0 waived, 1 cannot start, 0 failed
`, b.String())
}
