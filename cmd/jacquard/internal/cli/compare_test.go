package cli_test

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/observe/stats"
)

func TestCompareTests(t *testing.T) {
	svg := filepath.Join(t.TempDir(), "lanes.svg")
	out := fine(t, "compare", "--test", kernel("vecadd", "test.json"), kernel("calls", "test.json"),
		"--policies", "nvidia,implicit,chap,stackless,mimd", "--svg", svg)
	golden(t, "compare.txt", out)
	picture, err := os.ReadFile(svg)
	require.NoError(t, err)
	require.Contains(t, string(picture), "stackless")
}

// Every policy agrees on a kernel, or refuses it, and every figure is in the files.
func TestCompareAll(t *testing.T) {
	out := fine(t, "compare", "--json", "--test", kernel("vecadd", "test.json"), "--arch", "sm_10")
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	require.Greater(t, len(lines), 8)
	for _, line := range lines {
		var row struct{ Policy, Outcome string }
		require.NoError(t, json.Unmarshal([]byte(line), &row))
		require.Contains(t, []string{"same", "refused"}, row.Outcome, row.Policy)
	}
	table, err := csv.NewReader(strings.NewReader(fine(t, "compare", "--csv", "--test", kernel("vecadd", "test.json")))).ReadAll()
	require.NoError(t, err)
	require.Len(t, table, len(lines)+1)
	require.Equal(t, []string{"block_z", "outcome"}, table[0][9:11])
	require.Contains(t, table[0], "active_lanes_32")
}

func TestCompareKernelSteps(t *testing.T) {
	out := fine(t, "compare", temporary(t, "x.cubin", twins), "two", "--block", "3", "--policies", "nvidia,mimd", "--steps", "2")
	require.Equal(t, `two under nvidia: warp 0 of block (0,0)
time  pc    lanes  pc 0    pc 1    pc 2    instruction       keeps
   0  0000  ###    [0000]  [0000]  [0000]  exit (never) nop

two under mimd: warp 0 of block (0,0)
time  pc    lanes  pc 0    pc 1    pc 2    instruction       keeps
   0  0000  #..    [0000]   0000           exit (never) nop  >, lane 0000 .#., lane 0000 ..#
   1  0000  .#.            [0000]          exit (never) nop  >, lane 0000 ..#
and 1 more

# runs, - its guard is false, v sent elsewhere by the join marker, . waits or has ended;
keeps: what the policy keeps as the step issues, > where its lanes are; see docs/divergence.md

`, out[:strings.Index(out, "kernel  policy")])
	require.Contains(t, fine(t, "compare", temporary(t, "x.cubin", twins), "two", "--policies", "nvidia", "--steps", "2", "--warp", "1"),
		"two under nvidia: warp 1 of block (0,0) issued nothing\n")
}

func TestCompareProgram(t *testing.T) {
	dir := simulator(t)
	program := filepath.Join(dir, "vectoradd")
	out := fine(t, "compare", "--lib", dir, "--policies", "nvidia,stackless", "--", program)
	require.Regexp(t, `^kernel +policy .*
vecadd +nvidia +5017 +31\.97 .* same
vecadd +stackless +501\d +31\.97 .* same
$`, out)

	// The statistics of all processes are gathered.
	path := filepath.Join(t.TempDir(), "s.json")
	a := jacquard("compare", "--lib", dir, "--policies", "nvidia,stackless", "--stats", path, "--", "/bin/sh", "-c", program+"; "+program+"; "+program)
	require.Zero(t, a.status, a.err)
	r, err := stats.Load(path)
	require.NoError(t, err)
	require.Len(t, r.Launches, 6)

	// A program that fails under every policy is compared all the same.
	a = jacquard("compare", "--lib", dir, "--policies", "nvidia,stackless", "--", "/bin/sh", "-c", program+"; echo no luck >&2; exit 3")
	require.Equal(t, 1, a.status)
	require.Equal(t, out, a.out)
	require.Equal(t, "jacquard: under every policy, the program ended with status 3: no luck\n", a.err)
	a = jacquard("compare", "--lib", dir, "--", "/bin/false")
	require.Equal(t, 1, a.status)
	require.Contains(t, a.err, "/bin/false never started the simulator")

	a = jacquard("compare", "--lib", dir, "--", "/bin/true")
	require.Equal(t, 1, a.status)
	require.Contains(t, a.err, "/bin/true")
}

func TestCompareErrors(t *testing.T) {
	test := kernel("vecadd", "test.json")
	for _, c := range []struct {
		name   string
		args   []string
		status int
		want   string
	}{
		{"nothing", nil, 2, "wants a cubin and a kernel, or -- and a program"},
		{"no program", []string{"--"}, 2, "wants a program to run"},
		{"policy", []string{"--policies", "wild", test}, 2, `--policies: unknown divergence policy "wild"`},
		{"option", []string{"--policies", "stackless:key=no", test}, 2, "--policies: unknown option"},
		{"formats", []string{"--csv", "--json", "--test", test}, 2, "--csv and --json: choose one"},
		{"steps", []string{"--steps", "-1", "--test", test}, 2, "--steps and --warp: want 0 or more"},
		{"steps as data", []string{"--steps", "3", "--csv", "--test", test}, 2, "--steps goes with the table"},
		{"steps of a program", []string{"--steps", "3", "--", "/bin/true"}, 2, "--steps needs a kernel or a test.json"},
		{"test and program", []string{"--test", "--", "/bin/true"}, 2, "--test takes tests, not a program after --"},
		{"arch", []string{"--arch", "sm_20", "--test", test}, 1, "has no build for sm_20: it has sm_10, sm_11, sm_12, sm_13"},
		{"no such file", []string{"--test", "/nonexistent/test.json"}, 1, "no such file"},
		{"metric", []string{"--metric", "speed", "--svg", "x.svg", test}, 2, "--metric speed: want lanes, efficiency, issues or transactions"},
		{"warp alone", []string{"--warp", "1", "--test", test}, 2, "--warp goes with --steps or --html"},
		{"title alone", []string{"--title", "x", "--test", test}, 2, "--title goes with a drawing"},
		{"metric of steps", []string{"--steps", "3", "--metric", "issues", "--svg", "x.svg", "--test", test}, 2, "--metric goes with a drawing of figures"},
		{"library", []string{"--lib", "x", "--test", test}, 2, "--test does not go with --lib"},
		{"arch of a program", []string{"--arch", "sm_10", "--", "/bin/true"}, 2, "a program does not go with --arch"},
		{"two on one", []string{"--svg", "-", "--html", "-", "--policies", "nvidia", kernel("saxpy", "sm_13.cubin"), "--arg", "buf:256", "--arg", "buf:256", "--arg", "f32:2", "--arg", "u32:64"}, 2, "--html and --svg both go to standard output: name a file"},
		{"picture", []string{"--policies", "nvidia", "--svg", "/nonexistent/x.svg", "--test", test}, 1, "no such file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := jacquard(append([]string{"compare"}, c.args...)...)
			require.Equal(t, c.status, a.status, a.err)
			require.Contains(t, a.err, c.want)
		})
	}
}
