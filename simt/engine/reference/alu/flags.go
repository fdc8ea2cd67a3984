package alu

// The bits of a condition register (docs/isa/machine.md, Condition registers).
const (
	Z uint8 = 1 << iota // zero
	S                   // sign
	C                   // carry
	O                   // signed overflow
)

// Result returns the low width bits of r, and flags with their Z and S.
func Result(r uint32, width int, flags uint8) (uint32, uint8) {
	r = Extend(r, width, false)
	if r == 0 {
		flags |= Z
	}
	if r>>(width-1) != 0 {
		flags |= S
	}
	return r, flags
}

// Truth returns the flags of a comparison: S alone for true, Z alone for false.
func Truth(holds bool) uint8 {
	if holds {
		return S
	}
	return Z
}

// Extend extends the low width bits (1 to 32) of a by zeros or, if signed, by their top bit.
func Extend(a uint32, width int, signed bool) uint32 {
	up := 32 - width
	if signed {
		return uint32(int32(a<<up) >> up)
	}
	return a << up >> up
}

// number returns the value of the low width bits of a.
func number(a uint32, width int, signed bool) int64 {
	if signed {
		return int64(int32(Extend(a, width, true)))
	}
	return int64(Extend(a, width, false))
}
