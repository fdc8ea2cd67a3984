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

// condOf returns the number of a condition register operand, NoCond for none.
func condOf(o tesla.Operand) uint8 {
	if o.Kind == tesla.None {
		return tesla.NoCond
	}
	return o.Index
}

// condOperand is the reverse of condOf.
func condOperand(c uint8) *tesla.Operand {
	if c == tesla.NoCond {
		return &tesla.Operand{}
	}
	return &tesla.Operand{Kind: tesla.CondReg, Index: c}
}
