package main_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// vecadd is a kernel that adds two vectors, for blocks of 64.
const vecadd = "../testdata/mesa-kernels/vecadd/sm_10.cubin"

func TestOldStyle(t *testing.T) {
	requirePassed(t, nil, compile(t, "oldstyle.c", "-DCUDA_FORCE_API_VERSION=2030"), vecadd)
}

func TestNewStyle(t *testing.T) {
	requirePassed(t, nil, compile(t, "newstyle.c"), vecadd)
	requirePassed(t, nil, compile(t, "newstyle.c", "-DCUDA_VERSION=4000"), vecadd)
}

func TestCPlusPlus(t *testing.T) {
	t.Setenv("CC", compiler(t, "CXX", "c++"))
	requirePassed(t, nil, compile(t, "newstyle.c", "-xc++", "-std=c++98"), vecadd)
}

func TestLookup(t *testing.T) {
	exe := compile(t, "lookup.c")
	for _, name := range []string{"libcuda.so.1", "libcuda.so", filepath.Join(library(t), "libcuda.so.1")} {
		requirePassed(t, nil, exe, name)
	}
}

func TestFork(t *testing.T) {
	stderr := requirePassed(t, nil, compile(t, "fork.c"))
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	require.Len(t, lines, 3, "each child says why, once")
	for _, line := range lines {
		require.Equal(t, "jacquard: cuDeviceGetCount: a forked child cannot use the simulator; start it as a new program (exec)", line)
	}
}

func TestThreads(t *testing.T) {
	requirePassed(t, nil, compile(t, "threads.c"), vecadd)
}

func TestMemoryLimit(t *testing.T) {
	stderr := requirePassed(t, nil, compile(t, "memorylimit.c", "-std=gnu99"))
	require.Contains(t, stderr, "jacquard: the system has no memory for 734003200 bytes of device memory")
}

// TestOverrun runs a program with a kernel that passes the end of an allocation, which works on a
// board.
func TestOverrun(t *testing.T) {
	exe := compile(t, "overrun.c")
	stderr := requirePassed(t, []string{"JACQUARD_MEMORY=board"}, exe, vecadd, "board")
	lines := strings.Split(stderr, "\n")
	require.Len(t, lines, 3, "once for two launches, and the fault of a third")
	require.Regexp(t, `^jacquard: kernel vecadd reaches beyond an allocation: .*, 4 bytes beyond the 96 bytes at `, lines[0])
	require.Regexp(t, `^jacquard: illegal address in kernel vecadd, .* \(unmapped address\)$`, lines[1])
	stderr = requirePassed(t, []string{"JACQUARD_MEMORY=exact"}, exe, vecadd, "exact")
	require.Regexp(t, `^jacquard: illegal address in kernel vecadd, .* \(address out of range\)\n$`, stderr)
}

func TestContexts(t *testing.T) {
	requirePassed(t, nil, compile(t, "contexts.c"), vecadd)
}

// textures has a kernel that samples a texture and one that adds 1 to a word.
const textures = "driver/testdata/textures.cubin"

func TestArrays(t *testing.T) {
	requirePassed(t, nil, compile(t, "arrays.c", "-DCUDA_FORCE_API_VERSION=2030"), textures)
	requirePassed(t, nil, compile(t, "arrays.c"), textures)
}

func TestMapped(t *testing.T) {
	requirePassed(t, nil, compile(t, "mapped.c", "-DCUDA_FORCE_API_VERSION=2030"), textures)
	stderr := requirePassed(t, nil, compile(t, "mapped.c"), textures)
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	require.Len(t, lines, 5)
	require.Equal(t, "jacquard: host address 0x1000, given by the program, cannot be accessed", lines[0])
	require.Regexp(t, "^jacquard: kernel increment: host address 0x[0-9a-f]+, given by the program, cannot be accessed$", lines[1])
	for _, line := range lines[2:] {
		require.Regexp(t, "^jacquard: host address 0x[0-9a-f]+, given by the program, cannot be accessed$", line)
	}
}

// TestSharing runs a program whose kernels work on OpenGL's objects, if there is an OpenGL.
func TestSharing(t *testing.T) {
	for _, flag := range []string{"-DCUDA_FORCE_API_VERSION=3010", "-DCUDA_VERSION=4010"} {
		stdout, stderr, err := run(t, nil, compile(t, "sharing.c", flag), textures)
		const skipped = 77
		if exit, ended := errors.AsType[*exec.ExitError](err); ended && exit.ExitCode() == skipped {
			t.Skip(stderr)
		}
		require.NoError(t, err, "%s%s", stdout, stderr)
		require.Equal(t, "PASSED\n", stdout, "%s", stderr)
	}
}

func TestManagement(t *testing.T) {
	requirePassed(t, nil, compile(t, "management.c"), vecadd)
}

func TestNulls(t *testing.T) {
	requirePassed(t, nil, compile(t, "nulls.c"), vecadd)
}

// TestZeros calls every symbol with zeros. Each must return. The golden file has the codes before
// cuInit, after it, and with a current context.
func TestZeros(t *testing.T) {
	stdout, stderr, err := run(t, nil, compile(t, "zeros_gen.c"))
	require.NoError(t, err, "%s%s", stdout, stderr)
	require.NotContains(t, stderr, "internal error")
	requireGolden(t, "zeros.golden", stdout)
}

// TestLowPointers calls every symbol with pointers into the first page. Each must answer an invalid
// value; the exception looks an address up.
func TestLowPointers(t *testing.T) {
	stdout, stderr, err := run(t, nil, compile(t, "pointers_gen.c"))
	require.NoError(t, err, "%s%s", stdout, stderr)
	const unregistered = "cuMemHostUnregister p "
	require.Equal(t, unregistered+"1: 713\n"+unregistered+"8: 713\n"+unregistered+"4095: 713\n624 calls\n", stdout)
	require.Equal(t, 1, strings.Count(stderr, "address 0x8,"), "one line for each address: %s", stderr)
}

// TestLowPointersCollected does so while the garbage collector looks at the stacks of such calls.
func TestLowPointersCollected(t *testing.T) {
	requirePassed(t, nil, compile(t, "lowpointers.c"), "../testdata/ptx/vecadd.ptx")
}

// TestRandom calls random symbols. Each must return a code of the interface.
func TestRandom(t *testing.T) {
	exe := compile(t, "random.c", "-std=gnu99")
	for _, c := range []struct{ seed, threads, calls string }{{"1", "1", "5000"}, {"2", "1", "5000"}, {"10", "8", "1000"}} {
		stderr := requirePassed(t, []string{"JACQUARD_WATCHDOG=20000"}, exe, vecadd, c.seed, c.threads, c.calls)
		require.NotContains(t, stderr, "internal error")
	}
}

func TestInterrupt(t *testing.T) {
	stderr := requirePassed(t, nil, compile(t, "interrupt.c"), filepath.Join(programs, "endless.cubin"))
	require.Regexp(t, `^jacquard: .*interrupted.*endless.*\n$`, stderr)
}

// TestKnobs checks that the library reads its knobs from the environment, and its message for a bad
// one.
func TestKnobs(t *testing.T) {
	exe := compile(t, "contexts.c")
	stdout, stderr, err := run(t, []string{"JACQUARD_DEVICE=voodoo2"}, exe, vecadd)
	require.Error(t, err)
	require.Contains(t, stdout, "cuInit(0) answered 1, not 0")
	require.Regexp(t, `^jacquard: cuInit: JACQUARD_DEVICE: unknown value "voodoo2": want .*\n$`, stderr)

	summary := filepath.Join(t.TempDir(), "summary")
	requirePassed(t, []string{"JACQUARD_SUMMARY=" + summary, "JACQUARD_DEVICE=gt240"}, exe, vecadd)
	lines, err := os.ReadFile(summary)
	require.NoError(t, err)
	require.Contains(t, string(lines), `"devices":["gt240"]`)
}
