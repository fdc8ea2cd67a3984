package ptx

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCorpus reads the texts of a directory that the environment names: those of other people's
// programs, of which the repository has none.
func TestCorpus(t *testing.T) {
	dir := os.Getenv("JACQUARD_PTX")
	if dir == "" {
		t.Skip("JACQUARD_PTX names no directory with *.ptx")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.ptx"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			m, err := Parse(filepath.Base(file), text)
			require.NoError(t, err)
			requireRoundTrip(t, m)
		})
	}
}
