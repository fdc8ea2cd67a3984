package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mostFiles is how many files by hand a package has without a reason.
const mostFiles = 35

// A package of many files says why, in its doc.go.
func TestPackagesAreRooms(t *testing.T) {
	files := map[string]int{}
	require.NoError(t, walk("../..", func(path string) error {
		if name := filepath.Base(path); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !strings.HasSuffix(name, "_gen.go") {
			files[filepath.Dir(path)]++
		}
		return nil
	}))
	require.NotEmpty(t, files)
	for dir, n := range files {
		if n <= mostFiles {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, "doc.go"))
		require.NoError(t, err)
		require.Contains(t, string(text), "Many files: ", "%s has %d files and does not say why", dir, n)
	}
}
