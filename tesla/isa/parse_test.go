package isa

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// tiny is a complete description of an instruction of four bytes. Each bad one below differs from
// it in one place.
const tiny = `field len w0.1-0
field pri w0.31-28
field dst w0.7-2
field src w0.14-9
field neg w0.15
field mode w0.17-16
format short 4 len=0
mod neg Neg - yes:neg
mod round Round RN:rn ? ? RZ:rz
operand D dest short
	-> reg n=dst
operand A source1 short
	mode=3 -> invalid
	-> reg n=src
form MOV short pri=1
	op MovA Type=B32
	text mov {round@mode} {D:dst} {neg@neg:0} {A:0}
	ignore w0.27-18 w0.8
`

func TestParse(t *testing.T) {
	d, err := Parse("tiny.isa", tiny)
	require.NoError(t, err)
	require.Len(t, d.Fields, 6)
	require.Len(t, d.Forms, 1)
	f := d.Forms[0]
	require.Equal(t, Pos{"tiny.isa", 15}, f.Pos)
	bits, mask := f.Match()
	require.Equal(t, uint64(0x10000000), bits)
	require.Equal(t, uint64(0xf0000003), mask)
	require.Equal(t, uint64(0x0ffc0100), f.Ignore)
	require.Equal(t, []Attr{{"Type", "B32"}}, f.Attrs)
	require.Len(t, f.Text, 5)
}

func TestParseErrors(t *testing.T) {
	tests := []struct {
		name     string
		old, new string
		want     string
	}{
		{"unknown keyword", "field len", "feld len", `tiny.isa:1: unknown keyword "feld"`},
		{"no name", "field len w0.1-0", "field", "tiny.isa:1: field without a name"},
		{"field twice", "field pri w0.31-28", "field len w0.31-28", "tiny.isa:2: field len is already defined at tiny.isa:1"},
		{"bad bits", "w0.31-28", "w0.31-32", `tiny.isa:2: bad bits "w0.31-32"`},
		{"bad word", "w0.31-28", "w2.31-28", `tiny.isa:2: bad bits "w2.31-28"`},
		{"unused field", "field mode", "field more w0.20\nfield mode", "tiny.isa:6: field more is not used"},
		{"unused format", "mod neg Neg", "format extra 4 len=1\nmod neg Neg", "tiny.isa:8: format extra is not used"},
		{"unused mod", "mod neg Neg", "mod extra Abs - yes:abs\nmod neg Neg", "tiny.isa:8: mod extra is not used"},
		{"unused operand", "operand A", "operand B source2 short\n\t-> reg n=src\noperand A", "tiny.isa:12: operand B is not used"},
		{"unknown field in a condition", "mode=3", "mood=3", `tiny.isa:13: unknown field "mood"`},
		{"unknown field of an operand", "n=src", "n=source", `tiny.isa:14: unknown field "source"`},
		{"unknown field of a mod", "round@mode", "round@mood", `tiny.isa:17: unknown field "mood"`},
		{"unknown mod", "{round@mode}", "{wound@mode}", `tiny.isa:17: unknown modifier or operand "wound"`},
		{"unknown operand kind", "-> reg n=dst", "-> wreg n=dst", `tiny.isa:11: unknown operand kind "wreg"`},
		{"operand within itself", "-> reg n=dst", "-> D", "tiny.isa:11: operand D is too deep or has too many lines"},
		{"unknown argument", "-> reg n=dst", "-> reg m=dst", `tiny.isa:11: operand kind reg has no argument "m"`},
		{"missing argument", "-> reg n=dst", "-> reg", "tiny.isa:11: operand kind reg needs n="},
		{"missing type", "-> reg n=dst", "-> shared off=dst", "tiny.isa:11: operand kind shared needs an access type"},
		{"unknown type", "-> reg n=dst", "-> shared F32 off=dst", `tiny.isa:11: unknown word "F32"`},
		{"unknown slot", "D dest short", "D target short", `tiny.isa:10: unknown slot "target"`},
		{"unknown format", "form MOV short", "form MOV long", `tiny.isa:15: unknown format "long"`},
		{"unknown role", "{D:dst}", "{D:dest}", `tiny.isa:17: operand D: unknown role "dest"`},
		{"mod without its source", "{neg@neg:0}", "{neg@neg}", `tiny.isa:17: mod neg: bad source ""`},
		{"too few values", "RN:rn ? ? RZ:rz", "RN:rn RZ:rz", "tiny.isa:17: mod round has 2 values, field mode has 2 bits"},
		{"odd number of values", "RN:rn ? ? RZ:rz", "RN:rn ? RZ:rz", "tiny.isa:9: 3 values: want a power of two"},
		{"value too big", "pri=1", "pri=16", "tiny.isa:15: value 16 does not fit field pri of 4 bits"},
		{"several values to match", "pri=1", "pri=1,2", `tiny.isa:15: condition "pri=1,2" must have one value here`},
		{"range too wide", "format short 4 len=0", "field wide w1.31-0\nformat short 4 wide=0..99", "tiny.isa:8: range \"0..99\" on a field of more than 6 bits"},
		{"unclosed piece", "{A:0}", "{A:0", `tiny.isa:17: piece "{A:0" is not closed`},
		{"no text", "\ttext mov {round@mode} {D:dst} {neg@neg:0} {A:0}\n", "", "tiny.isa:15: form MOV needs op and text"},
		{"no operation", "\top MovA Type=B32\n", "", "tiny.isa:15: form MOV needs op and text"},
		{"unowned bit", "w0.27-18 w0.8", "w0.27-19 w0.8", "tiny.isa:15: form MOV: nothing owns w0.18"},
		{"unowned bits in both places", "\tignore w0.27-18 w0.8\n", "", "tiny.isa:15: form MOV: nothing owns w0.27-18 w0.8"},
		{"ignored bit in use", "w0.27-18 w0.8", "w0.27-18 w0.8-7", "tiny.isa:15: form MOV ignores w0.7, which belong to operand D"},
		{"bits beyond the size", "w0.27-18 w0.8", "w0.27-18 w0.8 w1.3", "tiny.isa:15: form MOV has 4 bytes but uses w1.3"},
		{"two owners", "field neg w0.15", "field neg w0.14", "tiny.isa:15: form MOV: operand A and mod neg both use w0.14"},
		{"two modifiers on one field", "{D:dst}", "{round@mode} {D:dst}", "tiny.isa:15: form MOV: mod round and mod round both use w0.17-16"},
		{"match and operand overlap", "field pri w0.31-28", "field pri w0.31-28 w0.17", "tiny.isa:15: form MOV: mod round and the match pri both use w0.17"},
		{"overlapping forms", "form MOV", "form NOP short pri=1\n\top Nop\n\ttext nop\n\tignore w0.27-2\nform MOV",
			"tiny.isa:19: form MOV overlaps form NOP at tiny.isa:15"},
		{"form twice", "form MOV", "form MOV short pri=2\n\top Nop\n\ttext nop\n\tignore w0.27-2\nform MOV",
			"tiny.isa:19: form MOV is already defined at tiny.isa:15"},
		{"over nothing", "form MOV short pri=1", "form MOV short over=NOP pri=1", `tiny.isa:15: unknown form "NOP"`},
		{"line without an owner", "field len", "\tfield len", "tiny.isa:1: indented line without a line to belong to"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Contains(t, tiny, test.old)
			_, err := Parse("tiny.isa", strings.Replace(tiny, test.old, test.new, 1))
			var e *Error
			require.ErrorAs(t, err, &e)
			require.Contains(t, err.Error(), test.want)
		})
	}
}

// Forms may overlap if their architectures do not, or if one precedes the other.
func TestOverlapAllowed(t *testing.T) {
	other := "form NOP short %s pri=1\n\top Nop\n\ttext nop\n\tignore w0.27-2\n"
	for _, test := range []struct{ mov, nop string }{
		{"form MOV short sm_13", "gt21x"},
		{"form MOV short", "over=MOV"},
	} {
		text := strings.Replace(tiny, "form MOV short", test.mov, 1) + strings.Replace(other, "%s", test.nop, 1)
		_, err := Parse("tiny.isa", text)
		require.NoError(t, err)
	}
}

func TestField(t *testing.T) {
	f := &Field{Parts: []Bits{{Low: 46, Width: 6}, {Low: 11, Width: 16}}}
	require.Equal(t, 22, f.Width())
	require.Equal(t, uint64(0x000fc000_07fff800), f.Mask())
	for _, v := range []uint64{0, 1, 0xffff, 0x10000, 0x3fffff} {
		require.Equal(t, v, f.Extract(f.Deposit(v)))
		require.Equal(t, v, f.Extract(f.Deposit(v)|^f.Mask()))
	}
}

// An overlong line is an ordinary error.
func TestLongLine(t *testing.T) {
	_, err := Parse("long.isa", "field a w0.0\n"+strings.Repeat("x", 1<<17))
	require.EqualError(t, err, "long.isa:2: bufio.Scanner: token too long")
}

// The real description is sound.
func TestDescription(t *testing.T) {
	d, err := ParseFS(os.DirFS("opcode"))
	require.NoError(t, err)
	require.NotEmpty(t, d.Forms)
}

func FuzzParse(f *testing.F) {
	f.Add(tiny)
	f.Add("field a w0.3\nform X")
	f.Add("operand A dest short\n\t-> A\n")
	names, err := os.ReadDir("opcode")
	require.NoError(f, err)
	for _, n := range names {
		text, err := os.ReadFile("opcode/" + n.Name())
		require.NoError(f, err)
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := Parse("fuzz.isa", text); err != nil {
			var e *Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, "fuzz.isa", e.File)
		}
	})
}
