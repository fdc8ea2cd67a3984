package sfu

// PreEx2 makes the argument of Ex2: x in fixed point with 23 fraction bits, its sign in
// bit 31. Magnitudes from 128 on are too large for the format.
func PreEx2(x uint32) uint32 {
	signBit := x & sign
	exp, frac := split(x)
	switch s := exp - bias; {
	case x&^sign > inf:
		return signBit | invalid
	case exp == 0:
		return signBit
	case s >= 7:
		return signBit | tooLarge
	case s >= 0:
		return signBit | (frac|1<<23)<<uint(s)
	default:
		return signBit | (frac|1<<23)>>uint(-s)
	}
}

// PreEx2Row is PreEx2 for each lane.
func PreEx2Row(d, a *Row) {
	for i, x := range a {
		d[i] = PreEx2(x)
	}
}

// Ex2 returns 2 to a power in the format of PreEx2.
func Ex2(x uint32) uint32 {
	switch {
	case x&tooLarge == invalid:
		return nan
	case x&tooLarge == tooLarge && x&sign != 0:
		return 0
	case x&tooLarge == tooLarge:
		return inf
	}
	exp, frac := power(x)
	return ex2(exp, frac, squareByBits(frac&(1<<17-1)))
}

// power splits x into an integer and a fraction that is not negative. A negative x takes its one's
// complement, unless it is an integer.
func power(x uint32) (exp int, frac uint32) {
	exp, frac = split(x)
	if x&sign == 0 {
		return exp, frac
	}
	if frac == 0 {
		return -exp, 0
	}
	return ^exp, ^frac & (1<<23 - 1)
}

// ex2 is 2^(exp + frac/2^23); q is the square of the low 17 bits of frac.
func ex2(exp int, frac, q uint32) uint32 {
	m := (ex2Table[frac>>17&63].sum(13, frac&(1<<17-1), q, 0) + 0x77e2) >> 15
	return assemble(0, exp+bias, uint32(m))
}

// Ex2Row is Ex2 for each lane.
func Ex2Row(d, a *Row) {
	for i, x := range a {
		if x&invalid != 0 {
			d[i] = Ex2(x)
			continue
		}
		exp, frac := power(x)
		d[i] = ex2(exp, frac, square(frac&(1<<17-1)))
	}
}
