package tesla

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOperandText(t *testing.T) {
	tests := []struct {
		o    Operand
		want string
	}{
		{Operand{}, ""},
		{Operand{Kind: Reg, Index: 127}, "$r127"},
		{Operand{Kind: Half, Index: 6}, "$r3l"},
		{Operand{Kind: Half, Index: 7}, "$r3h"},
		{Operand{Kind: Pair, Index: 4}, "$r4d"},
		{Operand{Kind: Quadruple, Index: 8}, "$r8q"},
		{Operand{Kind: Discard}, "#"},
		{Operand{Kind: CondReg, Index: 2}, "$c2"},
		{Operand{Kind: AddrReg}, "0x0"},
		{Operand{Kind: AddrReg, Index: 3}, "$a3"},
		{Operand{Kind: Imm, Value: 0xdeadbeef}, "0xdeadbeef"},
		{Operand{Kind: Shared, Type: S16, Value: 0x10}, "s16 s[0x10]"},
		{Operand{Kind: Shared, Type: B32, Base: 2}, "b32 s[$a2]"},
		{Operand{Kind: Shared, Type: U8, Base: 1, Post: true, Value: 0xfffffffc}, "u8 s[$a1++0xfffffffffffffffc]"},
		{Operand{Kind: Shared, Type: U8, Post: true, Value: 4}, "u8 s[0x0++0x4]"},
		{Operand{Kind: Const, Type: B32, Index: 15, Base: 4, Value: 8}, "c15[$a4+0x8]"},
		{Operand{Kind: Local, Value: 0x106}, "l[0x106]"},
		{Operand{Kind: Global, Index: 14, Value: 6}, "g14[$r6]"},
		{Operand{Kind: Special, Index: 1}, "$clock"},
		{Operand{Kind: Special, Index: 9}, "$sr9"},
		{Operand{Kind: Output, Value: 8}, "o[0x8]"},
		{Operand{Kind: InvalidOperand}, "???"},
	}
	for _, test := range tests {
		require.Equal(t, test.want, test.o.String())
	}
}

func TestGuardText(t *testing.T) {
	require.Equal(t, "", Guard{}.String())
	require.Equal(t, "(never)", Guard{Reg: 1, Cond: CondNever}.String())
	require.Equal(t, "(lgu $c3)", Guard{Reg: 3, Cond: CondLGU}.String())
}

// An instruction without a form prints its words.
func TestNoForm(t *testing.T) {
	require.Equal(t, "??? 0x00000002", Instruction{Size: 4, Raw: [2]uint32{2}}.String())
	require.Equal(t, "??? 0x00000001 0x00000003", Instruction{Size: 8, Raw: [2]uint32{1, 3}}.String())
	require.Equal(t, "??? 0x00000000", Instruction{Form: Form(Forms)}.String())
}

// Members outside their range do not stop the printer.
func TestBadMembers(t *testing.T) {
	for f := range Forms {
		in := Instruction{
			Form: Form(f), Bad: BadOperand, Size: 8, Round: 9, Arith: 9, Type: 99, From: 99, Logic: 9, Cmp: 99, Atom: 99,
			Quad: [4]Arith{9, 9, 9, 9}, QuadLane: 99, Idle: 99, Marker: 9,
			Src: [3]Operand{{Kind: 99, As: 99}, {Kind: 99, As: 99}, {Kind: 99}},
		}
		require.Contains(t, in.String(), "???")
	}
}

// The zero value of every member means that it is absent.
func TestZeroInstruction(t *testing.T) {
	in := Instruction{Op: OpNop}
	for f := range Forms {
		if formNames[f] == "LF7a" {
			in.Form = Form(f)
		}
	}
	require.Equal(t, "nop", in.String())
	require.Empty(t, in.CDst.String())
	require.Empty(t, in.CarryIn.String())
	require.Equal(t, "$c3", C3.String())
}
