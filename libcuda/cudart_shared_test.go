package main_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// cudart is a runtime library.
type cudart struct {
	version string // CUDART_VERSION
	name    string // of the file
}

// cudarts are all runtime libraries; there is no 32-bit one of release 10.
var cudarts = []cudart{
	{"2030", "libcudart.so.2"}, {"3020", "libcudart.so.3"}, {"4020", "libcudart.so.4"}, {"10000", "libcudart.so.10.0"},
}

// cudartBuilt are the runtime libraries that all tests of a run share.
var cudartBuilt struct {
	once sync.Once
	dir  string
	err  error
}

// cudartFolder builds the runtime libraries as runtime.mk does and returns their folder.
func cudartFolder(t testing.TB) string {
	t.Helper()
	compiler(t, "CC", "cc")
	cudartBuilt.once.Do(func() { cudartBuilt.dir, cudartBuilt.err = buildCudart() })
	require.NoError(t, cudartBuilt.err)
	return cudartBuilt.dir
}

func buildCudart() (string, error) {
	dir, err := os.MkdirTemp("", "cudart")
	if err != nil {
		return "", err
	}
	builds = append(builds, dir)
	build := exec.Command("make", "-s", "-C", "..", "runtime", "RUNTIMEDIR="+dir)
	if narrow() {
		build = exec.Command("make", "-s", "-C", "..", "runtime32", "RUNTIMEDIR32="+dir)
	}
	if out, err := build.CombinedOutput(); err != nil {
		return dir, errors.New(string(out))
	}
	return dir, nil
}

// forCudarts runs a test with each runtime library.
func forCudarts(t *testing.T, test func(t *testing.T, c cudart)) {
	for _, c := range cudarts {
		if !narrow() || c.version != "10000" {
			t.Run(c.version, func(t *testing.T) { test(t, c) })
		}
	}
}

// compile makes an executable of a program of testdata/c, linked with the runtime library, and
// returns its path.
func (c cudart) compile(t testing.TB, source string, flags ...string) string {
	t.Helper()
	exe := filepath.Join(t.TempDir(), strings.TrimSuffix(source, filepath.Ext(source)))
	args := append([]string{"-O1", "-D_GNU_SOURCE", "-DCUDART_VERSION=" + c.version, "-I../toolkit/include", "-Iinclude"}, strict...)
	if narrow() {
		args = append(args, "-m32")
	}
	args = append(args, flags...)
	args = append(args, filepath.Join(programs, source), "-o", exe, filepath.Join(cudartFolder(t), c.name),
		"-L"+library(t), "-Wl,--as-needed", "-lcuda", "-lpthread", "-ldl")
	out, err := exec.Command(compiler(t, "CC", "cc"), args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return exe
}

// environment lets programs find the runtime library and the driver.
func (c cudart) environment(t testing.TB) []string {
	return []string{"LD_LIBRARY_PATH=" + library(t) + ":" + cudartFolder(t)}
}

// requirePassed runs a program that must print PASSED, and returns what it wrote to standard error.
func (c cudart) requirePassed(t *testing.T, exe string, args ...string) string {
	t.Helper()
	return requirePassed(t, c.environment(t), exe, args...)
}
