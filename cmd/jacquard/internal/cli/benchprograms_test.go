package cli_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver/events"
	"jacquard/study/programs"
)

// A program and a bundle of it run on two builds, which are the same one here.
func TestBenchPrograms(t *testing.T) {
	folder, environment := checkout(t)
	run := func(args ...string) (out string) {
		cmd := exec.Command(filepath.Join(folder, "build/bin/jacquard"), args...)
		cmd.Env = environment
		text, err := cmd.Output()
		require.NoError(t, err)
		return string(text)
	}
	files, lib := filepath.Join(folder, "programs"), filepath.Join(folder, "build/lib")
	require.NoError(t, os.Mkdir(files, 0o777))
	program := filepath.Join(folder, "build/demo/vectoradd")
	require.NoError(t, os.Link(program+".cubin", filepath.Join(files, "vectoradd.cubin")))
	require.NoError(t, os.Link(program, filepath.Join(files, "vectoradd")))
	run("record", "--quiet", "-o", filepath.Join(files, "recorded.jqb"), "--", program)

	out := run("bench", "--programs", files, "--against", lib, "--workers", "1", "--rounds", "2", "--json")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Len(t, lines, 2)
	for i, name := range []string{"recorded.jqb", "vectoradd"} {
		var row programs.Row
		require.NoError(t, json.Unmarshal([]byte(lines[i]), &row))
		require.Equal(t, name, row.Program)
		require.Equal(t, "only 5017 warp-instructions", row.Reason)
		require.Equal(t, 1, row.Launches)
		require.Len(t, row.Ways, 2)
		require.Equal(t, programs.Way{Build: "old", Workers: 1}, row.Ways[0].Way)
		require.Equal(t, programs.Way{Build: "new", Workers: 1}, row.Ways[1].Way)
		require.EqualValues(t, 5017, row.Ways[1].WarpInstructions)
		require.Positive(t, row.Ways[1].Rate)
	}
	out = run("bench", "--programs", files, "--workers", "1", "vectoradd")
	require.Equal(t, "\nNot measured:\n\n- vectoradd: only 5017 warp-instructions\n", out)
}

func TestBenchProgramsUsage(t *testing.T) {
	empty := t.TempDir()
	for _, c := range []struct{ args, want string }{
		{"--against x", "--against goes with --programs"},
		{"--programs x --long", "--long does not go with --programs"},
		{"--programs " + empty + " --rounds 0", "--rounds 0: want 1 or more"},
		{"--programs " + empty, empty + " has no programs and no bundles"},
		{"--programs " + empty + " scan", empty + ` has no program or bundle "scan"`},
	} {
		a := jacquard(append([]string{"bench"}, strings.Fields(c.args)...)...)
		require.Equal(t, answer{2, "", "jacquard: " + c.want + "\n"}, a)
	}
}

// The summaries of a replayed bundle and of its program are alike.
func TestReplaySummary(t *testing.T) {
	path := filepath.Join(t.TempDir(), "summary")
	fine(t, "replay", "--summary", path, recorded(t))
	r, err := events.Read(path)
	require.NoError(t, err)
	require.Len(t, r.Launches, 1)
	l := &r.Launches[0]
	require.Equal(t, "vecadd", l.Kernel)
	require.True(t, l.Succeeded())
	require.Positive(t, l.WarpInstructions)
	require.Positive(t, l.Exactness.Verified.WarpInstructions)
	require.Positive(t, l.Seconds)
}
