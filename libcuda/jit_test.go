package main_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// ptx is the folder of the driver's PTX.
const ptx = "driver/testdata/ptx"

// cached makes a program that a test runs use a cache.
const cached = "CUDA_CACHE_DISABLE=0"

// TestJIT runs a program that brings PTX, also when machine code is ignored, without a home, and
// with no place for the cache.
func TestJIT(t *testing.T) {
	exe := compile(t, "jit.c")
	home := t.TempDir()
	for name, env := range map[string][]string{
		"a home":         {"HOME=" + home, "XDG_CACHE_HOME="},
		"a home again":   {"HOME=" + home, "XDG_CACHE_HOME="},
		"forced":         {"CUDA_FORCE_PTX_JIT=1", "CUDA_CACHE_PATH=" + t.TempDir()},
		"no cache":       {"CUDA_CACHE_DISABLE=1"},
		"no home":        {"HOME=", "XDG_CACHE_HOME="},
		"no such folder": {"CUDA_CACHE_PATH=/dev/null/nothing"},
		"no room":        {"CUDA_CACHE_PATH=" + t.TempDir(), "CUDA_CACHE_MAXSIZE=10"},
		"a device":       {"CUDA_CACHE_PATH=/dev/full"},
	} {
		t.Run(name, func(t *testing.T) { requirePassed(t, append([]string{cached}, env...), exe, ptx) })
	}
	files, err := filepath.Glob(filepath.Join(home, ".cache", "jacquard-ptx", "*.code"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	require.NoError(t, os.Truncate(files[0], 50))
	requirePassed(t, []string{cached, "HOME=" + home, "XDG_CACHE_HOME="}, exe, ptx)
}

// TestCacheWithoutFiles checks that a program that may write no file goes without a cache.
func TestCacheWithoutFiles(t *testing.T) {
	dir := t.TempDir()
	stderr := requirePassed(t, []string{cached, "CUDA_CACHE_PATH=" + dir}, compile(t, "host.c", "-std=gnu99"), "files", filepath.Join(ptx, "vecadd.ptx"))
	require.Equal(t, "answer 0\n", stderr)
	files, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	require.NoError(t, err)
	require.Empty(t, files)
}

// TestOneCache has several programs use one cache that is too small for them.
func TestOneCache(t *testing.T) {
	exe := compile(t, "jit.c")
	env := []string{cached, "CUDA_CACHE_PATH=" + t.TempDir(), "CUDA_CACHE_MAXSIZE=1500"}
	var done sync.WaitGroup
	for range 8 {
		done.Go(func() {
			if stdout, stderr, err := run(t, env, exe, ptx); err != nil || stdout != "PASSED\n" {
				t.Errorf("%v %s%s", err, stdout, stderr)
			}
		})
	}
	done.Wait()
}

func TestNoJIT(t *testing.T) {
	exe := compile(t, "jit.c")
	stdout, stderr, err := run(t, []string{"CUDA_DISABLE_PTX_JIT=1"}, exe, ptx)
	require.Error(t, err)
	require.Contains(t, stdout, "answered 209, not 0")
	require.Contains(t, stderr, "CUDA_DISABLE_PTX_JIT=1 keeps PTX from being compiled")
}

// TestPrinted runs a program whose kernel prints, with a pipe for its standard output.
func TestPrinted(t *testing.T) {
	stdout, stderr, err := run(t, nil, compile(t, "printed.c"), filepath.Join(ptx, "say.ptx"))
	require.NoError(t, err, "%s", stderr)
	require.Equal(t, "before\nthread  0 of 2: constant, a, 0x100000000%\nthread  1 of 2: words, b, 0x200000000%\nPASSED\n", stdout)
}
