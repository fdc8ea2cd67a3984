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
	return rsqrt(exp, frac, squareByBits)
}

// rsqrt takes the root of a positive number: pairs of powers of two go to the exponent,
// what is left is in [1, 4).
func rsqrt(exp int, frac uint32, square func(uint32) uint32) uint32 {
	k := (exp - bias) >> 1
	g := frac | uint32(exp-bias)&1<<23
	if g == 0 {
		return uint32(bias-k) << 23 // a power of four: exact
	}
	x := g & (1<<17 - 1)
	m := (rsqrtTable[g>>17].sum(14, x, square(x), 2) + 0x7fff) >> 16
	return assemble(0, bias-1-k, uint32(m))
}

// RsqrtRow is Rsqrt for each lane.
func RsqrtRow(d, a *Row) {
	for i, x := range a {
		exp, frac := split(x)
		if x-1<<23 >= inf-1<<23 {
			d[i] = Rsqrt(x)
			continue
		}
		d[i] = rsqrt(exp, frac, square)
	}
}
