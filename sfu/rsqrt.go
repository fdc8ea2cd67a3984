package sfu

// Rsqrt returns 1/sqrt(x). A zero gives an infinity of its sign, a negative number NaN.
func Rsqrt(x uint32) uint32 {
	exp, frac := split(x)
	switch {
	case x&^sign > inf:
		return nan
	case exp == 0:
		return x&sign | inf
	case x&sign != 0:
		return nan
	case exp == 255:
		return 0
	}
	g := fold(exp, frac)
	return rsqrt(exp, g, squareByBits(g&(1<<17-1)))
}

// fold returns the significand after pairs of powers of two moved to the exponent: bit 23 separates
// [2, 4) from [1, 2).
func fold(exp int, frac uint32) uint32 {
	return frac | uint32(exp-bias)&1<<23
}

// rsqrt is the function of a positive number; q is the square of the low 17 bits of g.
func rsqrt(exp int, g, q uint32) uint32 {
	k := (exp - bias) >> 1
	if g == 0 {
		return uint32(bias-k) << 23 // a power of four: exact
	}
	m := (rsqrtTable[g>>17&127].sum(14, g&(1<<17-1), q, 2) + 0x7fff) >> 16
	return assemble(0, bias-1-k, uint32(m))
}

// RsqrtRow is Rsqrt for each lane.
func RsqrtRow(d, a *Row) {
	for i, x := range a {
		if x-1<<23 >= inf-1<<23 {
			d[i] = Rsqrt(x)
			continue
		}
		exp, frac := split(x)
		g := fold(exp, frac)
		d[i] = rsqrt(exp, g, square(g&(1<<17-1)))
	}
}
