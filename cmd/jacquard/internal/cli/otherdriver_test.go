package cli_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// otherDriver builds a libcuda that is no simulator: it takes PTX alone and has 64-bit addresses.
func otherDriver(t *testing.T, flags ...string) string {
	t.Helper()
	simulator(t) // skips without a compiler
	path := filepath.Join(t.TempDir(), "libcuda.so.1")
	args := append([]string{"-shared", "-fPIC", "-I" + filepath.Join(root, "libcuda/include"), "-o", path}, flags...)
	out, err := exec.Command("cc", append(args, filepath.Join(root, "testdata/c/otherdriver.c"))...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return path
}

// A driver of a later GPU takes no code for sm_1x: every command ends, and says so.
func TestAgainstALaterDriver(t *testing.T) {
	dir := simulator(t)
	program, path := filepath.Join(dir, "vectoradd"), recorded(t)
	const refused = "cuModuleLoadDataEx: CUDA_ERROR_NO_BINARY_FOR_GPU: device kernel image is invalid"

	a := jacquard("crosscheck", "--lib", dir, "--against", otherDriver(t), "--", program)
	require.Equal(t, 1, a.status, a.err)
	require.Contains(t, a.out, "PASSED\n")
	require.Contains(t, a.err, refused)
	require.Contains(t, a.err, "jacquard: nothing was compared: none of the program's launches could run on the other driver\n")

	a = jacquard("crosscheck", "--lib", dir, "--against", otherDriver(t), "--ptx", filepath.Join(root, "testdata/ptx"), "--", program)
	require.Zero(t, a.status, a.err)
	require.Contains(t, a.err, "no difference; 1 of 1 launches ran on both, 120000 bytes compared\n")

	a = jacquard("replay", "--against", otherDriver(t), path)
	require.Equal(t, 1, a.status)
	require.Contains(t, a.out, "not compared: the library does not take it: "+refused+"\n")
	require.Equal(t, "jacquard: nothing was compared\n", a.err)

	a = jacquard("probe", "vote", "--against", otherDriver(t))
	require.Equal(t, 1, a.status)
	require.Equal(t, "jacquard: Another GPU is sm_90: probes are for sm_10 to sm_13\n", a.err)
	a = jacquard("probe", "vote", "--arch", "sm_13", "--against", otherDriver(t))
	require.Equal(t, 1, a.status)
	require.Contains(t, a.err, refused)
}

// One that does not even start.
func TestAgainstADriverWithoutADevice(t *testing.T) {
	dir := simulator(t)
	a := jacquard("crosscheck", "--lib", dir, "--against", otherDriver(t, "-DINIT=803"), "--", filepath.Join(dir, "vectoradd"))
	require.Equal(t, 1, a.status, a.err)
	require.Contains(t, a.out, "PASSED\n")
	require.Regexp(t, `(?m)^jacquard: nothing was compared: .*: cuInit: CUDA_ERROR_UNLIKELY: there is no device that it could use$`, a.err)
	for _, args := range [][]string{{"replay", recorded(t)}, {"probe", "vote"}, {"probe", "--op", "add b32", "1", "2"}} {
		a = jacquard(append(args, "--against", otherDriver(t, "-DINIT=100"))...)
		require.Equal(t, 1, a.status)
		require.Regexp(t, `^jacquard: .*/libcuda.so.1: cuInit: CUDA_ERROR_UNLIKELY\n$`, a.err)
	}
}
