package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGeneratedFilesAreCurrent(t *testing.T) {
	for name, table := range tables {
		t.Run(name, func(t *testing.T) {
			folder := "../../../libcuda/driver"
			if table.pkg != "driver" {
				folder = filepath.Join(folder, table.pkg)
			}
			data, err := os.ReadFile(filepath.Join(folder, name+".csv"))
			require.NoError(t, err)
			want, err := os.ReadFile(filepath.Join(folder, name+"_gen.go"))
			require.NoError(t, err)
			t.Chdir(t.TempDir())
			require.NoError(t, os.WriteFile(name+".csv", data, 0o666))
			require.NoError(t, generate(name))
			got, err := os.ReadFile(name + "_gen.go")
			require.NoError(t, err)
			require.True(t, string(want) == string(got), "run make generate")
		})
	}
	require.Error(t, generate("no such table"))
}
