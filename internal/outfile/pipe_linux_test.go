package outfile_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"jacquard/internal/outfile"
)

// A named pipe waits for a reader, and breaks when the reader leaves.
func TestPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	reader := make(chan *os.File)
	go func() {
		r, err := os.Open(path)
		assert.NoError(t, err)
		reader <- r
	}()
	f, err := outfile.Create(path)
	require.NoError(t, err)
	defer f.Close()
	r := <-reader
	_, err = f.Write([]byte("text"))
	require.NoError(t, err)
	text := make([]byte, 4)
	_, err = r.Read(text)
	require.NoError(t, err)
	require.Equal(t, "text", string(text))
	require.NoError(t, r.Close())
	_, err = f.Write([]byte("text"))
	require.ErrorIs(t, err, syscall.EPIPE)
}
