package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
)

// What dis prints of a cubin, asm makes a cubin with the same kernels of.
func TestAsm(t *testing.T) {
	data, err := os.ReadFile(kernel("reduce", "sm_13.cubin"))
	require.NoError(t, err)
	want, err := cubin.Parse(data)
	require.NoError(t, err)
	for _, flags := range [][]string{nil, {"--syntax", "sass"}, {"--labels"}, {"--labels", "--syntax", "sass"}} {
		text := fine(t, append(append([]string{"dis"}, flags...), kernel("reduce", "sm_13.cubin"))...)
		out := filepath.Join(t.TempDir(), "made.cubin")
		require.Empty(t, fine(t, "asm", temporary(t, "reduce.s", text), "-o", out))
		made, err := os.ReadFile(out)
		require.NoError(t, err)
		got, err := cubin.Parse(made)
		require.NoError(t, err)
		require.Equal(t, want, got)

		a := jacquardOn(text, "asm", "-", "-o", "-")
		require.Equal(t, answer{0, string(made), ""}, a)
	}
}

func TestAsmErrors(t *testing.T) {
	file := temporary(t, "bad.s", ".module sm_10\n.kernel k\nadd b32 $r1 %r1 $r2\n")
	for _, c := range []struct {
		args []string
		want answer
	}{
		{[]string{"asm", file}, answer{2, "", "jacquard: jacquard asm wants -o OUT.cubin: see jacquard asm --help\n"}},
		{[]string{"asm", "-o", "x"}, answer{2, "", "jacquard: jacquard asm wants one file: see jacquard asm --help\n"}},
		{[]string{"asm", file, "-o", filepath.Join(t.TempDir(), "x")}, answer{1, "", "jacquard: " + file + `: line 3, column 13: expected a register $r0 or s[...]; found "%r1"` + "\n"}},
		{[]string{"asm", "/nonexistent/x", "-o", "-"}, answer{1, "", "jacquard: open /nonexistent/x: no such file or directory\n"}},
		{[]string{"asm", temporary(t, "name.s", ".module sm_10\n.kernel \"k k\"\nret\n"), "-o", "-"}, answer{1, "", `jacquard: a text cubin cannot hold the name "k k"` + "\n"}},
	} {
		require.Equal(t, c.want, jacquard(c.args...), c.args)
	}
}
