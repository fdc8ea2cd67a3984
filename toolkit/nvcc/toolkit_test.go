package nvcc

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFind(t *testing.T) {
	t.Setenv(clangVariable, "")
	root := t.TempDir()
	bin := filepath.Join(root, "bin")
	require.NoError(t, os.Mkdir(bin, 0o777))
	found, err := Find(filepath.Join(bin, "nvcc"))
	require.NoError(t, err)
	require.Equal(t, Toolkit{Root: root}, found)
	require.ErrorContains(t, Run(found, []string{"k.cu"}, nil, nil), "no clang++ is chosen: run make toolkit")

	require.NoError(t, os.WriteFile(filepath.Join(bin, profile), []byte("# a comment\nCLANG = /a/clang++ \n"), 0o666))
	found, err = Find(filepath.Join(bin, "nvcc"))
	require.NoError(t, err)
	require.Equal(t, Toolkit{Root: root, Clang: "/a/clang++"}, found)

	t.Setenv(clangVariable, "clang++-14")
	found, err = Find(filepath.Join(bin, "nvcc"))
	require.NoError(t, err)
	require.Equal(t, "clang++-14", found.Clang)
}

// -ccbin names a clang, or a folder with one; other compilers do not count.
func TestChosen(t *testing.T) {
	with, without := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(with, "clang++"), nil, 0o777))
	toolkit := Toolkit{Clang: "own"}
	for path, want := range map[string]string{
		"g++": "own", "/usr/bin/gcc-4.8": "own", "clang++-14": "clang++-14", "/usr/bin/clang": "/usr/bin/clang",
		with: filepath.Join(with, "clang++"), without: "own",
	} {
		require.Equal(t, want, toolkit.chosen(path), path)
	}
}
