package main

import (
	"errors"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRun(t *testing.T) {
	require.EqualError(t, run("gcc", nil), "no such tool: want nvcc, ptxas, fatbinary, cuobjdump, compute-sanitizer or cuda-memcheck")
	for name := range tools {
		require.NoError(t, run(name, []string{"--version"}), name)
		require.NoError(t, run(name, []string{"--help"}), name)
	}
	require.EqualError(t, run("relax", nil), `["relax"] is no step: want locks FROM.ll TO.ll, relax [-roots] FROM.ll TO.ll, or respell OVERLAY FILES`)
}

// A program that failed has its own status; other errors are status 1.
func TestStatus(t *testing.T) {
	require.Zero(t, status("nvcc", nil))
	require.Equal(t, 1, status("nvcc", errors.New("a mistake")))
	failed := exec.Command("sh", "-c", "exit 3").Run()
	require.Equal(t, 3, status("nvcc", failed))
}
