package verify

import (
	"jacquard/simt"
	"jacquard/simt/engine/reference"
	"jacquard/simt/engine/reference/alu"
	"jacquard/tesla"
)

// evaluate computes the answer of a row with the operations of the reference engine.
func evaluate(f *form, r *Row) outcome {
	if f.in.Op == tesla.OpAtom {
		v, _ := alu.Atomic(f.in.Atom, f.in.Type, r.A.Bits, r.B.Bits, r.C.Bits)
		return outcome{r: v, r2: r.A.Bits, hasR2: true}
	}
	o := reference.Operation{
		In:     &f.in,
		Kernel: &simt.Kernel{Arch: arch, Modes: simt.Modes{MulZeroWins: f.zeroWins}},
		A:      r.A.Bits, B: r.B.Bits, C: r.C.Bits, Flags: uint8(r.CCIn.Bits),
	}
	v := o.Compute()
	return outcome{r: v.Value, flags: v.Flags, hasFlags: f.flags}
}
