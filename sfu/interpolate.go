package sfu

import "math/bits"

// Row is a register of one warp: a word for each of 32 lanes. The row functions allow
// the destination to be the source.
type Row = [32]uint32

const (
	nan   = 0x7fffffff
	inf   = 0x7f800000
	sign  = 1 << 31
	one   = 0x3f800000
	bias  = 127
	carry = 1 << 24 // an interpolated significand that overflows its 24 bits
)

// segment holds the coefficients of a quadratic for one interval of a table.
type segment struct{ c0, c1, c2 int32 }

// sum is c0 * 2^shift + c1 * x + c2 * q * 2^scale, before rounding.
func (s *segment) sum(shift uint, x, q uint32, scale uint) int64 {
	return int64(s.c0)<<shift + int64(s.c1)*int64(x) + int64(s.c2)*int64(q)<<scale
}

// squareByBits is the square of a 17-bit x divided by 2^19 in the hardware's multiplier: each
// partial product loses its low bits before the addition.
func squareByBits(x uint32) uint32 {
	sum := uint32(0)
	for i := range 17 {
		if x>>i&1 == 1 {
			sum += x >> (18 - i)
		}
	}
	return sum >> 1
}

// square is squareByBits, faster. squareByBits sums 2^(i+j-18) over all pairs of set bits i and j
// of x with i+j >= 18. Split x into its upper 8 and lower 9 bits: all pairs inside the upper part
// count, no pairs inside the lower part do, and mixed pairs come twice. Another split leaves one
// full product of 4 bits by 4 and two corners of 16 pairs, whose sums are in a table.
func square(x uint32) uint32 {
	high, low := x>>9, x&0x1ff
	c, d := high>>4, high&15
	f, g := low>>5, low>>1&15
	mixed := c*f + uint32(corner[d<<4|f]) + uint32(corner[c<<4|g])
	return high*high>>1 + mixed
}

// split returns the stored exponent and the fraction of an f32.
func split(x uint32) (exp int, frac uint32) {
	return int(x >> 23 & 0xff), x & (1<<23 - 1)
}

// assemble returns the f32 with the given sign bit, stored exponent and significand. m has 24 bits
// or is carry. Results below 2^-126 are zeros.
func assemble(signBit uint32, exp int, m uint32) uint32 {
	if m == carry {
		exp, m = exp+1, m>>1
	}
	if exp <= 0 {
		return signBit
	}
	return signBit | uint32(exp)<<23 | m&(1<<23-1)
}

// normalize returns v * 2^-point as an f32, truncated to 24 bits; 0 gives a zero of the sign.
func normalize(signBit uint32, v uint64, point int) uint32 {
	if v == 0 {
		return signBit
	}
	n := bits.Len64(v)
	m := v << (64 - n) >> (64 - 24)
	return assemble(signBit, bias+n-1-point, uint32(m))
}
