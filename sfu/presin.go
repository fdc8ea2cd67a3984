package sfu

// PreSin reduces the argument of Sin and Cos: x * 2/pi modulo 4, in fixed point with 23 fraction
// bits, with the sign of x in bit 31. The unit has 24 bits of 2/pi, so large arguments are inexact.
func PreSin(x uint32) uint32 {
	const twoOverPi = 0xa2f983
	signBit := x & sign
	exp, frac := split(x)
	switch {
	case x&^sign > inf:
		return signBit | invalid
	case exp == 255:
		return signBit | tooLarge
	case exp == 0:
		return signBit
	}
	p := uint64(frac|1<<23) * twoOverPi >> 16
	if s := exp - bias - 8; s >= 0 {
		p <<= uint(s)
	} else {
		p >>= uint(-s)
	}
	return signBit | uint32(p)&(1<<25-1)
}

// Words that mean "not a number" to Sin, Cos and Ex2: bit 30 is set, and Ex2 tests bit 23, too.
const (
	invalid  = 0x40000000
	tooLarge = 0x40800000
)

// PreSinRow is PreSin for each lane.
func PreSinRow(d, a *Row) {
	for i, x := range a {
		d[i] = PreSin(x)
	}
}
