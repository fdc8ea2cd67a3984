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

// FlagsSelect returns the flags of the result of Select, which is not looked at as a
// number: a NaN is like any other word.
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
