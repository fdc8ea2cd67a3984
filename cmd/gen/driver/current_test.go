package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGeneratedFilesAreCurrent(t *testing.T) {
	const driver = "../../../libcuda/driver"
	dir := t.TempDir()
	tables, err := filepath.Glob(driver + "/*.csv")
	require.NoError(t, err)
	want := map[string]string{}
	for _, table := range tables {
		name := filepath.Base(table)
		data, err := os.ReadFile(table)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o666))
		name = name[:len(name)-len(".csv")] + "_gen.go"
		text, err := os.ReadFile(filepath.Join(driver, name))
		require.NoError(t, err)
		want[name] = string(text)
	}
	require.Len(t, want, 3)
	t.Chdir(dir)
	main()
	for name, text := range want {
		got, err := os.ReadFile(name)
		require.NoError(t, err)
		require.True(t, text == string(got), "%s: run make generate", name)
	}
}
