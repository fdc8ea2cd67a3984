package cli

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/trace"
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
