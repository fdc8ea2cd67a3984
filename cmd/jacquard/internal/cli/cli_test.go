package cli_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cmd/jacquard/internal/cli"
	"jacquard/simt"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// root is the way from this package to the module's root.
const root = "../../../.."

// kernel returns the path of a file of a kernel in testdata.
func kernel(name, file string) string {
	return filepath.Join(root, "testdata/mesa-kernels", name, file)
}

// answer is the tool's status and output.
type answer struct {
	status   int
	out, err string
}

// jacquard runs the tool in this process.
func jacquard(args ...string) answer { return jacquardOn("", args...) }

func jacquardOn(stdin string, args ...string) answer {
	var out, err bytes.Buffer
	status := cli.Main(args, cli.Streams{In: strings.NewReader(stdin), Out: &out, Err: &err})
	return answer{status, out.String(), err.String()}
}

// fine returns the tool's output, and fails the test if the tool fails.
func fine(t *testing.T, args ...string) string {
	t.Helper()
	a := jacquard(args...)
	require.Zero(t, a.status, a.err)
	require.Empty(t, a.err)
	return a.out
}

// golden compares text with a file in testdata.
func golden(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), text)
}

// temporary writes a file for a test and returns its path.
func temporary(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}

func TestEveryCommandHasHelpWithExamples(t *testing.T) {
	help := fine(t)
	require.Equal(t, help, fine(t, "--help"))
	for _, path := range cli.CommandPaths() {
		name := strings.Join(path, " ")
		text := fine(t, append(path, "--help")...)
		require.Contains(t, text, "Examples:\n  ", name)
		require.Contains(t, text, "jacquard "+name, name)
	}
}

// unknown is the error of a word that is no command of the tool.
func unknown(word string) string {
	return `unknown command "` + word + `": want asm, bench, check, compare, compile, completion, crosscheck, debug, dis, doctor, exec, info, play, ` +
		`policies, probe, record, replay, report, run, stats, sweep, trace, verify or version`
}

// Commands that need another word print their help without it.
func TestHelpOfGroups(t *testing.T) {
	require.Equal(t, fine(t), fine(t, "help"))
	require.Equal(t, fine(t, "run", "--help"), fine(t, "help", "run"))
	require.Equal(t, fine(t, "trace", "show", "--help"), fine(t, "help", "trace", "show"))
	require.Contains(t, fine(t, "completion"), "jacquard completion COMMAND")
	require.Contains(t, fine(t, "completion", "bash"), "bash completion")
}

func TestUsageErrors(t *testing.T) {
	for _, c := range []struct {
		args string
		want string
	}{
		{"bogus", unknown("bogus")},
		{"polices", `unknown command "polices": did you mean policies?`},
		{"rum", `unknown command "rum": did you mean run?`},
		{"completion bash x", `jacquard completion bash: unexpected argument "x": want no arguments`},
		{"help nosuch", unknown("nosuch")},
		{"help polices", `unknown command "polices": did you mean policies?`},
		{"help trace nosuch", `unknown command "nosuch": want diff, export, filter, play or show`},
		{"help run nosuch", `unknown command "nosuch": see jacquard run --help`},
		{"trace bogus", `unknown command "bogus": want diff, export, filter, play or show`},
		{"trace shw", `unknown command "shw": did you mean show?`},
		{"completion tcsh", `unknown command "tcsh": want bash, fish, powershell or zsh`},
		{"--bogus", "unknown flag: --bogus: see jacquard --help"},
		{"dis", "jacquard dis wants one file, or --words: see jacquard dis --help"},
		{"dis a b", `jacquard dis: unexpected argument "b": want one file, or --words`},
		{"dis --words a", `jacquard dis: unexpected argument "a": want no file with --words`},
		{"dis --words --arch sm_20", `--arch: unknown architecture "sm_20": want sm_10, sm_11, sm_12 or sm_13`},
		{"dis --words --syntax intel", `--syntax "intel": want envy or sass`},
		{"info", "jacquard info wants one file: see jacquard info --help"},
		{"verify", "jacquard verify wants at least one vector file: see jacquard verify --help"},
		{"verify --first -1 x", `invalid argument "-1" for "--first" flag: invalid syntax: see jacquard verify --help`},
		{"exec", "jacquard exec wants a program to run: see jacquard exec --help"},
		{"exec --device gtx999 -- true", `--device: unknown value "gtx999": want 8800gtx, 9800gx2, gt240, gtx280 or c1060, or several with commas between`},
		{"exec --policy magic -- true", `--policy: unknown value "magic": want ` + simt.WantPolicy("magic")},
		{"run", "jacquard run wants a cubin and a kernel: see jacquard run --help"},
		{"run --stats maybe x", `--stats: unknown value "maybe": want on, off or a file that ends in .json, .csv or .parquet, with :tags behind it to count uniform and affine operands or :costs to count replays and spills`},
		{"policies x", `jacquard policies: unexpected argument "x": want no arguments`},
		{"bench --json --markdown", "--json does not go with --markdown"},
		{"bench fib", `no benchmark is called "fib": want vecadd, saxpy, matmul, mandelbrot, nested, collatz, transpose, xorshift, crc32, i64mix, sfumix, nbody, histogram, bitonic, bisection, textureconv, intervals, wide, misaligned, launches, classes or costs`},
	} {
		t.Run(c.args, func(t *testing.T) {
			a := jacquard(strings.Fields(c.args)...)
			require.Equal(t, answer{2, "", "jacquard: " + c.want + "\n"}, a)
		})
	}
}

func TestVersion(t *testing.T) {
	require.Regexp(t, `^jacquard \S.*, go1\.\S+ \w+/\w+\n$`, fine(t, "version"))
}

func TestPolicies(t *testing.T) {
	require.Regexp(t, `(?m)^nvidia  .* \(default\)$`, fine(t, "policies"))
	require.Contains(t, fine(t, "policies", "--json"), `{"name":"nvidia",`)
}

func TestKnobsInTheEnvironment(t *testing.T) {
	t.Setenv("JACQUARD_DEVICE", "gtx999")
	const want = `JACQUARD_DEVICE: unknown value "gtx999": want 8800gtx, 9800gx2, gt240, gtx280 or c1060, or several with commas between`
	for _, args := range [][]string{{"exec", "--", "true"}, {"run", "x"}} {
		require.Equal(t, answer{2, "", "jacquard: " + want + "\n"}, jacquard(args...))
	}
	require.Contains(t, fine(t, "run", "--device", "gtx280", kernel("vecadd", "sm_10.cubin"), "--grid", "1",
		"--arg", "ptr:0", "--arg", "ptr:0", "--arg", "ptr:0", "--arg", "u32:0"), "vecadd")
}
