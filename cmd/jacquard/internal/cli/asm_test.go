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
	} {
		require.Equal(t, c.want, jacquard(c.args...), c.args)
	}
}

// asm refuses content that a text cubin has no place for, and modules that would not load.
func TestAsmRefusals(t *testing.T) {
	const kernel = ".kernel k registers=1\nmov b32 $r0 0x0\n"
	const name = ".module sm_10\n.kernel \"k k\"\nmov b32 $r0 0x0\n"
	for _, c := range []struct{ text, want string }{
		{name, `a text cubin cannot hold the name "k k": `},
		{".module sm_10\n.global v bytes=4 slot=0+4\n" + kernel, "a text cubin cannot hold the variable v, "},
		{".module sm_10\n.global v bytes=4 slot=0+0 slot=4+0\n" + kernel, "address stands in 2 slots of bank 14"},
		{".module sm_10\n.global v bytes=4\n" + kernel, "address stands in 0 slots of bank 14"},
		{".module sm_10\n.global v bytes=4 slot=0+0\n.words 0\n.pointer v offset=0 in=v\n" + kernel, "addresses in initial content"},
		{".module sm_10\n.bank 1 bytes=4\n.words 1\n" + kernel, "content of bank 1 that all kernels share"},
		{".module sm_10\n.sampler t\n" + kernel, "the texture reference t, "},
		{".module sm_10\n.sampler t unit=0\n" + kernel + ".texture sampler=0 unit=1\n", "the texture units of kernel k alone"},
		{".module sm_10\n.kernel k registers=1000\nmov b32 $r0 0x0\n", "the cubin would not load: text cubin: line "},
		{".module sm_10 pointer=8\n.kernel k registers=1000\nmov b32 $r0 0x0\n", "ELF cubin: section .text.k: 1000 registers"},
		{".module sm_10\n" + kernel + kernel, "the cubin would not load: text cubin: line "},
		{".module sm_10 pointer=4\n" + kernel + kernel, "the cubin would not load: ELF cubin"},
	} {
		a := jacquardOn(c.text, "asm", "-", "-o", "-")
		require.Equal(t, 1, a.status, c.text)
		require.Empty(t, a.out, c.text)
		require.Contains(t, a.err, "jacquard: -: ", c.text)
		require.Contains(t, a.err, c.want, c.text)
	}
}

// A text with the width of an address becomes an ELF cubin, with all that text cubins cannot hold.
func TestAsmELF(t *testing.T) {
	const driver = "../../../../libcuda/driver/testdata/ptx/"
	made := filepath.Join(t.TempDir(), "k.cubin")
	for _, file := range []string{ptxFile("saxpy"), driver + "variables.ptx", driver + "texture.ptx"} {
		require.Empty(t, fine(t, "compile", file, "-o", made), file)
		data, err := os.ReadFile(made)
		require.NoError(t, err)
		want, err := cubin.Parse(data)
		require.NoError(t, err)
		for i := range want.Kernels {
			want.Kernels[i].Lines = nil // a line table stands in comments of the text
		}
		a := jacquardOn(fine(t, "dis", "--labels", made), "asm", "-", "-o", "-")
		require.Empty(t, a.err, file)
		got, err := cubin.Parse([]byte(a.out))
		require.NoError(t, err)
		require.Equal(t, want, got, file)
	}
}
