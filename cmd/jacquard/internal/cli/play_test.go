package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A page plays traces, or the policies of a comparison, side by side.
func TestPlay(t *testing.T) {
	dir := t.TempDir()
	trace, page := filepath.Join(dir, "c.jqt"), filepath.Join(dir, "page.html")
	require.Zero(t, jacquard("run", "--test", kernel("collatz", ""), "--arch", "sm_13", "--trace", trace+":values=all+state").status)
	require.Empty(t, fine(t, "trace", "play", trace, trace, "--block", "1", "-o", page))
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Contains(t, string(text), "<title>c, c · Jacquard player</title>")
	require.Regexp(t, `id="play-0-1-head">.*"steps":\d+,"chunks":1`, string(text))

	out := fine(t, "compare", "--test", kernel("calls", ""), "--policies", "nvidia,chap,stackless", "--html", page, "--warp", "1")
	require.Contains(t, out, "chap            -")
	text, err = os.ReadFile(page)
	require.NoError(t, err)
	for _, part := range []string{`"policy":"nvidia"`, `"policy":"stackless"`, "<title>calls"} {
		require.Contains(t, string(text), part)
	}
	require.NotContains(t, string(text), `"policy":"chap"`, "it was refused")
}

func TestPlayErrors(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "v.jqt")
	require.Zero(t, jacquard(vecadd("--trace", trace)...).status)
	test := kernel("vecadd", "")
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"trace", "play", trace}, 2, "say with -o which page to write"},
		{[]string{"trace", "play", trace, "-o", "x.html", "--steps", "0"}, 2, "--steps 0: want 1 or more"},
		{[]string{"trace", "play", trace, "-o", filepath.Join(t.TempDir(), "x.html"), "--kernel", "none"}, 1, "the trace has no such warp-instructions"},
		{[]string{"trace", "play", trace, trace, trace, trace, trace, "-o", "x.html"}, 2, "want a trace, or up to four"},
		{[]string{"compare", "--test", test, "--html", "x.html"}, 2, "--html plays up to 4 policies, and these are"},
		{[]string{"compare", "--test", test, test, "--policies", "nvidia", "--html", "x.html"}, 2, "--html plays one kernel, and these are 2"},
		{[]string{"compare", "--policies", "nvidia", "--html", "x.html", "--", "true"}, 2, "--html needs a kernel or a test.json"},
		{[]string{"compare", "--test", test, "--policies", "nvidia", "--warp", "31", "--html", filepath.Join(t.TempDir(), "x.html")}, 1, "--html: warp 31 issued nothing under any policy"},
		{[]string{"compare", "--test", test, "--policies", "nvidia", "--html", "/nonexistent/x.html"}, 1, "no such file"},
	} {
		a := jacquard(c.args...)
		require.Equal(t, c.status, a.status, "%v: %s", c.args, a.err)
		require.Contains(t, a.err, c.want)
	}
}
