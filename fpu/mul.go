package fpu

// Mul returns a * b in f32, rounded once in mode RN or RZ, with denormals flushed.
func Mul(a, b uint32, r Round) uint32 {
	a, b = flush(a), flush(b)
	x, y := uint64(a), uint64(b)
	sign := (a ^ b) & sign32
	anyInf := single.isInf(x) || single.isInf(y)
	anyZero := single.isZero(x) || single.isZero(y)
	switch {
	case isNaN(a) || isNaN(b) || anyInf && anyZero:
		return NaN
	case anyInf:
		return sign | inf32
	case anyZero:
		return sign
	default:
		return uint32(single.round(single.unpack(x).times(single.unpack(y)), r, flushed))
	}
}

// MulZeroWins is Mul under the mode bit MUL_ZERO_WINS: a zero or denormal factor makes
// the product +0, whatever the other factor is.
func MulZeroWins(a, b uint32, r Round) uint32 {
	if a&inf32 == 0 || b&inf32 == 0 {
		return 0
	}
	return Mul(a, b, r)
}
