package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A file that is missing, or is of another kind, is an error that names the file, whatever the
// command and however the file is given, and leaves no output.
func TestMissingFiles(t *testing.T) {
	cubin, err := os.ReadFile("../../../../testdata/demo/vectoradd.cubin")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("k.cubin", cubin, 0o666))
	require.NoError(t, os.WriteFile("wrong", []byte("this is no file of ours\n"), 0o666))
	tool := func(line string) (status int, out, errs string) {
		var o, e bytes.Buffer
		status = Main(strings.Fields(line), Streams{Out: &o, Err: &e})
		return status, o.String(), e.String()
	}
	status, _, errs := tool("run k.cubin vecadd --grid 1 --block 32 --arg buf:1k --arg buf:1k --arg buf:1k --arg u32:32 --stats s.json --trace t.jqt")
	require.Zero(t, status, errs)
	for _, line := range []string{
		"dis FILE", "info FILE", "info --exactness FILE", "info --cfg out.svg FILE", "run FILE", "run --test FILE",
		"stats FILE", "stats s.json --against FILE", "report FILE -o out", "report s.json --trace FILE -o out",
		"trace show FILE", "trace filter FILE -o out", "trace diff FILE t.jqt", "trace diff t.jqt FILE", "trace export FILE -o out",
		"replay FILE", "compare FILE", "compare --test FILE", "verify FILE",
	} {
		for name, want := range map[string]string{"missing": "missing: no such file or directory", "wrong": "wrong"} {
			status, _, errs := tool(strings.ReplaceAll(line, "FILE", name))
			require.Equal(t, 1, status, "%s: %s", line, errs)
			require.Contains(t, errs, want, line)
			require.Equal(t, 1, strings.Count(errs, "\n"), "%s: %s", line, errs)
			require.NoFileExists(t, "out", line)
			require.NoFileExists(t, "out.svg", line)
		}
	}
	status, _, errs = tool("run k.cubin --arg buf:4:file=missing")
	require.Equal(t, 2, status)
	require.Contains(t, errs, "open missing: no such file or directory")
}
