package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/vectors"
	"jacquard/tesla"
)

func TestDisFile(t *testing.T) {
	want, err := os.ReadFile(kernel("calls", "sm_10.dis.txt"))
	require.NoError(t, err)
	module, text, _ := strings.Cut(fine(t, "dis", kernel("calls", "sm_10.cubin")), "\n")
	head, listing, _ := strings.Cut(text, "\n")
	require.Equal(t, ".module sm_10 abi=1 name=calls", module)
	require.Equal(t, ".kernel calls registers=10 shared=24 local=0 barriers=0 sizes=long", head)
	require.Equal(t, string(want), notes.ReplaceAllString(listing, ""))
}

// A module of variables is printed whole, and assembles to the same.
func TestDisWithoutKernels(t *testing.T) {
	source := temporary(t, "novars.ptx", ".version 1.4\n.target sm_13\n.global .u32 v = 7;\n.const .f32 c[3] = {1, 2, 3};\n.tex .u32 t;\n")
	text := fine(t, "dis", source)
	require.Contains(t, text, ".global v bytes=4\n.words 0x00000007\n")
	require.Contains(t, text, ".constant c offset=0 bytes=12\n.words 0x3f800000 0x40000000 0x40400000\n")
	require.Contains(t, text, ".sampler t")
	made := filepath.Join(t.TempDir(), "made.cubin")
	fine(t, "asm", temporary(t, "novars.s", text), "-o", made)
	require.Equal(t, text, fine(t, "dis", made))
}

// notes are what jacquard asm needs besides the text.
var notes = regexp.MustCompile(`(?m) \{.*\}`)

func TestDisChoosesKernelsAndArchitectures(t *testing.T) {
	file := temporary(t, "two.cubin", `architecture {sm_10} abiversion {1} modname {cubin}
		code { name = one lmem = 0 smem = 16 reg = 1 bar = 0 bincode { 0xf0000001 0xe0000001 } }
		code { name = two lmem = 0 smem = 16 reg = 1 bar = 0 bincode { 0xf0000001 0xe0000001 } }`)
	both := fine(t, "dis", file)
	require.Equal(t, 2, strings.Count(both, ".kernel"))
	two := fine(t, "dis", "--kernel", "two", "--arch", "sm_13", file)
	require.Equal(t, ".module sm_13 abi=1 name=cubin\n.kernel two registers=1 shared=16 local=0 barriers=0\n"+
		"00000000: f0000001 e0000001     exit (never) nop\n", two)

	a := jacquard("dis", "--kernel", "three", file)
	require.Equal(t, answer{1, "", "jacquard: " + file + ` holds no kernel "three": want one or two` + "\n"}, a)
}

func TestDisErrors(t *testing.T) {
	a := jacquard("dis", "/nonexistent/x.cubin")
	require.Equal(t, answer{1, "", "jacquard: open /nonexistent/x.cubin: no such file or directory\n"}, a)
	file := temporary(t, "bad.cubin", "architecture {sm_10}\ncode {\n  oops\n")
	a = jacquard("dis", file)
	require.Equal(t, 1, a.status)
	require.Contains(t, a.err, file+": text cubin: line 3 ")
	require.Equal(t, answer{2, "", "jacquard: --words does not go with --kernel\n"}, jacquard("dis", "--words", "--kernel", "k"))
}

func TestDisWords(t *testing.T) {
	a := jacquardOn("3000cdfd,642107c8\n0x10008A08\r\n00000002\n d03f0001 , 00000fff", "dis", "--words", "--arch", "sm_10")
	require.Zero(t, a.status, a.err)
	lines := strings.Split(a.out, "\n")
	require.Len(t, lines, 5)
	require.Equal(t, "set $c0 # g u32 b32 s[0x18] $r0", lines[0])
	require.Equal(t, "mov b32 $r2 $r5", lines[1])
	require.True(t, strings.HasPrefix(lines[2], "???"), lines[2])
	require.Equal(t, "and b32 $r0 $r0 0xffff", lines[3])
	require.Empty(t, lines[4])
}

func TestDisSass(t *testing.T) {
	a := jacquardOn("2102e800\nd00e0005,a0c00780\n00000002\n", "dis", "--words", "--syntax", "sass")
	require.Equal(t, answer{0, "IADD32 R0, g [0x4], R2\nGST.U32 global14 [R0], R1\n??? 0x00000002\n", ""}, a)

	text := fine(t, "dis", "--syntax", "sass", kernel("calls", "sm_10.cubin"))
	require.True(t, strings.HasPrefix(text, ".module sm_10 abi=1 name=calls syntax=sass\n.kernel calls registers=10 "), text)
	require.Contains(t, text, "\tcode for sm_10\n\t\tFunction : calls\n\t/*0000*/     /*0x1000001d0403c780*/ \tMOV R7, R0;\n")

	a = jacquard("dis", "--syntax", "intel", kernel("calls", "sm_10.cubin"))
	require.Equal(t, 2, a.status)
	require.Contains(t, a.err, "want envy or sass")
}

// A long instruction needs its second word.
func TestDisWordsCutOff(t *testing.T) {
	a := jacquardOn("3000cffd\n", "dis", "--words")
	require.Zero(t, a.status, a.err)
	require.True(t, strings.HasPrefix(a.out, "???"), a.out)
}

func TestDisWordsNamesTheLine(t *testing.T) {
	for in, want := range map[string]string{
		"10008a08\nxyz\n":           `line 2: "xyz" is no hexadecimal 32-bit word: want w0 or w0,w1`,
		"\n":                        `line 1: "" is no hexadecimal 32-bit word: want w0 or w0,w1`,
		"3000cffd,642107c8,0\n":     `line 1: "642107c8,0" is no hexadecimal 32-bit word: want w0 or w0,w1`,
		"10008a08\n10008a08\n1 2\n": `line 3: "1 2" is no hexadecimal 32-bit word: want w0 or w0,w1`,
		"100000000\n":               `line 1: "100000000" is no hexadecimal 32-bit word: want w0 or w0,w1`,
	} {
		a := jacquardOn(in, "dis", "--words")
		require.Equal(t, 1, a.status)
		require.Equal(t, "jacquard: "+want+"\n", a.err)
	}
}

// The tool prints every row of the decoder's vectors as another disassembler does.
func TestDisWordsOnVectors(t *testing.T) {
	for _, file := range vectors.Files {
		list, err := vectors.Read(filepath.Join(root, "decoder/testdata", file))
		require.NoError(t, err)
		var words strings.Builder
		for i := range list {
			fmt.Fprintln(&words, &list[i])
		}
		for _, arch := range tesla.Archs {
			t.Run(file+"/"+arch.String(), func(t *testing.T) {
				a := jacquardOn(words.String(), "dis", "--words", "--syntax", "envy", "--arch", arch.String())
				require.Zero(t, a.status, a.err)
				lines := strings.Split(strings.TrimSuffix(a.out, "\n"), "\n")
				require.Len(t, lines, len(list))
				for i := range list {
					v := &list[i]
					want, got := v.On[arch].Text, lines[i]
					if !v.On[arch].Valid {
						want, got = "???", got[:min(3, len(got))]
					}
					if got != want { // a call of require for every row would take long
						require.Equal(t, want, got, v)
					}
				}
			})
		}
	}
}
