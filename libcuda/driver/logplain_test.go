package driver

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// A log entry is one line of text, whatever characters its names contain.
func TestLogIsPlain(t *testing.T) {
	var out bytes.Buffer
	d := New(Config{Output: &out})
	d.log.Error("kernel %s", "k\x1b]0;t\x07\r\nline\u202e")
	require.Equal(t, `jacquard: kernel k\u001b]0;t\u0007\u000d line\u202e`+"\n", out.String())
}
