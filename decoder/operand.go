package decoder

import "jacquard/tesla"

// offset scales an offset field to bytes; in a post-increment the field is signed.
func offset(v uint64, width, unit uint, step bool) uint32 {
	if step {
		return uint32(signed(v, width)) * uint32(unit)
	}
	return uint32(v) * uint32(unit)
}

// signed extends the sign of a field of width bits.
func signed(v uint64, width uint) int64 { return int64(v<<(64-width)) >> (64 - width) }

// condOf returns the condition register in an operand.
func condOf(o tesla.Operand) tesla.CReg {
	if o.Kind == tesla.None {
		return tesla.NoCond
	}
	return tesla.C0 + tesla.CReg(o.Index)
}

// condOperand is the reverse of condOf.
func condOperand(c tesla.CReg) *tesla.Operand {
	if c == tesla.NoCond {
		return &tesla.Operand{}
	}
	return &tesla.Operand{Kind: tesla.CondReg, Index: c.Index()}
}
