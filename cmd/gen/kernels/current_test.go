package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGeneratedFilesAreCurrent(t *testing.T) {
	dir, err := filepath.Abs("../../../simt/lane")
	require.NoError(t, err)
	scratch := t.TempDir() // with the generator's input in its usual place
	require.NoError(t, os.CopyFS(filepath.Join(scratch, "sfu/tables"), os.DirFS(filepath.Join(dir, "../../sfu/tables"))))
	require.NoError(t, os.MkdirAll(filepath.Join(scratch, "simt/lane"), 0o777))
	t.Chdir(filepath.Join(scratch, "simt/lane"))
	main()
	files, err := os.ReadDir(".")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		got, err := os.ReadFile(f.Name())
		require.NoError(t, err)
		want, err := os.ReadFile(filepath.Join(dir, f.Name()))
		require.NoError(t, err)
		require.True(t, string(want) == string(got), "%s: run make generate", f.Name())
	}
}
