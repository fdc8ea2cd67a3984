package fpu

import (
	"math"
	"math/bits"
)

// Mad returns a * b + c in f32 like the multiply-add instruction: the product is truncated to 24
// significant bits, not rounded, and has no exponent limits; the sum is rounded to nearest. With a
// zero addend the product is rounded to nearest instead.
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

// roundMad rounds the adder's result to nearest. A sum below 2^-126 is first shifted to the
// denormal grid, which drops bits, then rounded, then flushed.
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

// dropped are the bits of an f64 that do not fit in an f32.
const dropped = 1<<29 - 1

// MadRow is Mad for each lane. The f64 product of two f32 is exact; it is truncated to 24 bits. The
// sum in f64 is rounded again on the way to f32, which is harmless because 53 bits are more than
// twice 24.
func MadRow(d, a, b, c *Row) {
	// From these magnitudes on, product and addend are multiples of 2^-126, so that no
	// sum of them is denormal.
	const (
		factor = (127 - 51) << 23
		addend = (1 + 24) << 23
	)
	if !tame(a, factor, inf32) || !tame(b, factor, inf32) || !tame(c, addend, inf32) {
		madCareful(d, a, b, c)
		return
	}
	x, y, z, w := floats(a), floats(b), floats(c), floats(d)
	for i := 0; i < 32; i += 8 {
		x, y, z := (*[8]float32)(x[i:]), (*[8]float32)(y[i:]), (*[8]float32)(z[i:])
		c, w := (*[8]uint32)(c[i:]), (*[8]float32)(w[i:])
		w[0] = mad(x[0], y[0], z[0], c[0])
		w[1] = mad(x[1], y[1], z[1], c[1])
		w[2] = mad(x[2], y[2], z[2], c[2])
		w[3] = mad(x[3], y[3], z[3], c[3])
		w[4] = mad(x[4], y[4], z[4], c[4])
		w[5] = mad(x[5], y[5], z[5], c[5])
		w[6] = mad(x[6], y[6], z[6], c[6])
		w[7] = mad(x[7], y[7], z[7], c[7])
	}
}

func madCareful(d, a, b, c *Row) {
	for i := range d {
		d[i] = madLane(a[i], b[i], c[i])
	}
}

func madLane(a, b, c uint32) uint32 {
	c = flush(c)
	if c&^sign32 == 0 {
		return addLane(mulLane(a, b), c)
	}
	x, y := math.Float32frombits(flush(a)), math.Float32frombits(flush(b))
	return canonical(flush(math.Float32bits(mad(x, y, math.Float32frombits(c), c))))
}

// mad is the multiply-add of normal numbers and zeros; z and c are the same. With a zero addend the
// product is not truncated.
func mad(x, y, z float32, c uint32) float32 {
	keep := ^uint64(dropped)
	if c<<1 == 0 {
		keep = ^uint64(0)
	}
	product := math.Float64bits(float64(x)*float64(y)) & keep
	return float32(math.Float64frombits(product) + float64(z))
}
