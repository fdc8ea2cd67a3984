package driver

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is logged is a line of text, whatever names are in it, and says where what goes.
func TestLogIsPlain(t *testing.T) {
	var out bytes.Buffer
	d := New(Config{Output: &out})
	d.log.error("kernel %s", "k\x1b]0;t\x07\r\nline\u202e")
	d.writes("trace: it goes to", "a", "a")
	d.writes("trace: it goes to", "a", "a.1")
	require.Equal(t, `jacquard: kernel k\u001b]0;t\u0007\u000d line\u202e`+"\njacquard: another process writes a: trace: it goes to a.1\n", out.String())
}
