package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/observe/stats"
)

func TestReport(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a*b.json")
	w, err := stats.Create(path, &stats.Run{Program: "x"})
	require.NoError(t, err)
	require.NoError(t, w.Close())
	page := filepath.Join(dir, "a*b.html")
	for _, run := range []string{path, dir} {
		require.Equal(t, page+": 0 launches of 0 kernels\n", fine(t, "report", run))
		data, err := os.ReadFile(page)
		require.NoError(t, err)
		require.Contains(t, string(data), "<title>x · Jacquard report</title>")
		require.NoError(t, os.Remove(page))
	}
	other := filepath.Join(dir, "other.html")
	fine(t, "report", path, "-o", other)
	require.FileExists(t, other)
}

// A run's statistics and trace lie in a folder; a page of both comes out.
func TestReportOfRun(t *testing.T) {
	dir := t.TempDir()
	run, trace, page := filepath.Join(dir, "run.json"), filepath.Join(dir, "run.jqt"), filepath.Join(dir, "run.html")
	a := jacquard("run", filepath.Join(root, "testdata/demo/vectoradd.cubin"), "--grid", "4", "--block", "64",
		"--arg", "buf:1k", "--arg", "buf:1k", "--arg", "buf:1k", "--arg", "u32:256", "--stats", run, "--trace", trace)
	require.Zero(t, a.status, a.err)
	require.Equal(t, page+": 1 launch of 1 kernel\n", fine(t, "report", dir))
	data, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Contains(t, string(data), `class="lane-map"`)
	require.Contains(t, string(data), `id="play-0-0-head"`)
	require.NotContains(t, string(data), "There is no trace")
	require.Contains(t, string(data), "vecadd")
	fine(t, "report", run, "-o", page)
	data, err = os.ReadFile(page)
	require.NoError(t, err)
	require.NotContains(t, string(data), `class="lane-map"`, "nobody asked for a trace")
	require.Contains(t, string(data), "There is no trace")
	fine(t, "report", run, "-o", page, "--trace", trace)
	a = jacquard("report", run, "-o", page, "--trace", run)
	require.Equal(t, 1, a.status)
	require.Contains(t, a.err, run+": ")
}

// A trace of another run is not drawn, and what differs is named.
func TestReportOfAnotherRun(t *testing.T) {
	dir := t.TempDir()
	launched := func(grid, block string, more ...string) {
		args := []string{"run", kernel("vecadd", "sm_10.cubin"), "--grid", grid, "--block", block,
			"--arg", "buf:1k", "--arg", "buf:1k", "--arg", "buf:1k", "--arg", "u32:256"}
		a := jacquard(append(args, more...)...)
		require.Zero(t, a.status, a.err)
	}
	traced := func(name, grid, block string, more ...string) string {
		path := filepath.Join(dir, name+".jqt")
		launched(grid, block, append([]string{"--trace", path}, more...)...)
		return path
	}
	run := filepath.Join(dir, "run.json")
	launched("4", "64", "--stats", run)
	page := filepath.Join(dir, "run.html")
	for want, trace := range map[string]string{
		"its policy is mimd, that of the statistics nvidia": traced("policy", "4", "64", "--policy", "mimd"),
		"its launch 0 is of vecadd with grid 2×1 and block 64×1×1, that of the statistics of vecadd with grid 4×1 and block 64×1×1": traced("grid", "2", "64"),
		"its launch 0 is of vecadd with grid 4×1 and block 32×1×1, that of the statistics of vecadd with grid 4×1 and block 64×1×1": traced("block", "4", "32"),
		"its kernel vecadd ran on a device of sm_10, that of the statistics on one of sm_13":                                        traced("device", "4", "64", "--device", "8800gtx"),
	} {
		a := jacquard("report", run, "-o", page, "--trace", trace)
		require.Equal(t, answer{1, "", "jacquard: " + trace + ": the trace is of another run: " + want + ": record both at once, with --stats and --trace\n"}, a)
		require.NoFileExists(t, page)
	}
	fine(t, "report", run, "-o", page, "--trace", traced("same", "4", "64"))
}

func TestReportErrors(t *testing.T) {
	empty, full := t.TempDir(), t.TempDir()
	text := filepath.Join(full, "t.json")
	require.NoError(t, os.WriteFile(text, []byte("hello"), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(full, "u.json"), nil, 0o666))
	for name, c := range map[string]struct {
		args   []string
		status int
		want   string
	}{
		"no run":       {[]string{"report"}, 2, "wants a statistics file"},
		"no file":      {[]string{"report", filepath.Join(empty, "x.json")}, 1, "no such file"},
		"empty folder": {[]string{"report", empty}, 1, "holds no statistics file"},
		"two files":    {[]string{"report", full}, 2, "say which one"},
		"foreign":      {[]string{"report", text}, 1, "this is no statistics file"},
		"arch":         {[]string{"report", text, "--arch", "sm_10"}, 2, "--arch goes with --test"},
		"onto itself":  {[]string{"report", text, "-o", text}, 1, "this is no statistics file"},
	} {
		t.Run(name, func(t *testing.T) {
			a := jacquard(c.args...)
			require.Equal(t, c.status, a.status, a.err)
			require.Contains(t, a.err, c.want)
			require.NoFileExists(t, filepath.Join(full, "t.html"))
		})
	}
}
