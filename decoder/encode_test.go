package decoder

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/vectors"
	"jacquard/tesla"
)

// Decoding an encoded instruction gives the same instruction, for every valid vector.
func TestEncode(t *testing.T) {
	for _, file := range vectors.Files {
		for _, v := range readVectors(t, file) {
			if !v.Valid {
				continue
			}
			in := Decode(v.arch, v.w0, v.w1)
			requireEncodes(t, v.arch, in)
		}
	}
}

func requireEncodes(t *testing.T, a tesla.Arch, in tesla.Instruction) {
	t.Helper()
	w0, w1, err := Encode(a, in)
	require.NoError(t, err, "%08x: %s", in.Raw, in)
	back := Decode(a, w0, w1)
	back.Raw = in.Raw
	require.Equal(t, in, back)
}

// The encoder finds a form by itself, with or without the size.
func TestEncodeWithoutForm(t *testing.T) {
	for _, v := range readVectors(t, vectors.Wild) {
		if !v.Valid || v.arch != tesla.SM13 {
			continue
		}
		want := Decode(v.arch, v.w0, v.w1)
		for _, size := range []uint8{want.Size, 0} {
			in := want
			in.Form, in.Size = 0, size
			w0, w1, err := Encode(v.arch, in)
			require.NoError(t, err, v.name)
			back := Decode(v.arch, w0, w1)
			back.Raw, back.Form, in.Form = in.Raw, 0, 0
			if size == 0 {
				back.Size = 0
			}
			in.Raw = want.Raw
			require.Equal(t, in, back, v.name)
		}
	}
}

// A form that does not exist is ignored.
func TestEncodeUnknownForm(t *testing.T) {
	in := Decode(tesla.SM13, 0x20000409, 0x04008780)
	for _, form := range []tesla.Form{tesla.Form(tesla.Forms), math.MaxUint16} {
		in.Form = form
		w0, w1, err := Encode(tesla.SM13, in)
		require.NoError(t, err)
		require.Equal(t, in.Raw, [2]uint32{w0, w1})
	}
}

// Compilers' encodings without stray bits are reproduced bit for bit. Compilers fill the ignored
// condition field of call and joinat in two ways, so the test skips these.
func TestEncodeAsCompilersDo(t *testing.T) {
	n := 0
	for _, file := range vectors.Files {
		for _, v := range readVectors(t, file) {
			in := Decode(v.arch, v.w0, v.w1)
			made := v.kind == "cubin" || v.kind == "wild" && file == vectors.Wild
			if !v.Valid || !made || v.Unused != 0 || in.Op == tesla.OpCall || in.Op == tesla.OpJoinAt {
				continue
			}
			w0, w1, err := Encode(v.arch, in)
			require.NoError(t, err, v.name)
			require.Equal(t, [2]uint32{v.w0, v.w1}, [2]uint32{w0, w1}, "%s: %s", v.name, in)
			n++
		}
	}
	require.NotZero(t, n)
}

// An instruction with only an operation encodes.
func TestEncodeZero(t *testing.T) {
	for op, text := range map[tesla.Op]string{tesla.OpNop: "nop", tesla.OpRet: "ret", tesla.OpTrap: "trap", tesla.OpBreak: "break"} {
		w0, w1, err := Encode(tesla.SM10, tesla.Instruction{Op: op})
		require.NoError(t, err)
		require.Equal(t, text, Decode(tesla.SM10, w0, w1).String())
	}
}

func TestEncodeErrors(t *testing.T) {
	reg := func(n uint8) tesla.Operand { return tesla.Operand{Kind: tesla.Reg, Index: n} }
	plain := tesla.Instruction{

		Op: tesla.OpIAdd, Type: tesla.B32, Dst: reg(1), Src: [3]tesla.Operand{reg(2), reg(3)},
	}
	_, _, err := Encode(tesla.SM10, plain)
	require.NoError(t, err)
	tests := []struct {
		name   string
		arch   tesla.Arch
		change func(*tesla.Instruction)
		reason string
	}{
		{"no operation", tesla.SM10, func(in *tesla.Instruction) { in.Op = tesla.OpInvalid }, "no such operation"},
		{"unknown operation", tesla.SM10, func(in *tesla.Instruction) { in.Op = tesla.Op(tesla.Ops) }, "no such operation"},
		{"newer architecture", tesla.SM10, func(in *tesla.Instruction) { in.Op = tesla.OpVote }, "the architecture has no such instruction"},
		{"register number", tesla.SM10, func(in *tesla.Instruction) { in.Src[0] = reg(128) }, "no form"},
		{"register too high for a short form", tesla.SM10, func(in *tesla.Instruction) { in.Size, in.Src[0] = 4, reg(64) }, "no form"},
		{"negated source", tesla.SM10, func(in *tesla.Instruction) { in.Src[0].Neg = true }, "no form"},
		{"guard of a short form", tesla.SM10, func(in *tesla.Instruction) { in.Size, in.Guard = 4, tesla.Guard{Cond: tesla.CondE} }, "no form"},
		{"two constants", tesla.SM10, func(in *tesla.Instruction) {
			in.Src[0] = tesla.Operand{Kind: tesla.Const, Type: tesla.B32}
			in.Src[1] = in.Src[0]
		}, "no form"},
		{"offset between units", tesla.SM10, func(in *tesla.Instruction) {
			in.Src[0] = tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Value: 2}
		}, "no form"},
		{"two address registers", tesla.SM10, func(in *tesla.Instruction) {
			in.Src[0] = tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Base: 1}
			in.Src[1] = tesla.Operand{Kind: tesla.Const, Type: tesla.B32, Base: 2}
		}, "no form"},
		{"carry and guard in different registers", tesla.SM10, func(in *tesla.Instruction) {
			in.Arith, in.CarryIn, in.Guard = tesla.AddC, tesla.C1, tesla.Guard{Reg: 2, Cond: tesla.CondE}
		}, "no form"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := plain
			test.change(&in)
			_, _, err := Encode(test.arch, in)
			var failure *EncodeError
			require.ErrorAs(t, err, &failure)
			require.Contains(t, failure.Reason, test.reason)
			require.Contains(t, err.Error(), in.Op.String())
		})
	}
}
