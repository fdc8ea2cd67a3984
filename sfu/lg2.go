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
	return lg2(exp, frac, squareByBits)
}

// lg2 adds the exponent to the logarithm of the significand, in fixed point with 36
// fraction bits. The unit takes the one's complement for the magnitude of a negative
// sum, so lg2(0.5) misses -1 by a bit.
func lg2(exp int, frac uint32, square func(uint32) uint32) uint32 {
	const point = 36
	if exp == bias && frac == 0 {
		return 0
	}
	x := frac & (1<<17 - 1)
	l := (lg2Table[frac>>17].sum(12, x, square(x), 1)+0x3345)>>2 + int64(exp-bias)<<point
	signs := l >> 63
	return normalize(uint32(signs)&sign, uint64(l^signs), point)
}

// Lg2Row is Lg2 for each lane.
func Lg2Row(d, a *Row) {
	for i, x := range a {
		exp, frac := split(x)
		if x-1<<23 >= inf-1<<23 {
			d[i] = Lg2(x)
			continue
		}
		d[i] = lg2(exp, frac, square)
	}
}
