package main_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/api"
)

// cudart is a runtime library.
type cudart struct {
	version string // CUDART_VERSION
	name    string // of the file
}

// cudarts are all runtime libraries with a number.
var cudarts = func() (list []cudart) {
	for _, l := range api.RuntimeLibraries {
		list = append(list, cudart{strconv.Itoa(int(l.Version)), "libcudart.so." + l.Suffix})
	}
	return list
}()

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

// forCudarts runs a test with each runtime library; there is no 32-bit one of release 10.
func forCudarts(t *testing.T, test func(t *testing.T, c cudart)) {
	for _, c := range cudarts {
		if !narrow() || c.version != "10000" {
			t.Run(c.version, func(t *testing.T) { test(t, c) })
		}
	}
}

// compile makes an executable of a program of testdata/c, linked with the runtime library if that has
// a name, and returns its path.
func (c cudart) compile(t testing.TB, source string, flags ...string) string {
	t.Helper()
	exe := filepath.Join(t.TempDir(), strings.TrimSuffix(source, filepath.Ext(source)))
	args := append([]string{"-O1", "-D_GNU_SOURCE", "-DCUDART_VERSION=" + c.version, "-I../toolkit/include", "-Iinclude"}, strict...)
	args = append(append(args, kind()...), filepath.Join(programs, source), "-o", exe)
	if c.name != "" {
		args = append(args, filepath.Join(cudartFolder(t), c.name))
	}
	args = append(args, flags...)
	args = append(args, "-L"+library(t), "-Wl,--as-needed", "-lcuda", "-lpthread", "-ldl")
	out, err := exec.Command(compiler(t, "CC", "cc"), args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return exe
}

// compileUnnumbered is compile for programs that ask for a library without a number, as with CUDA
// 1.x and 2.0. It links them with a library that names no other file.
func (c cudart) compileUnnumbered(t testing.TB, source string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	var stub strings.Builder
	_, names := exports(t, "libcudart.so")
	for _, name := range names {
		fmt.Fprintf(&stub, "void %s(void) {}\n", name)
	}
	file := filepath.Join(dir, "stub.c")
	require.NoError(t, os.WriteFile(file, []byte(stub.String()), 0o666))
	out, err := exec.Command(compiler(t, "CC", "cc"), append(kind(), "-shared", "-fPIC", file, "-o", filepath.Join(dir, "libcudart.so"))...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return cudart{version: c.version}.compile(t, source, append(flags, "-Wl,--no-as-needed", "-L"+dir, "-lcudart")...)
}

// kind is the compiler's flag for programs of this test's kind.
func kind() []string {
	if narrow() {
		return []string{"-m32"}
	}
	return nil
}

// environment lets programs find the runtime library and the driver.
func (c cudart) environment(t testing.TB) []string {
	return []string{"LD_LIBRARY_PATH=" + library(t) + ":" + cudartFolder(t)}
}

// requirePassed runs a program that must print PASSED, and returns its standard error.
func (c cudart) requirePassed(t *testing.T, exe string, args ...string) string {
	t.Helper()
	return requirePassed(t, c.environment(t), exe, args...)
}
