package cli_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// build compiles C source with flags and returns the file.
func build(t *testing.T, name, source string, flags ...string) string {
	t.Helper()
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("needs a C compiler called cc")
	}
	file := filepath.Join(t.TempDir(), name)
	out, err := exec.Command("cc", append([]string{temporary(t, "x.c", source), "-o", file}, flags...)...).CombinedOutput()
	require.NoError(t, err, string(out))
	return file
}

// Doctor looks where LD_LIBRARY_PATH and LD_PRELOAD say, each by its own rules.
func TestDoctorReadsTheEnvironment(t *testing.T) {
	dir := simulator(t)
	program := filepath.Join(dir, "vectoradd")
	other := build(t, "libcuda.so.1", "int cuInit(unsigned f) { return f; }", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1")

	t.Setenv("LD_LIBRARY_PATH", filepath.Dir(other))
	t.Setenv("LD_PRELOAD", "")
	text := fine(t, "doctor", "--lib", dir, program)
	require.Contains(t, text, "libcuda now  "+other+"\n")
	require.Contains(t, text, "note         without jacquard exec it binds to "+other+"\n")

	t.Setenv("LD_LIBRARY_PATH", "")
	t.Setenv("LD_PRELOAD", other)
	a := jacquard("doctor", "--lib", dir, program)
	require.Equal(t, 1, a.status)
	require.Contains(t, a.out, "libcuda now  "+other+"\n")
	require.Contains(t, a.out, "problem      LD_PRELOAD makes the loader take "+other+": unset it\n")
}

func TestDoctorNamesAbsentLibraries(t *testing.T) {
	dir := simulator(t)
	runtime := build(t, "libcudart.so.4", "int cudaFree(void *p) { return !p; }", "-shared", "-fPIC", "-Wl,-soname,libcudart.so.4")
	program := build(t, "program", "int cudaFree(void *p); int main(void) { return !cudaFree(0); }", runtime)
	const want = "it links libcudart.so.4, which the loader does not find: NVIDIA's CUDA Toolkit 4.x has it"
	a := jacquard("doctor", "--lib", dir, program)
	require.Equal(t, 1, a.status)
	require.Regexp(t, `\nproblem +`+want+"\n", a.out)
	require.Regexp(t, `\nverdict +cannot run on the simulator\n`, a.out)
	require.Equal(t, answer{125, "", "jacquard: " + program + " cannot run on the simulator: " + want + "\n"},
		jacquard("exec", "--lib", dir, "--", program), "exec says it itself")

	t.Setenv("LD_LIBRARY_PATH", filepath.Dir(runtime))
	require.Regexp(t, `\nverdict +runs on the simulator under jacquard exec\n`, fine(t, "doctor", "--lib", dir, program))
}

// A module of Python is no program, and need not be executable.
func TestDoctorOfSharedObjects(t *testing.T) {
	dir := simulator(t)
	module := build(t, "_driver.so", "int cuInit(unsigned); int start(void) { return cuInit(0); }", "-shared", "-fPIC", "-L"+dir, "-lcuda")
	require.NoError(t, exec.Command("chmod", "a-x", module).Run())
	text := fine(t, "doctor", "--lib", dir, module)
	require.Contains(t, text, "program      "+module+", a 64-bit x86-64 shared object\n")
	require.Contains(t, text, "verdict      binds to the simulator in a program that runs under jacquard exec\n")
	require.NoError(t, exec.Command("chmod", "a+x", module).Run())
	require.Equal(t, answer{125, "", "jacquard: " + module + " is a shared object: give the program that loads it\n"},
		jacquard("exec", "--lib", dir, "--", module))
}
