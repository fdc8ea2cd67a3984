package programs_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/study/programs"
)

func TestFolders(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	require.NoError(t, os.WriteFile("library", nil, 0o666))
	folders, err := programs.Folders(programs.Place{Dir: "."}, programs.Place{Dir: ".", Has: "library"})
	require.NoError(t, err)
	require.Equal(t, []string{dir, dir}, folders)
	_, err = programs.Folders(programs.Place{Dir: ".", Has: "none"})
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, filepath.Join(dir, "none"))
}

func TestEnvironment(t *testing.T) {
	t.Setenv("LD_LIBRARY_PATH", "")
	require.Subset(t, programs.Environment([]string{"a", "b"}, "X=1"), []string{"LD_LIBRARY_PATH=a:b", "X=1"})
	t.Setenv("LD_LIBRARY_PATH", "c")
	require.Contains(t, programs.Environment([]string{"a", "b"}), "LD_LIBRARY_PATH=a:b:c")
}
