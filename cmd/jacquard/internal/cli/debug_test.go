package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What an editor reads is not made safe for a terminal.
func TestDebugAdapter(t *testing.T) {
	const request = `{"seq":1,"type":"request","command":"initialize","arguments":{}}`
	out, complaints := &bytes.Buffer{}, &bytes.Buffer{}
	status := Main([]string{"debug", "--dap"}, Streams{
		In: strings.NewReader("Content-Length: 64\r\n\r\n" + request), Out: out, Err: complaints,
	})
	require.Zero(t, status, complaints)
	require.Regexp(t, "^Content-Length: [0-9]+\r\n\r\n{", out.String())
	require.Contains(t, out.String(), `"supportsStepBack":true`)
}

func TestDebugRefuses(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"debug"}, "a program to run"},
		{[]string{"debug", "--dap", "x"}, "the editor names the program"},
		{[]string{"debug", "a.jqb", "b"}, "want one bundle"},
		{[]string{"debug", "--check", "a.jqb"}, "a recording is not checked"},
		{[]string{"debug", "--check", "race", "--", "x"}, "want --check=race"},
		{[]string{"debug", "--check=races", "--", "x"}, "races"},
	} {
		complaints := &bytes.Buffer{}
		require.NotZero(t, Main(c.args, Streams{In: strings.NewReader(""), Out: &bytes.Buffer{}, Err: complaints}))
		require.Contains(t, complaints.String(), c.want)
	}
}
