package cli_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/board/mirror"
)

// otherBuild returns a copy of the simulator's library.
func otherBuild(t *testing.T, dir string) string {
	t.Helper()
	other := t.TempDir()
	for _, name := range []string{"libcuda.so.1", "libjacquard.so.1"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(other, name), data, 0o777))
	}
	return filepath.Join(other, "libcuda.so.1")
}

func TestCrosscheck(t *testing.T) {
	dir := simulator(t)
	program := filepath.Join(dir, "vectoradd")
	other := otherBuild(t, dir)
	a := jacquard("crosscheck", "--lib", dir, "--against", other, "--", program)
	require.Zero(t, a.status, a.err)
	require.Contains(t, a.out, "10000 sums, 0 wrong: PASSED\n")
	require.Equal(t, "jacquard: crosscheck: against "+other+", CUDA 6.5, GeForce GTX 280 (compute capability 1.3)\n"+
		"jacquard: crosscheck: no difference; 1 of 1 launches ran on both, 120000 bytes compared\n", a.err)

	a = jacquard("crosscheck", "--lib", dir, "--against", other, "--every", "end", "--device", "gt240", "--json", "--", program)
	require.Zero(t, a.status, a.err)
	require.Contains(t, a.err, "PASSED")
	var r mirror.Report
	require.NoError(t, json.Unmarshal([]byte(a.out), &r))
	require.Equal(t, [2]int{1, 1}, [2]int{r.Launches, r.Compared})
	require.True(t, r.Ended)
	require.Equal(t, []string{"GeForce GT 240 (compute capability 1.2)"}, r.Devices)
}

func TestCrosscheckErrors(t *testing.T) {
	dir := simulator(t)
	program := filepath.Join(dir, "vectoradd")
	own := filepath.Join(dir, "libcuda.so.1")
	text := filepath.Join(t.TempDir(), "text")
	require.NoError(t, os.WriteFile(text, nil, 0o666))
	for _, c := range []struct {
		args   []string
		status int
		err    string // its end
	}{
		{[]string{"--against", "/nowhere/libcuda.so.1", "--", program}, 2, "--against /nowhere/libcuda.so.1: there is no such file: name the library itself, as in DIR/libcuda.so.1\n"},
		{[]string{"--against", own, "--every", "0", "--", program}, 2, "--every \"0\": want a number above 0, or end\n"},
		{[]string{"--against", own, "--ptx", "/nowhere", "--", program}, 2, "--ptx: stat /nowhere: no such file or directory\n"},
		{[]string{"--against", own, "--", program}, 1, "jacquard: nothing was compared: " + own + ": this library is in use by the process already, and would be compared with itself: name another, or a copy\n"},
		{[]string{"--against", otherBuild(t, dir), "--", "/bin/true"}, 1, "jacquard: /bin/true never started the simulator: see jacquard doctor /bin/true\n"},
		{nil, 2, "jacquard crosscheck wants a program to run: see jacquard crosscheck --help\n"},
	} {
		a := jacquard(append([]string{"crosscheck", "--lib", dir}, c.args...)...)
		require.Equal(t, c.status, a.status, "%s", a.err)
		require.True(t, strings.HasSuffix(a.err, c.err), "%s", a.err)
	}

	// A program that is killed.
	source := filepath.Join(t.TempDir(), "killed.c")
	require.NoError(t, os.WriteFile(source, []byte("#include <cuda.h>\n#include <unistd.h>\nint main(void) { cuInit(0); _exit(0); }\n"), 0o666))
	killed := strings.TrimSuffix(source, ".c")
	out, err := exec.Command("cc", "-I"+filepath.Join(root, "libcuda/include"), source, "-o", killed, "-L"+dir, "-lcuda").CombinedOutput()
	require.NoError(t, err, "%s", out)
	a := jacquard("crosscheck", "--lib", dir, "--against", otherBuild(t, dir), "--", killed)
	require.Equal(t, 1, a.status)
	require.Regexp(t, `(?m)^jacquard: .*/killed \(process \d+\) was killed, or left by _exit: its cross-check has no result$`, a.err)

	// A library that is no libcuda.
	a = jacquard("crosscheck", "--lib", dir, "--against", text, "--", program)
	require.Equal(t, 1, a.status)
	require.Contains(t, a.err, "nothing was compared: "+text+": this is no library: name a libcuda, as in DIR/libcuda.so.1")
}
