package sass_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/decoder/sass"
	"jacquard/internal/test/vectors"
	"jacquard/tesla"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const root = "../../"

// read returns the decoder's test vectors.
func read(t *testing.T, name string) []vectors.Vector {
	t.Helper()
	list, err := vectors.Read(root + "decoder/testdata/" + name)
	require.NoError(t, err)
	return list
}

func golden(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), text)
}

// TestEveryForm prints up to three instructions of every form.
func TestEveryForm(t *testing.T) {
	lines := make([][]string, tesla.Forms)
	for _, arch := range []tesla.Arch{tesla.SM10, tesla.SM13, tesla.SM12} {
		for _, v := range read(t, vectors.Forms) {
			in := decoder.Decode(arch, v.Words[0], v.Words[1])
			if of := &lines[in.Form]; in.Form != 0 && (in.Bad == tesla.OK || in.Bad == tesla.BadGraphics) && len(*of) < 3 {
				*of = append(*of, fmt.Sprintf("%-5s %s %08x %08x  %-44s  %s\n", in.Form, arch, in.Raw[0], in.Raw[1], sass.Text(in), in))
			}
		}
	}
	var text strings.Builder
	for form := 1; form < tesla.Forms; form++ {
		require.NotEmpty(t, lines[form], "no instruction of form %s", tesla.Form(form))
		text.WriteString(strings.Join(lines[form], ""))
	}
	golden(t, "forms.txt", text.String())
}

// The possible parts of an instruction in this syntax.
const (
	register   = `A\d|R\d+[LH]?|C\d(\.[A-Z_]+)?|SR_?[A-Za-z0-9]+`
	memory     = `(g|local|o|c \[0x[0-9a-f]+\]|global\d+) \[(0x[0-9a-f]+|A\d\+0x[0-9a-f]+|A\d\+\+\+0x[0-9a-f]+|R\d+)\](\.[USF]\d+)?`
	value      = `-?0x[0-9a-f]+|b\d+|[1-4]D|\(-?\d,-?\d,-?\d\)|EX2|[A-Z]+(\.[A-Z]+)*`
	one        = `[-~]*\|?(` + register + `|` + memory + `|` + value + `)\|?( \(C\d\.[A-Z_]+\))?`
	name       = `[A-Z][A-Z0-9]*(\.[A-Z0-9_]+)*`
	expression = `^(\?\?\? )?` + name + `( ` + one + `(, ` + one + `)*)?$`
)

// TestNothingOfAnotherSyntax prints all words of the decoder's tests on every architecture.
func TestNothingOfAnotherSyntax(t *testing.T) {
	syntax := regexp.MustCompile(expression)
	for _, arch := range []tesla.Arch{tesla.SM10, tesla.SM11, tesla.SM12, tesla.SM13} {
		for _, file := range vectors.Files {
			for _, v := range read(t, file) {
				in := decoder.Decode(arch, v.Words[0], v.Words[1])
				text := sass.Text(in)
				switch {
				case in.Form == 0:
					require.Regexp(t, `^\?\?\? 0x[0-9a-f]{8,16}$`, text)
				case in.Bad != tesla.OK && in.Bad != tesla.BadGraphics:
					require.True(t, strings.HasPrefix(text, "???"), text)
				case !syntax.MatchString(text):
					require.Fail(t, "not of this syntax", "%s %v: %s", arch, in, text)
				}
			}
		}
	}
}

func TestSpellings(t *testing.T) {
	for _, c := range []struct {
		w0, w1 uint32
		want   string
	}{
		{0x2102e800, 0, "IADD32 R0, g [0x4], R2"},
		{0x20400801, 0x04000780, "IADD R0, R4, -R0"},
		{0x30001429, 0x04024780, "IADD R10, -R10, R9"},
		{0x3040020d, 0x041f1780, "IADD.CARRY1 R3, R1, R124"},
		{0x60824e05, 0x00608780, "IMAD.U16 R1, g [0x7].U16, c [0x1] [0x2], R2"},
		{0x307c0205, 0x6c008782, "ISET.S.S32 R1, R1, R124, EQ"},
		{0x3002d7fd, 0x64205158, "ISET.C1 o [0x7f] (C1.EQ), g [0xb], R2, LT"},
		{0xb08001fd, 0x605107c8, "FSET.C0 o [0x7f], |R0|, c [0x1] [0x0], GT"},
		{0xb0000009, 0x0bf80003, "FADD32I R2, R0, -0x40800000"},
		{0xc00a1629, 0x0000c7c0, "FMUL.TRUNC.C0 R10, R11, R10"},
		{0xa0001429, 0x84064780, "F2I.U32.F32.TRUNC R10, R10"},
		{0xa0002021, 0x04008780, "I2I.U32.U16.BEXT R8, R8L"},
		{0xd0030001, 0x0402c500, "LOP.PASS_B R0 (C0.EQU), R0, ~R3"},
		{0x04081801, 0xe4200780, "R2G.U32.U32 g [A1+0x40c], R0"},
		{0x00001609, 0xc0000780, "R2A A2, R11"},
		{0x861ffe03, 0, "BAR.ARV.WAIT b0, 0xfff"},
		{0x10022003, 0x00000280, "BRA C0.NE, 0x110"},
		{0x2001e003, 0, "CAL.NOINC 0xf0"},
		{0xf0000001, 0xe0000002, "NOP.S"},
		{0xb0000009, 0xc0004780, "RRO R2, R0, EX2"},
	} {
		require.Equal(t, c.want, sass.Text(decoder.Decode(tesla.SM10, c.w0, c.w1)))
	}
	require.Equal(t, "??? 0x00000008", sass.Text(decoder.Decode(tesla.SM10, 8, 0)))
	require.Equal(t, "??? 0x00000000ffffffff", sass.Text(decoder.Decode(tesla.SM10, 0xffffffff, 0)))
	require.Equal(t, "??? 0x00000000", sass.Text(tesla.Instruction{Size: 4, Form: 1}))
}

// The name says which condition register an instruction writes, if any.
func TestParseWrittenCondition(t *testing.T) {
	blank := decoder.Blank(decoder.Decode(tesla.SM10, 0xb08001fd, 0x605107c8).Form)
	for name, want := range map[string]tesla.CReg{"FSET": tesla.NoCond, "FSET.C0": tesla.C0, "FSET.C3": tesla.C3} {
		tokens := tesla.Tokens(name+" o [0x7f], |R0|, c [0x1] [0x0], GT", 1)
		found, err := sass.Parse(&blank, tokens)
		require.NoError(t, err, name)
		for _, p := range found {
			require.Equal(t, want, p.Instruction.CDst, name)
		}
	}
}

// TestStrangeInstructions prints instructions with members that no decoder makes.
func TestStrangeInstructions(t *testing.T) {
	for op := tesla.OpInvalid; op <= tesla.OpVote+1; op++ {
		in := tesla.Instruction{
			Form: 1, Op: op, Size: 8, Type: 99, From: 99, Round: 99, Arith: 99, Logic: 99, Cmp: 99, Atom: 99, Vote: 99, Mods: 0xffff,
			Idle: 99, Quad: [4]tesla.Arith{99, 99, 99, 99}, QuadLane: 99, Marker: 99, Guard: tesla.Guard{Reg: 99, Cond: 99},
			Src: [3]tesla.Operand{{Kind: 99}, {Kind: tesla.Special, Index: 99}, {Kind: tesla.Const, Type: 99}},
		}
		require.NotEmpty(t, sass.Text(in))
	}
}
