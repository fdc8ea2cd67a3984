package cli_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// nullSum returns the command line of a program whose kernel accesses null pointers, and the folder
// of the library.
func nullSum(t *testing.T) (dir string, program []string) {
	t.Helper()
	dir = simulator(t)
	path := filepath.Join(t.TempDir(), "nullsum")
	out, err := exec.Command("cc", "-I"+filepath.Join(root, "libcuda/include"), "testdata/nullsum.c", "-o", path, "-L"+dir, "-lcuda").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return dir, []string{path, filepath.Join(dir, "vectoradd.cubin")}
}

// check runs jacquard check on a program of the driver in dir.
func check(dir string, program []string, flags ...string) answer {
	args := append([]string{"check", "--lib", dir}, flags...)
	return jacquard(append(append(args, "--"), program...)...)
}

func TestCheck(t *testing.T) {
	dir, program := nullSum(t)
	a := check(dir, program, "--checks", "memory,sync")
	require.Equal(t, 3, a.status, a.err)
	require.Empty(t, a.out)
	require.Contains(t, a.err, "jacquard: "+program[0]+" was checked on the simulator\n"+
		"error: memory null global, 9 times: ")
	require.Contains(t, a.err, "  kernel vecadd, launch 0\n  read of 4 bytes at global 0x0\n    0x48: ld b32 $r1 g14[$r1]\n    by block (0,0), threads 0-8 (warp 0, lanes 0-8)\n")
	require.True(t, strings.HasSuffix(a.err, "\n1 error; checked: memory, sync\n"), a.err)

	// What is not wanted is not found.
	for _, flags := range [][]string{{"--checks", "sync"}, {"--kernel", "other"}, {"--kernel-exclude", "vec*"}} {
		a = check(dir, program, append([]string{"--checks", "memory,sync"}, flags...)...)
		require.Zero(t, a.status, a.err)
		require.Contains(t, a.err, "\nno mistakes found; checked: ")
	}
	a = check(dir, []string{filepath.Join(dir, "vectoradd")}, "--checks", "memory,sync")
	require.Zero(t, a.status, a.err)
	require.Contains(t, a.out, "0 wrong: PASSED")
}

// The program's status counts if it is not 0, and a killed program leaves what was found.
func TestCheckStatus(t *testing.T) {
	dir, program := nullSum(t)
	for argument, want := range map[string]int{"": 5, "0": 5, "7": 7, "kill": 137} {
		p := program
		if argument != "" {
			p = append(p[:2:2], argument)
		}
		a := check(dir, p, "--error-exitcode", "5", "--checks", "memory,sync")
		require.Equal(t, want, a.status, a.err)
		require.Contains(t, a.err, "1 error; checked")
		require.Equal(t, argument == "kill", strings.Contains(a.err, "the program did not come to its end"), a.err)
		require.Equal(t, argument == "kill", strings.Contains(a.err, "was ended by signal 9, killed"), a.err)
	}
	a := jacquard("check", "--lib", dir, "--", "true")
	require.Equal(t, 1, a.status)
	require.Contains(t, a.err, "true never started the simulator")
	require.Equal(t, 125, jacquard("check", "--lib", dir, "--", "./no such program").status)
}

func TestCheckFiles(t *testing.T) {
	dir, program := nullSum(t)
	file := func(name string) string { return filepath.Join(t.TempDir(), name) }
	text, js, sarif, junit, known := file("o"), file("j"), file("s"), file("x"), file("k")
	a := check(dir, program, "--checks", "memory", "--format", "compute-sanitizer", "-o", text, "--json", js, "--sarif", sarif, "--junit", junit, "--write-suppressions", known)
	require.Equal(t, 3, a.status, a.err)
	require.NotContains(t, a.err, "error:")
	read := func(path string) string {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		return string(data)
	}
	require.Equal(t, "========= COMPUTE-SANITIZER\n========= Invalid __global__ read of size 4 bytes\n=========     at vecadd+0x48\n"+
		"=========     by thread (0,0,0) in block (0,0,0)\n=========     Address 0x0 is out of bounds\n=========\n========= ERROR SUMMARY: 1 error\n", read(text))
	var report struct{ Errors int }
	require.NoError(t, json.Unmarshal([]byte(read(js)), &report))
	require.Equal(t, 1, report.Errors)
	require.Contains(t, read(sarif), `"ruleId": "memory/null"`)
	require.Contains(t, read(junit), `failures="1"`)
	require.Contains(t, read(known), "\nmemory null global kernel=vecadd\n")
	a = check(dir, program, "--checks", "memory", "--suppressions", known)
	require.Zero(t, a.status, a.err)
	require.Contains(t, a.err, "no mistakes found, 1 suppressed; checked: memory\n")
}

// A page has a player if there is a trace, with a button for the place.
func TestCheckPage(t *testing.T) {
	dir, program := nullSum(t)
	page, recorded := filepath.Join(t.TempDir(), "p.html"), filepath.Join(t.TempDir(), "t.jqt")
	for _, flags := range [][]string{{}, {"--trace", recorded + ":values=addr"}} {
		a := check(dir, program, append([]string{"--checks", "memory", "--html", page}, flags...)...)
		require.Equal(t, 3, a.status, a.err)
		data, err := os.ReadFile(page)
		require.NoError(t, err)
		require.Contains(t, string(data), "<h2 id=\"finding-1-h\"><span class=\"level\">error</span> memory null global")
		require.Contains(t, string(data), "<mark><i>0x48</i>ld b32 $r1 g14[$r1]</mark>")
		require.Equal(t, len(flags) > 0, strings.Contains(string(data), ` data-visit="0 0 0 `), flags)
		require.Equal(t, len(flags) > 0, strings.Contains(string(data), "<script>"))
	}
}

func TestCheckUsage(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none", "f")
	bad := filepath.Join(t.TempDir(), "bad")
	require.NoError(t, os.WriteFile(bad, []byte("races\n"), 0o666))
	for want, flags := range map[string][]string{
		`--checks "rac": want memory, race, init, sync, api or leak`:    {"--checks", "rac"},
		`--checks "off": want memory`:                                   {"--checks", "off"},
		`--format "xml": want text, compute-sanitizer or cuda-memcheck`: {"--format", "xml"},
		`--warp-synchronous "on": want yes or no`:                       {"--warp-synchronous", "on"},
		`--by "pc": want line or instruction`:                           {"--by", "pc"},
		"--kernel /(/: ":                                                {"--kernel", "/(/"},
		"--json cannot be written: ":                                    {"--json", missing},
		bad + `:1: "races" is no kind of finding`:                       {"--suppressions", bad},
		"is a file that is read: name another":                          {"--suppressions", bad, "--json", bad},
	} {
		a := jacquard(append(append([]string{"check"}, flags...), "--", "true")...)
		require.NotZero(t, a.status)
		require.Contains(t, a.err, want)
	}
	require.Equal(t, 2, jacquard("check").status)
}

// The driver of a command reports what the flag asks for.
func TestRunChecks(t *testing.T) {
	a := jacquard("run", filepath.Join(root, "testdata/demo/vectoradd.cubin"), "--check", "memory", "--block", "64", "--arg", "ptr:0", "--arg", "ptr:0", "--arg", "ptr:0", "--arg", "u32:9")
	require.Equal(t, 1, a.status)
	require.Contains(t, a.err, "error: memory null global, 9 times: ")
	path := filepath.Join(t.TempDir(), "found")
	a = jacquard("run", filepath.Join(root, "testdata/demo/vectoradd.cubin"), "--check", "all", "--check-report", path, "--block", "64", "--arg", "ptr:0", "--arg", "ptr:0", "--arg", "ptr:0", "--arg", "u32:9")
	require.Equal(t, 1, a.status)
	require.NotContains(t, a.err, "memory null")
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(data), `"what":"null"`)
}
