package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"jacquard/observe/trace"
)

// What a trace becomes has an end, and the error says what to do.
func TestBounded(t *testing.T) {
	var out bytes.Buffer
	b := &bounded{&out, 10}
	_, err := b.Write(make([]byte, 10))
	require.NoError(t, err)
	_, err = b.Write([]byte{0})
	require.ErrorContains(t, err, "say --no-limit")
	require.Equal(t, 10, out.Len())
	require.ErrorContains(t, explainLimit(&trace.LimitError{Work: 3}), "3 warp-instructions: choose less with --launch, --block or --first, or say --no-limit")
	require.Equal(t, io.EOF, explainLimit(io.EOF))
}

// --no-limit lifts the limit of every trace that a command reads.
func TestNoLimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.jqt")
	f, err := os.Create(path)
	require.NoError(t, err)
	r, err := trace.NewRecorder(f, trace.Options{}, nil)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	for _, args := range [][]string{{path, path}, {path, path, "--no-limit"}} {
		var opened []*trace.File
		c := &traceCommand{
			Command: cobra.Command{Use: "read"},
			run: func(_ *cobra.Command, files []*trace.File, _ *trace.Filter) error {
				opened = files
				return nil
			},
		}
		command := c.command(2, "two traces")
		command.SetArgs(args)
		require.NoError(t, command.Execute())
		require.Len(t, opened, 2)
		for _, f := range opened {
			require.Equal(t, len(args) == 3, f.MostWork == 0)
		}
	}
}
