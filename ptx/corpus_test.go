package ptx

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCorpus reads the texts of testdata, and those of a directory that the environment names: of
// other people's programs, of which the repository has none.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob("testdata/*.ptx")
	require.NoError(t, err)
	if dir := os.Getenv("JACQUARD_PTX"); dir != "" {
		more, err := filepath.Glob(filepath.Join(dir, "*.ptx"))
		require.NoError(t, err)
		require.NotEmpty(t, more)
		files = append(files, more...)
	}
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			_, err = Parse(filepath.Base(file), text)
			require.NoError(t, err)
		})
	}
}
