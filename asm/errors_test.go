package asm_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/cubin"
	"jacquard/tesla"
)

const start = ".module sm_10\n.kernel k registers=4\n"

// An error has line and column, and lists what would fit there.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "line 1, column 1: expected .module; found no module"},
		{".module sm_20", `line 1, column 9: expected sm_10, sm_11, sm_12 or sm_13; found "sm_20"`},
		{".kernel k", `line 1, column 1: expected .module first; found ".kernel"`},
		{".module sm_10\n.module sm_10", "line 2, column 1: a file has one module; the first is further up"},
		{".module sm_10 abi=x", `line 1, column 19: expected a number; found "x"`},
		{".module sm_10 syntax=intel", `line 1, column 22: expected envy or sass; found "intel"`},
		{".module sm_10\nret", `line 2, column 1: expected .kernel before the first instruction; found "ret"`},
		{".module sm_10\n\u00a0ret", `line 2, column 3: expected .kernel before the first instruction; found "ret"`},
		{".module sm_10\n\v\n\f\n\u00a0\n;", `line 5, column 1: expected .kernel before the first instruction; found ";"`},
		{".module sm_10\nhere: ret", "line 2, column 1: expected .kernel before label here"},
		{".module sm_10\n.colour red", `line 2, column 1: expected .bank, .bytes, .constant, .global, .kernel, .module, .param, .params, .pointer, .sampler, .texture or .words; found ".colour"`},
		{".module sm_10\n.param offset=0", "line 2, column 1: expected .kernel before .param"},
		{".module sm_10\n.sampler", "line 2, column 1: expected 1 words behind .sampler that are no name=value; found 0"},
		{".module sm_10\n.sampler a b=1", `line 2, column 12: expected unit; found "b"`},
		{".module sm_10\n.words 1", "line 2, column 1: expected .constant, .global or .bank before .words"},
		{".module sm_10\n.constant a bytes=4\n.words 1 2", "line 3, column 1: expected at most 4 bytes; found 8"},
		{".module sm_10\n.bank 16", `line 2, column 7: expected the number of a constant bank, 0 to 15; found "16"`},
		{start + "shout $r1", `line 3, column 1: expected an operation of sm_10; found "shout"`},
		{start + "add b32 $r1 %r1 $r2", `line 3, column 13: expected a register $r0 or s[...]; found "%r1"`},
		{start + "00000000: 20000005 04004780     add b32 $r1 $r0 %r1", `line 3, column 49: expected c0[...], a register $r0 or an immediate; found "%r1"`},
		{start + "add b32 $r1 $r2", "line 3, column 16: expected c0[...], a register $r0 or an immediate; found the end of the line"},
		{start + "add b32 $r1 $r2 $r3 $r4", `line 3, column 21: expected $c0 or the end of the instruction; found "$r4"`},
		{start + "add b32 $r1 $r200 $r3", `line 3, column 13: expected a register $r0 or s[...]; found "$r200"`},
		{start + "add b32 $r1 b32 s[0x2] $r3", `line 3, column 1: expected operands that iadd takes together; found "add"`},
		{start + "bra there", "line 3, column 5: label there is nowhere"},
		{start + "a: ret\na: ret", "line 4, column 1: label a is already at line 3"},
		{start + "ret {tiny}", `line 3, column 6: expected short, long, exit, bits or words; found "tiny"`},
		{start + "ret {short}", "line 3, column 1: ret has no encoding of 4 bytes"},
		{start + "ret {bits x}", `line 3, column 11: expected a number of 32 bits; found "x"`},
		{start + "ret {long", "line 3, column 10: expected } at the end of the line"},
		{start + "??? x", `line 3, column 1: expected an instruction, or {words ...} behind one that is none; found "???"`},
		{start + "mov b32 $r1 $r2 {short}\nmov b32 $r1 $r2 {long}", "line 4, column 1: a long instruction at 0x4, which is no multiple of 8: one before it must be {long}"},
		{".module sm_10 syntax=sass\n.kernel k\nIADD R1, R2, %r1", `line 3, column 14: expected c [...] [...] or a register R0; found "%r1"`},
		{".module sm_10 syntax=sass\n.kernel k\nIADD R1, R2", "line 3, column 12: expected c [...] [...] or a register R0; found the end of the line"},
		{".module sm_10 syntax=sass\n.kernel k\nIMAD.U16 R1, R2L, R3L", "line 3, column 22: expected c [...] [...] or a register R0; found the end of the line"},
		{".module sm_10 syntax=sass\n.kernel k\nISHOUT R1", `line 3, column 1: expected an operation of sm_10; found "ISHOUT"`},
		{".module sm_10 syntax=sass\n.kernel k\nIADD.FAST R1, R2, R3", `line 3, column 1: expected other modifiers of IADD; found "IADD.FAST"`},
	} {
		t.Run(c.want, func(t *testing.T) {
			_, err := asm.Read(c.text)
			var e *asm.SyntaxError
			require.ErrorAs(t, err, &e)
			require.EqualError(t, e, c.want)
		})
	}
}

// All errors are reported.
func TestSeveralErrors(t *testing.T) {
	_, err := asm.Read(start + "shout\nret\nwhisper\n")
	require.Len(t, strings.Split(err.Error(), "\n"), 2)
	var joined interface{ Unwrap() []error }
	require.True(t, errors.As(err, &joined))
}

// Hand-written text: labels, comments, decimal numbers, blanks.
func TestByHand(t *testing.T) {
	img, err := asm.Read(`.module sm_10
.constant scale offset=8 bytes=6 // a table
.words 0x3f800000
.bytes 1 2
.kernel "k k" registers=4 shared=32 threads=32x1x1
	mov b32 $r1 b32 s[ 0x10 ]   /* the parameter */
again: more:
	add b32 $r1 $r1 16
	mov b32 $r2 $r1
	mov b32 $r3 $r2
	(lg $c0) bra again          // goes on
	exit nop
`)
	require.NoError(t, err)
	require.Equal(t, []cubin.Variable{{Name: "scale", Offset: 8, Bytes: 6, Init: []byte{0, 0, 0x80, 0x3f, 1, 2}}}, img.Constants)
	k := img.Kernels[0]
	require.Equal(t, "k k", k.Name)
	require.Equal(t, [3]int{32, 1, 1}, k.MaxThreads)
	require.Equal(t, []uint32{
		0x1000c805, 0x0423c780, 0x20108205, 0x00000003, 0x10008208, 0x1000840c, 0x10001003, 0x00000280, 0xf0000001, 0xe0000781,
	}, k.Code)
}

func TestBuilder(t *testing.T) {
	b := asm.Builder{Arch: tesla.SM10}
	loop, end := b.PlaceHere(), b.Label()
	b.Add(asm.With(tesla.OpIAdd, 1, 1, 4))
	b.Jump(tesla.Instruction{Op: tesla.OpBra, Guard: tesla.Guard{Cond: tesla.CondE}}, end)
	b.Jump(tesla.Instruction{Op: tesla.OpBra}, loop)
	require.Equal(t, uint32(24), b.Here())
	b.Place(end)
	b.Exit()
	code, err := b.Code()
	require.NoError(t, err)
	require.Equal(t, []uint32{0x20048205, 3, 0x10003003, 0x100, 0x10000003, 0x780, 0xf0000001, 0xe0000781}, code)
}

func TestBuilderErrors(t *testing.T) {
	b := asm.Builder{Arch: tesla.SM10}
	b.Add(tesla.Instruction{Op: tesla.OpVote}) // of sm_12
	b.Jump(tesla.Instruction{Op: tesla.OpBra}, b.Label())
	_, err := b.Code()
	require.ErrorContains(t, err, "at 0x0: cannot encode Vote for sm_10: ")
	require.ErrorContains(t, err, "at 0x0: Bra to a label that is nowhere")
}
