package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPageIsCurrent(t *testing.T) {
	want, err := os.ReadFile("../../../docs/divergence.md")
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "divergence.md")
	require.NoError(t, os.WriteFile(path, want, 0o666))
	require.NoError(t, run([]string{path}))
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "run make generate")
}
