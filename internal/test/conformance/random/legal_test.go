package random

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/machine"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// Lowering refuses the instructions that hardware refuses, by a second reading of docs/isa.
func TestRefusals(t *testing.T) {
	refused := 0
	for _, arch := range tesla.Archs {
		f, err := ReadForms(arch, "../../../../decoder/testdata/decode-vectors.csv.gz")
		require.NoError(t, err)
		r := rand.New(rand.NewPCG(1, uint64(arch)))
		for range 5000 {
			in := f.candidate(r)
			p, err := program.Lower(program.Kernel{Arch: arch, Code: []tesla.Instruction{in}, Registers: 20})
			require.NoError(t, err)
			got := p.Code[0].Refusal
			require.Equal(t, illegal(&in), got != nil, "%s %s: %v", arch, &in, got)
			if got != nil {
				require.Equal(t, machine.FaultIllegalInstruction, machine.RefusedKind(got))
				refused++
			}
		}
	}
	require.Greater(t, refused, 200)
}

// illegal reports whether hardware refuses an instruction (docs/isa/machine.md, General registers;
// docs/isa/memory.md, Sizes).
func illegal(in *tesla.Instruction) bool {
	for _, o := range []*tesla.Operand{&in.Dst, &in.Src[0], &in.Src[1], &in.Src[2]} {
		if o.Kind == tesla.Pair && o.Index%2 != 0 || o.Kind == tesla.Quadruple && o.Index%4 != 0 || o.Post && o.Base == 0 {
			return true
		}
	}
	o := &in.Src[0]
	return o.Kind == tesla.Shared && in.Op != tesla.OpLdShared && in.Op != tesla.OpStShared && !accepts(in, o.Type)
}

// accepts reports whether an operation takes an operand in s[] of an access type. That signed
// 16-bit operations take u8 is Unverified.
func accepts(in *tesla.Instruction, access tesla.Type) bool {
	operand := in.Type
	if in.Op == tesla.OpCvt {
		operand = in.From
	} else if in.Op == tesla.OpIMul && operand == tesla.B16 {
		operand = in.Src[0].As
	}
	narrow := map[tesla.Type][]tesla.Type{
		tesla.U8:  {tesla.U8},
		tesla.S8:  {tesla.U8},
		tesla.B16: {tesla.U8, tesla.U16, tesla.S16},
		tesla.F16: {tesla.U8, tesla.U16, tesla.S16},
		tesla.U16: {tesla.U8, tesla.U16},
		tesla.S16: {tesla.U8, tesla.S16},
	}
	takes, isNarrow := narrow[operand]
	for _, t := range takes {
		if t == access {
			return true
		}
	}
	return !isNarrow
}
