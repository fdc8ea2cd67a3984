package fpu

// Flags are the four condition bits of a result, as a condition register holds them.
type Flags uint8

// The condition bits. A floating-point result has Zero and Sign clear if it is greater
// than zero, both set if it is a NaN; Carry is always clear.
const (
	Zero Flags = 1 << iota
	Sign
	Carry
	Overflow
)

// FlagsOf returns the flags of an f32 result.
func FlagsOf(r uint32) Flags { return single.flags(uint64(r)) }

// Flags64 returns the flags of an f64 result.
func Flags64(r uint64) Flags { return double.flags(r) }

// Flags16 returns the flags of an f16 result.
func Flags16(r uint16) Flags { return half.flags(uint64(r)) }

// FlagsSelect returns the flags of the result of Select as a word, not a number: a NaN is like any
// other word.
func FlagsSelect(r uint32) Flags {
	switch {
	case r&^sign32 == 0:
		return Zero
	case r&sign32 != 0:
		return Sign
	}
	return 0
}

func (f format) flags(r uint64) Flags {
	switch {
	case f.isNaN(r):
		return Zero | Sign
	case f.isZero(r):
		return Zero
	case f.neg(r):
		return Sign
	}
	return 0
}

// integerFlags returns the flags of an integer result n bits wide.
func integerFlags(r uint64, n int) (f Flags) {
	if r == 0 {
		f |= Zero
	}
	if r>>(n-1)&1 == 1 {
		f |= Sign
	}
	return f
}

// FlagsRow returns, for the f32 results of a warp, the lanes whose Zero and Sign are set,
// bit i for lane i.
func FlagsRow(r *Row) (zero, sign uint32) {
	for i := 0; i < 32; i += 4 {
		r := (*[4]uint32)(r[i:])
		z0, s0 := zeroSign(r[0])
		z1, s1 := zeroSign(r[1])
		z2, s2 := zeroSign(r[2])
		z3, s3 := zeroSign(r[3])
		zero = zero>>4 | z0>>3&(1<<28) | z1>>2&(1<<29) | z2>>1&(1<<30) | z3&(1<<31)
		sign = sign>>4 | s0>>3&(1<<28) | s1>>2&(1<<29) | s2>>1&(1<<30) | s3&(1<<31)
	}
	return zero, sign
}

// zeroSign returns the flags Zero and Sign of an f32 in bit 31 of two words.
func zeroSign(x uint32) (zero, sign uint32) {
	m := x &^ sign32
	nan := m + (1<<31 - 1 - inf32)
	none := m - 1 // bit 31: the magnitude is zero
	return none | nan, x&^none | nan
}
