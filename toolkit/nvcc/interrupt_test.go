package nvcc

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// built builds the toolkit's program as nvcc.
func built(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "bin", "nvcc")
	build := exec.Command("go", "build", "-o", program, "jacquard/cmd/toolkit")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return program
}

// A signal ends nvcc, and the program that it runs, and leaves no files.
func TestInterrupt(t *testing.T) {
	program := built(t)
	clang := filepath.Join(t.TempDir(), "clang++")
	require.NoError(t, os.WriteFile(clang, []byte("#!/bin/sh\ntouch \"$STARTED\"\nexec sleep 60\n"), 0o777))
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(s) { // as under nohup, and then by all that the test starts
			continue
		}
		folder, started := t.TempDir(), filepath.Join(t.TempDir(), "started")
		c := exec.Command(program, "-c", "k.cu")
		c.Env = append(os.Environ(), "TMPDIR="+folder, "STARTED="+started, clangVariable+"="+clang)
		require.NoError(t, c.Start())
		require.Eventually(t, func() bool {
			_, err := os.Stat(started)
			return err == nil
		}, time.Minute, time.Millisecond)
		require.NoError(t, c.Process.Signal(s))
		var ended *exec.ExitError
		require.ErrorAs(t, c.Wait(), &ended)
		status := ended.Sys().(syscall.WaitStatus)
		require.True(t, status.Signaled(), "%s: %s", s, ended)
		require.Equal(t, s, status.Signal())
		left, err := os.ReadDir(folder)
		require.NoError(t, err)
		require.Empty(t, left, s)
	}
}

// The program that -run starts finds the libraries of the toolkit and of the user's path.
func TestRunFindsLibraries(t *testing.T) {
	toolkit := small(t)
	lib := t.TempDir()
	driver := filepath.Join(lib, "libcuda.so.1")
	require.NoError(t, os.WriteFile(driver, nil, 0o666))
	require.NoError(t, os.Symlink(driver, filepath.Join(toolkit.library(), "libcuda.so")))
	t.Setenv("LD_LIBRARY_PATH", "/mine")
	write(t, "p.cpp", "#include <stdio.h>\n#include <stdlib.h>\nint main() { puts(getenv(\"LD_LIBRARY_PATH\")); }\n")
	require.Equal(t, lib+":"+toolkit.library()+":/mine\n", nvcc(t, toolkit, "-cudart none -run p.cpp"))
}
