package main_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// programs is the folder of the C programs, from here.
const programs = "../testdata/c"

// built is the library that all tests of a run share.
var built struct {
	once sync.Once
	dir  string
	err  error
}

// builds are the folders of all builds, removed at the end of the run.
var builds []string

func TestMain(m *testing.M) {
	code := m.Run()
	for _, dir := range builds {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// library builds the library as lib.mk does and returns its folder. It skips the test without a C
// compiler.
func library(t testing.TB) string {
	t.Helper()
	compiler(t, "CC", "cc")
	built.once.Do(func() { built.dir, built.err = buildLibrary() })
	require.NoError(t, built.err)
	return built.dir
}

// buildLibrary builds the library with additional environment variables.
func buildLibrary(environment ...string) (string, error) {
	dir, err := os.MkdirTemp("", "libcuda")
	if err != nil {
		return "", err
	}
	builds = append(builds, dir)
	build := exec.Command("make", "-s", "-C", "..", "lib", "LIBDIR="+dir)
	if narrow() {
		build = exec.Command("make", "-s", "-C", "..", "lib32", "LIBDIR32="+dir)
	}
	build.Env = append(os.Environ(), environment...)
	if out, err := build.CombinedOutput(); err != nil {
		return dir, errors.New(string(out))
	}
	return dir, nil
}

// copyLibrary copies the library's files to another folder and returns the copy's path. A process
// can load the copy beside the original.
func copyLibrary(t testing.TB, from, to string) string {
	t.Helper()
	for _, name := range []string{"libcuda.so.1", "libjacquard.so.1"} {
		data, err := os.ReadFile(filepath.Join(from, name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(to, name), data, 0o777))
	}
	return filepath.Join(to, "libcuda.so.1")
}

// compiler returns the command in the environment variable, or the usual one, and skips the test if
// there is none.
func compiler(t testing.TB, variable, usual string) string {
	t.Helper()
	name := os.Getenv(variable)
	if name == "" {
		name = usual
	}
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("no compiler: %v; install one or set %s", err, variable)
	}
	return name
}

// strict are the warnings that are errors in our own programs and headers.
var strict = []string{"-Wall", "-Wextra", "-pedantic", "-Werror"}

// compile makes an executable of a program of testdata/c, linked with the library, and returns its
// path.
func compile(t testing.TB, source string, flags ...string) string {
	t.Helper()
	lib := library(t)
	exe := filepath.Join(t.TempDir(), strings.TrimSuffix(source, filepath.Ext(source)))
	args := append([]string{"-O1", "-Iinclude", "-I."}, strict...)
	if narrow() {
		args = append(args, "-m32")
	}
	args = append(args, flags...)
	args = append(args, filepath.Join(programs, source), "-o", exe, "-L"+lib, "-Wl,--as-needed", "-lcuda", "-lpthread", "-ldl", "-lm")
	out, err := exec.Command(compiler(t, "CC", "cc"), args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return exe
}

// narrow reports whether the programs and the library under test are 32-bit ones on a 64-bit host
// (Test32Bit).
func narrow() bool { return runtime.GOARCH == "amd64" && os.Getenv("GOARCH") == "386" }

// run runs a program on the library and returns its output. environment entries are of the form
// NAME=value.
func run(t testing.TB, environment []string, exe string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	return runFor(t, 10*time.Minute, environment, exe, args...)
}

// runFor is run with a time limit, so that a hanging program fails.
func runFor(t testing.TB, limit time.Duration, environment []string, exe string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	command := exec.CommandContext(ctx, exe, args...)
	var out, errs strings.Builder
	command.Stdout, command.Stderr = &out, &errs
	command.Env = append(cleanEnvironment(), "LD_LIBRARY_PATH="+library(t))
	command.Env = append(command.Env, environment...)
	err = command.Run()
	return out.String(), errs.String(), err
}

// cleanEnvironment is this process's environment without our knobs, and without the user's cache.
func cleanEnvironment() []string {
	env := []string{"CUDA_CACHE_DISABLE=1"}
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "JACQUARD_") && !strings.HasPrefix(e, "CUDA_") {
			env = append(env, e)
		}
	}
	return env
}

// requirePassed runs a program that must print PASSED, and returns its standard error.
func requirePassed(t *testing.T, environment []string, exe string, args ...string) string {
	t.Helper()
	stdout, stderr, err := run(t, environment, exe, args...)
	require.NoError(t, err, "%s%s", stdout, stderr)
	require.Equal(t, "PASSED\n", stdout, "%s", stderr)
	return stderr
}

// requireGolden compares text with a golden file of testdata/c.
func requireGolden(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(programs, name)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), text)
}
