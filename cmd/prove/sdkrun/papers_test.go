package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/observe/stats/rollup"
	"jacquard/simt"
)

func TestBeside(t *testing.T) {
	for _, c := range []struct {
		paper, published, threads, warps uint64
		launches                         int
		want                             string
	}{
		{100, 100, 3200, 4, 1, "the same"},
		{500, 1700, 1, 1, 17, "5 launches"},
		{42 * 1280, 42 * 3000, 1, 3000, 7, "42 × 1280 warps"},
		{15 * 1280, 15 * 3000, 1, 3000, 7, "of other code or sizes"},
		{42*1280 + 1, 42 * 3000, 1, 3000, 7, "of other code or sizes"},
		{9990, 10000, 1, 3000, 7, "-0.100 %"},
		{320100, 10000, 320000, 3000, 7, "+0.031 % of the thread instructions, 320000"},
	} {
		row := &rollup.Row{Launches: c.launches, Published: c.published, Counts: simt.InstructionStats{Threads: c.threads}}
		e := entry{dynamic: c.paper}
		require.Equal(t, c.want, e.beside(&measured{row, c.warps}), "%+v", c)
	}
}

// Programs run under each policy, and only the tables of the page change.
func TestPapers(t *testing.T) {
	scripts := map[string]string{}
	for _, program := range occupied {
		scripts[program] = `cp "$(dirname $0)/$JACQUARD_POLICY.json" "$JACQUARD_STATS"; echo PASSED`
	}
	s := sdk(t, scripts)
	for _, policy := range compared {
		run := exec.Command("go", "run", "../../jacquard", "run", "../../../testdata/papers/figure3.cubin",
			"--block", "4", "--policy", policy, "--stats", filepath.Join(s.release, policy+".json"))
		out, err := run.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	begin := func(name string) string { return "<!-- figures of make papers: " + name + " -->\n" }
	end := func(name string) string { return "<!-- end of " + name + " -->\n" }
	path := filepath.Join(t.TempDir(), "page.md")
	frame := "above\n" + begin("table 3") + "%" + end("table 3") + "between\n" + begin("active lanes") + "%" + end("active lanes") + "below\n"
	require.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(frame, "%", "old\n")), 0o666))
	require.NoError(t, s.papers(path, io.Discard))
	first, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NotContains(t, string(first), "old")
	for _, kept := range []string{"above\n", "between\n", "below\n"} {
		require.Contains(t, string(first), kept)
	}
	// The kernel has 45 lanes in 20 issues under nvidia, and 42 in 17 under the two others; two of
	// these issues are joinat, with 4 and 2 lanes. docs/papers.md shows the steps.
	require.Contains(t, string(first), "| dwtHaar1D | `k` | 2.250 | 2.471 | 2.400 | 2.471 | +9.80 % | +0.00 % | +17.65 % | 0 |")
	require.NoError(t, s.papers(path, io.Discard))
	second, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(first), string(second), "the same bytes again")

	require.NoError(t, os.WriteFile(filepath.Join(s.release, "dwtHaar1D"), []byte("#!/bin/sh\necho FAILED"), 0o777))
	require.ErrorContains(t, s.papers(path, io.Discard), "dwtHaar1D under nvidia")
	require.Error(t, s.papers(filepath.Join(t.TempDir(), "none.md"), io.Discard))
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(first), string(after), "a page is whole or as it was")
}
