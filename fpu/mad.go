package fpu

import "math/bits"

// Mad returns a * b + c in f32 as the multiply-add instruction computes it: the product
// is cut to 24 significant bits, not rounded, and has no exponent limits; the sum is
// rounded to nearest. With a zero addend the product is rounded to nearest instead.
func Mad(a, b, c uint32) uint32 {
	a, b, c = flush(a), flush(b), flush(c)
	zero := a&^sign32 == 0 || b&^sign32 == 0 || c&^sign32 == 0
	switch {
	case a&inf32 == inf32 || b&inf32 == inf32 || zero && c&inf32 != inf32:
		return Add(Mul(a, b, RN), c, RN)
	case c&inf32 == inf32:
		return canonical(c) // a product of numbers is finite, however large
	}
	sa, ea := significand(a)
	sb, eb := significand(b)
	st, et := uint64(sa)*uint64(sb), ea+eb-127 // 47 or 48 bits
	n := bits.Len64(st)
	st, et = st>>(n-24), et+n-47
	sc, ec := significand(c)
	return roundMad(sumMad((a^b)&sign32, st, et, c&sign32, uint64(sc), ec))
}

// significand splits a flushed number that is not zero into its 24 bits and its stored exponent.
func significand(x uint32) (sig uint32, exp int) {
	return x&(1<<23-1) | 1<<23, int(x >> 23 & 0xff)
}

// sumMad adds two 24-bit significands with signs and stored exponents in the 28-bit
// adder: three bits below the significand, the last of them sticky. The sum's leading
// one is at bit 27.
func sumMad(sx uint32, x uint64, ex int, sy uint32, y uint64, ey int) (sign uint32, sum uint64, exp int) {
	if ex < ey || ex == ey && x < y {
		sx, x, ex, sy, y, ey = sy, y, ey, sx, x, ex
	}
	x, y = x<<3, wide{lo: y << 3}.shrJam(ex-ey).lo
	if sx == sy {
		sum = x + y
	} else {
		sum = x - y
	}
	if sum == 0 {
		return sx & sy, 0, 0
	}
	n := bits.Len64(sum)
	return sx, sum << (28 - n), ex + n - 27
}

// roundMad rounds the adder's result to nearest. Below 2^-126 the sum is first shifted
// to the denormal grid, losing what falls out, then rounded, then flushed.
func roundMad(sign uint32, sum uint64, exp int) uint32 {
	if sum == 0 {
		return sign
	}
	if exp < 1 {
		sum, exp = sum>>uint(1-exp), 1
	}
	m := shiftRound(wide{lo: sum}, 4, RN)
	switch {
	case m < 1<<23:
		return sign
	case exp+int(m>>24) >= 255:
		return sign | inf32
	}
	return sign | uint32(uint64(exp-1)<<23+m)
}
