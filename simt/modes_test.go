package simt_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// arithmetic runs one f32 instruction on two operands in thread 0 and returns the result
// and $c0.
func arithmetic(t *testing.T, arch tesla.Arch, modes simt.Modes, in tesla.Instruction, a, b uint32) [2]uint32 {
	t.Helper()
	space := mem.NewSpace(1 << 16)
	out, err := space.Alloc(8)
	require.NoError(t, err)
	reg := func(n uint8) tesla.Operand { return tesla.Operand{Kind: tesla.Reg, Index: n} }
	list := code(movImm(1, a), movImm(2, b), movImm(4, out))
	encode := func(in tesla.Instruction) {
		w0, w1, err := decoder.Encode(arch, in)
		require.NoError(t, err)
		list = append(list, w0, w1)
	}
	in.Type, in.Dst, in.CDst, in.Size = tesla.F32, reg(2), tesla.C0, 8
	in.Src[0].Kind, in.Src[0].Index = tesla.Reg, 1
	switch in.Op {
	case tesla.OpCvt:
		in.From = tesla.F32
	case tesla.OpFMad:
		in.Src[1], in.Src[2] = reg(2), reg(2)
	default:
		in.Src[1] = reg(2)
	}
	encode(in)
	encode(tesla.Instruction{Op: tesla.OpMovFromCond, Type: tesla.B32, Dst: reg(3), Src: [3]tesla.Operand{{Kind: tesla.CondReg}}})
	encode(tesla.Instruction{Op: tesla.OpStGlobal, Type: tesla.B64,
		Src: [3]tesla.Operand{{Kind: tesla.Global, Index: 14, Value: 4}, {Kind: tesla.Pair, Index: 2}}})
	list = append(list, exitNop0, exitNop1)
	p, err := simt.Lower(simt.Kernel{Name: "k", Arch: arch, Code: decoder.Kernel(arch, list), Registers: 5, Shared: 16, Modes: modes})
	require.NoError(t, err)
	_, err = simt.Run(&simt.Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{1, 1, 1}, Global: space})
	require.NoError(t, err)
	return [2]uint32(words(t, space, out, 2))
}

// The mode bits change exactly the results that they name.
func TestModes(t *testing.T) {
	const (
		one, inf, nan, denormal = 0x3f800000, 0x7f800000, 0x7fffffff, 7
		negative                = 0x80000000
	)
	zeroWins, nanZero := simt.Modes{MulZeroWins: true}, simt.Modes{SatNaNZero: true}
	mul := tesla.Instruction{Op: tesla.OpFMul}
	sat := func(op tesla.Op) tesla.Instruction { return tesla.Instruction{Op: op, Mods: tesla.Sat} }
	for _, c := range []struct {
		name  string
		arch  tesla.Arch
		modes simt.Modes
		in    tesla.Instruction
		a, b  uint32
		want  [2]uint32 // result and flags
	}{
		{"0 * inf", tesla.SM13, simt.Modes{}, mul, 0, inf, [2]uint32{nan, 3}},
		{"zero wins over inf", tesla.SM13, zeroWins, mul, 0, inf, [2]uint32{0, 1}},
		{"denormal wins over NaN", tesla.SM10, zeroWins, mul, denormal, nan, [2]uint32{0, 1}},
		{"zero wins over a sign", tesla.SM13, zeroWins, mul, negative, one, [2]uint32{0, 1}},
		{"zero wins, towards zero", tesla.SM13, zeroWins, tesla.Instruction{Op: tesla.OpFMul, Round: tesla.RZ}, 0, nan, [2]uint32{0, 1}},
		{"no zero to win", tesla.SM13, zeroWins, mul, one, inf, [2]uint32{inf, 0}},
		{"sat of NaN", tesla.SM13, simt.Modes{}, sat(tesla.OpFAdd), nan, one, [2]uint32{nan, 3}},
		{"sat of a NaN operand", tesla.SM13, nanZero, sat(tesla.OpFAdd), nan, one, [2]uint32{0, 1}},
		{"sat of a NaN it made, GT200", tesla.SM13, nanZero, sat(tesla.OpFAdd), inf, inf | negative, [2]uint32{nan, 3}},
		{"sat of a NaN it made, GT215", tesla.SM12, nanZero, sat(tesla.OpFAdd), inf, inf | negative, [2]uint32{0, 1}},
		{"sat of a NaN, G80", tesla.SM10, nanZero, sat(tesla.OpFAdd), nan, one, [2]uint32{nan, 3}},
		{"sat of a NaN factor", tesla.SM13, nanZero, sat(tesla.OpFMul), nan, one, [2]uint32{0, 1}},
		{"sat of a NaN addend", tesla.SM13, nanZero, sat(tesla.OpFMad), one, nan, [2]uint32{0, 1}},
		{"sat of a number", tesla.SM13, nanZero, sat(tesla.OpFMad), one, one, [2]uint32{one, 0}},
		{"sat of a converted NaN", tesla.SM13, nanZero, sat(tesla.OpCvt), nan, 0, [2]uint32{0, 1}},
		{"NaN without sat", tesla.SM13, nanZero, mul, nan, one, [2]uint32{nan, 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, arithmetic(t, c.arch, c.modes, c.in, c.a, c.b))
		})
	}
}
