package sfu

// Lg2 returns the binary logarithm of x. A zero gives -inf, a negative number NaN.
func Lg2(x uint32) uint32 {
	exp, frac := split(x)
	switch {
	case x&^sign > inf:
		return nan
	case exp == 0:
		return sign | inf
	case x&sign != 0:
		return nan
	case exp == 255:
		return inf
	}
	return lg2(exp, frac, squareByBits(frac&(1<<17-1)))
}

// lg2 adds the exponent to the logarithm of the significand, in fixed point with 36 fraction bits.
// The unit takes the one's complement as the magnitude of a negative sum, so lg2(0.5) misses -1 by
// a bit. q is the square of the low 17 bits of frac.
func lg2(exp int, frac, q uint32) uint32 {
	const point = 36
	if exp == bias && frac == 0 {
		return 0
	}
	l := (lg2Table[frac>>17&63].sum(12, frac&(1<<17-1), q, 1)+0x3345)>>2 + int64(exp-bias)<<point
	signs := l >> 63
	return normalize(uint32(signs)&sign, uint64(l^signs), point)
}

// Lg2Row is Lg2 for each lane.
func Lg2Row(d, a *Row) {
	for i, x := range a {
		if x-1<<23 >= inf-1<<23 {
			d[i] = Lg2(x)
			continue
		}
		exp, frac := split(x)
		d[i] = lg2(exp, frac, square(frac&(1<<17-1)))
	}
}
