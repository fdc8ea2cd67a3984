package outfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/outfile"
)

// A log ends when another process writes its file, and reports that once.
func TestLogIsAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	f, err := outfile.Create(path)
	require.NoError(t, err)
	var said []error
	log := outfile.NewLog("log", f, func(err error) { said = append(said, err) })
	log.Append([]byte("12"))
	log.Look()
	require.NoError(t, log.Err())
	require.Equal(t, path, log.Path())

	require.NoError(t, os.WriteFile(path, []byte("1234"), 0o666))
	log.Look()
	log.Look()
	log.Append([]byte("56"))
	const shared = "log: another process writes the same file: %p in its name stands for the process; nothing more is recorded"
	require.EqualError(t, log.Close(), shared)
	require.Len(t, said, 1)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "1234", string(data))
}
