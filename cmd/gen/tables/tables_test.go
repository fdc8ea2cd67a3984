package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGeneratedFilesAreCurrent(t *testing.T) {
	want, err := os.ReadFile("../../../sfu/tables_gen.go")
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(dir, "tables"), os.DirFS("../../../sfu/tables")))
	t.Chdir(dir)
	main()
	got, err := os.ReadFile("tables_gen.go")
	require.NoError(t, err)
	require.True(t, string(want) == string(got), "run make generate")
}

func TestBadTables(t *testing.T) {
	for _, c := range []struct{ rows, want string }{
		{"0,1,2,3\n2,1,2,3\n", "index 2 where 1 is due"},
		{"0,1,2,3\n1,1,2,3\n2,1,2,3\n", "3 rows are not a power of two"},
		{"", "0 rows are not a power of two"},
		{"0,1,2,x\n", "invalid syntax"},
		{"0,1,2\n", "wrong number of fields"},
	} {
		path := filepath.Join(t.TempDir(), "t.csv")
		require.NoError(t, os.WriteFile(path, []byte("i,c0,c1,c2\n"+c.rows), 0o666))
		_, err := read(path)
		require.ErrorContains(t, err, c.want)
	}
}
