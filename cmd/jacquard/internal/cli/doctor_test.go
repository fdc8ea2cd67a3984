package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
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

// Doctor reports a system that refuses executable memory. The test's child simulates one: Linux
// lets a process give up executable memory.
func TestDoctorWithoutHostCode(t *testing.T) {
	dir := simulator(t)
	const child = "CLI_TEST_CHILD"
	if os.Getenv(child) == "" {
		c := exec.Command(os.Args[0], "-test.run=^TestDoctorWithoutHostCode$", "-test.v")
		c.Env = append(os.Environ(), child+"=1")
		out, err := c.CombinedOutput()
		require.NoError(t, err, string(out))
		if strings.Contains(string(out), "--- SKIP") {
			t.Skip("needs Linux 6.3, on a processor with AVX2")
		}
		return
	}
	if _, _, failed := syscall.Syscall6(syscall.SYS_PRCTL, prSetMDWE, refuseExecGain, 0, 0, 0, 0); failed != 0 {
		t.Skip(failed)
	}
	text := fine(t, "doctor", "--lib", dir, filepath.Join(dir, "vectoradd"))
	if strings.Contains(text, "this processor cannot run") {
		t.Skip(text)
	}
	require.Contains(t, text, "note         kernels run in the interpreter, ten times slower: "+
		"no code for avx2 can be made at run time: protect 1 bytes of executable memory: permission denied\n")
	require.Contains(t, text, "verdict      runs on the simulator under jacquard exec\n")

	run := []string{"run", filepath.Join(dir, "vectoradd.cubin"), "--block", "1", "--arg", "buf:4", "--arg", "buf:4", "--arg", "buf:4", "--arg", "u32:1"}
	fine(t, run...)
	a := jacquard(append(run, "--simd", "avx2")...)
	require.NotZero(t, a.status)
	require.Contains(t, a.err, "JACQUARD_SIMD: no code for avx2 can be made at run time")
}

const (
	prSetMDWE      = 65
	refuseExecGain = 1
)

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
	const want = "it links libcudart.so.4, which the loader does not find: make runtime builds it"
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
