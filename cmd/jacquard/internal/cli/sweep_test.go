package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"

	"jacquard/observe/stats"
	"jacquard/study/sweep"
)

// sweeper runs the built tool in a folder in which make has built everything.
type sweeper struct {
	t           *testing.T
	folder      string
	environment []string
}

func newSweeper(t *testing.T) *sweeper {
	t.Helper()
	folder, environment := checkout(t)
	return &sweeper{t, folder, environment}
}

// study writes a study file.
func (s *sweeper) study(name, text string) {
	require.NoError(s.t, os.WriteFile(filepath.Join(s.folder, name), []byte(text), 0o666))
}

func (s *sweeper) command(args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.folder, "build/bin/jacquard"), args...)
	cmd.Dir, cmd.Env = s.folder, s.environment
	return cmd
}

// run runs the tool and returns its output.
func (s *sweeper) run(status int, args ...string) string {
	s.t.Helper()
	cmd := s.command(args...)
	out, err := cmd.CombinedOutput()
	if status == 0 {
		require.NoError(s.t, err, "%s", out)
	}
	require.Equal(s.t, status, cmd.ProcessState.ExitCode(), "%s", out)
	return string(out)
}

// table reads a table without what differs from run to run.
func (s *sweeper) table(path string) []sweep.Row {
	s.t.Helper()
	rows, err := parquet.ReadFile[sweep.Row](filepath.Join(s.folder, path))
	require.NoError(s.t, err)
	for i := range rows {
		require.NotEmpty(s.t, rows[i].Host)
		rows[i].Host, rows[i].Seconds = "", 0
	}
	return rows
}

const everything = `
[keep]
statistics = true
trace = "first=10"
[matrix]
policy = ["nvidia", "tbc"]
[[run]]
program = "build/demo/vectoradd"
passes = { text = "PASSED" }
[[run]]
kernel = "build/demo/vectoradd.cubin"
options = ["--grid", "4", "--block", "64", "--arg", "buf:1k", "--arg", "buf:1k", "--arg", "buf:1k"]
arguments = [["--arg", "u32:100"], ["--arg", "u32:256"]]
[[run]]
test = "testdata/mesa-kernels/calls/test.json"
matrix.policy = ["nvidia", "tbc", "chap"]
[[run]]
bundle = "run.jqb"
split = 1
`

// Every kind of cell runs, with the same counters as compare.
func TestSweep(t *testing.T) {
	s := newSweeper(t)
	s.run(0, "record", "-q", "-o", "run.jqb", "--", "build/demo/vectoradd")
	s.study("s.toml", everything)
	var names []string
	for line := range strings.Lines(s.run(0, "sweep", "s.toml", "--dry-run", "--json")) {
		var cell struct{ Name, Command string }
		require.NoError(t, json.Unmarshal([]byte(line), &cell))
		require.Contains(t, cell.Command, "jacquard ")
		names = append(names, cell.Name)
	}
	require.Len(t, names, 2+4+3+2)
	out := s.run(0, "sweep", "s.toml", "--instructions", "--jobs", "2")
	require.Equal(t, "11 cells: 10 passed, 1 refused\ntables: s.sweep/cells.parquet, s.sweep/kernels.parquet\n", out)
	rows := s.table("s.sweep/cells.parquet")
	for i, r := range rows {
		require.Equal(t, names[i], r.Cell)
	}
	require.Equal(t, "0-0", rows[9].Part)
	require.Equal(t, rows[0].WarpInstructions, rows[9].WarpInstructions, "a replay counts what the program counted")
	require.Equal(t, "--arg u32:256", rows[4].Arguments)

	type instruction struct {
		Cell   string `parquet:"cell"`
		Issues int64  `parquet:"issues"`
	}
	instructions, err := parquet.ReadFile[instruction](filepath.Join(s.folder, "s.sweep/instructions.parquet"))
	require.NoError(t, err)
	sums := map[string]int64{}
	for _, r := range instructions {
		sums[r.Cell] += r.Issues
	}
	for _, r := range rows {
		require.EqualValues(t, r.WarpInstructions, sums[r.Cell], r.Cell)
	}
	f, err := sweep.Open(filepath.Join(s.folder, "s.sweep"))
	require.NoError(t, err)
	require.Contains(t, s.run(0, "trace", "show", "--launches", f.Trace(rows[9].Cell, 0)), "10 warp-instructions")

	compared := s.run(0, "compare", "--json", "--policies", "nvidia,tbc", "--", "build/demo/vectoradd")
	for i, line := range strings.Split(strings.TrimSpace(compared), "\n") {
		var want struct {
			Issues uint64   `json:"warp_instructions"`
			Swaps  uint64   `json:"swaps"`
			Lanes  []uint64 `json:"active_lanes"`
		}
		require.NoError(t, json.Unmarshal([]byte(line), &want))
		for _, r := range []sweep.Row{rows[i], rows[9+i]} {
			require.Equal(t, want.Issues, r.WarpInstructions)
			require.Equal(t, want.Swaps, r.Swaps)
			require.Equal(t, want.Lanes, r.ActiveLanes)
		}
	}
	require.Contains(t, s.run(0, "sweep", "report", "s.toml", "--rows", "kind", "--page", "p.html"), "p.html: 11 cells of 11\n")
	require.Contains(t, s.run(0, "sweep", "status", "s.toml"), "s.sweep: 11 of 11 cells done, 1 refused\n")

	// A file that changed is not mixed with results of the old one.
	file, err := os.OpenFile(filepath.Join(s.folder, "run.jqb"), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = file.Write([]byte{0})
	require.NoError(t, err)
	require.NoError(t, file.Close())
	require.Contains(t, s.run(1, "sweep", "s.toml"), "run.jqb has changed since cells in ")
}

// Of a program of several processes the files of all are kept: one of statistics, a trace of each.
func TestSweepOfProcesses(t *testing.T) {
	s := newSweeper(t)
	s.study("s.toml", `
[keep]
statistics = true
counts = "tags"
trace = "all"
[[run]]
program = "/bin/sh"
options = ["-c", "build/demo/vectoradd && build/demo/vectoradd && build/demo/vectoradd"]
[[run]]
program = "/bin/true"
`)
	s.run(1, "sweep", "s.toml", "--instructions")
	row := s.table("s.sweep/cells.parquet")[0]
	require.Equal(t, "passed", row.Status)
	require.EqualValues(t, 3, row.Launches)
	f, err := sweep.Open(filepath.Join(s.folder, "s.sweep"))
	require.NoError(t, err)
	run, err := stats.Load(f.Statistics(row.Cell))
	require.NoError(t, err)
	require.Nil(t, run.Damage)
	var issues uint64
	for i, l := range run.Launches {
		require.Equal(t, i, l.Number)
		issues += l.Stats.WarpInstructions
	}
	require.Equal(t, row.WarpInstructions, issues)
	for i := range 3 {
		require.FileExists(t, f.Trace(row.Cell, i))
	}
	require.NoFileExists(t, f.Trace(row.Cell, 3))

	type instruction struct {
		Launch int64 `parquet:"launch"`
	}
	instructions, err := parquet.ReadFile[instruction](filepath.Join(s.folder, "s.sweep/instructions.parquet"))
	require.NoError(t, err)
	require.EqualValues(t, 2, instructions[len(instructions)-1].Launch)
}

// slowStudy has cells of some tenths of a second.
func slowStudy(cells int) string {
	text := "[matrix]\nengine = 'reference'\n[[run]]\nkernel = 'build/demo/vectoradd.cubin'\narguments = [\n"
	for i := range cells {
		text += fmt.Sprintf("['--grid', '40', '--block', '64', '--arg', 'buf:1m:seed=1', '--arg', 'buf:1m:seed=2', '--arg', 'buf:1m', '--arg', 'u32:%d'],\n", 200000+i)
	}
	return text + "]\n"
}

// Whatever ends a sweep, the next one runs the cells without a result, and the table equals that of
// an undisturbed sweep.
func TestSweepGoesOn(t *testing.T) {
	const cells = 12
	s := newSweeper(t)
	s.study("s.toml", slowStudy(cells))
	s.run(0, "sweep", "s.toml", "-o", "calm")
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL} {
		folder := "f" + signal.String()
		first := s.command("sweep", "s.toml", "-o", folder, "--jobs", "2")
		var said strings.Builder
		first.Stdout, first.Stderr = &said, &said
		require.NoError(t, first.Start())
		done := func() int {
			list, err := filepath.Glob(filepath.Join(s.folder, folder, "cells/*/*.json"))
			require.NoError(t, err)
			return len(list)
		}
		require.Eventually(t, func() bool { return done() > 0 }, time.Minute, 5*time.Millisecond)
		require.NoError(t, first.Process.Signal(signal))
		require.Error(t, first.Wait())
		kept := done()
		require.Less(t, kept, cells)
		if signal != syscall.SIGKILL {
			require.Contains(t, said.String(), "without a result\n")
			require.Contains(t, said.String(), "jacquard: interrupted: "+fmt.Sprint(kept)+" of 12 cells done")
			require.Contains(t, said.String(), "the same command runs the rest\n")
		}
		require.Contains(t, s.run(0, "sweep", "status", "s.toml", "-o", folder), fmt.Sprintf("%d of 12 cells done", kept))
		require.Contains(t, s.run(0, "sweep", "s.toml", "-o", folder), "12 cells: 12 passed\n")
		require.Equal(t, s.table("calm/cells.parquet"), s.table(folder+"/cells.parquet"))
	}
}

func TestSweepErrors(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "s.toml")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "k.cubin"), nil, 0o666))
	require.NoError(t, os.WriteFile(path, []byte("[[run]]\nkernel = 'k.cubin'\n"), 0o666))
	bad := filepath.Join(dir, "bad.toml")
	require.NoError(t, os.WriteFile(bad, []byte("[[run]]\ncolour = 1\n"), 0o666))
	t.Setenv("PATH", dir)
	for _, c := range []struct {
		args   string
		status int
		err    string
	}{
		{"", 2, "jacquard sweep wants a study file: see jacquard sweep --help"},
		{path + " " + path, 2, "unexpected argument"},
		{path + " --on cloud", 2, `--on "cloud": want local or slurm`},
		{path + " --jobs -1", 2, "--jobs -1: want 1 or more"},
		{path + " --cells 0", 2, "--cells 0: want 1 or more"},
		{path + " --array-limit -1", 2, "--array-limit -1: want 1 or more"},
		{path + " --json", 2, "--json goes with --dry-run"},
		{path + " --instructions", 2, "--instructions wants statistics = true"},
		{path + " --on slurm", 1, "there is no sbatch here: want a machine that submits to Slurm, or --on local"},
		{path + "x", 1, "no such file"},
		{bad, 1, bad + ":2:1: unknown key run.colour"},
		{"status " + path, 1, "this is no folder of a sweep: jacquard sweep STUDY makes one"},
		{"cancel " + path, 1, "this is no folder of a sweep"},
		{"report " + path, 1, "this is no folder of a sweep"},
		{"task " + path, 2, `SLURM_ARRAY_TASK_ID="": want the number of a task`},
	} {
		t.Run(c.args, func(t *testing.T) {
			a := jacquard(append([]string{"sweep"}, strings.Fields(c.args)...)...)
			require.Equal(t, c.status, a.status, a.err)
			require.Contains(t, a.err, c.err)
			require.Equal(t, 1, strings.Count(a.err, "\n"))
		})
	}
	require.NoDirExists(t, filepath.Join(dir, "s.sweep"))
}
