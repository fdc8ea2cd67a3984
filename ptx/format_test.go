package ptx

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestFormat reads the texts of testdata and compares what is printed with testdata/format.
func TestFormat(t *testing.T) {
	files, err := filepath.Glob("testdata/*.ptx")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			m, err := Parse(filepath.Base(file), text)
			require.NoError(t, err)
			checkGolden(t, filepath.Join("testdata/format", filepath.Base(file)), m.Format())
			requireRoundTrip(t, m)
		})
	}
}

// checkGolden compares a text with a file, or rewrites the file.
func checkGolden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, got, 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}
