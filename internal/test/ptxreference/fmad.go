package ptxreference

import (
	"math/bits"

	"jacquard/ptx"
)

// fmad is mad.f32 of sm_1x: the product is truncated to 24 bits, its exponent is not bounded, and
// the sum rounds to nearest. If an operand is zero, the product rounds to nearest instead.
// Subnormal operands and results are zeros (PTX ISA, "mad"; docs/isa, "fmad").
func fmad(a, b, c uint64) uint64 {
	f := arith{format: single, mode: ptx.RN, ftz: true}
	if r, ok := f.nanOf(a, b, c); ok {
		return r
	}
	x, y, z := addendOf(a), addendOf(b), addendOf(c)
	switch top := f.infinity(); {
	case c&top == top && a&top != top && b&top != top: // a product is not bounded
		return c
	case x.sig == 0 || y.sig == 0 || z.sig == 0:
		return f.add(f.mul(a, b), c, false)
	}
	product := x.sig * y.sig
	drop := bits.Len64(product) - 24
	return truncatedSum(
		addend{neg: x.neg != y.neg, sig: product >> drop, exp: x.exp + y.exp + drop}, z)
}

// addendOf takes a number apart. sig is 0 unless the number is normal.
func addendOf(x uint64) addend {
	e := int(x >> 23 & 0xff)
	if e == 0 || e == 0xff {
		return addend{}
	}
	return addend{neg: x&single.sign() != 0, sig: x&single.fraction() | 1<<23, exp: e - 127 - 23}
}

// addend is sig * 2^exp; sig has 24 bits.
type addend struct {
	neg bool
	sig uint64
	exp int
}

// truncatedSum adds with three bits below the greater addend's 24. The lowest of them is the OR of
// all bits from there down. A sum below 2^-126 rounds to a multiple of 2^-149 before it becomes a
// zero.
func truncatedSum(x, y addend) uint64 {
	if x.exp < y.exp || x.exp == y.exp && x.sig < y.sig {
		x, y = y, x
	}
	sum, low := x.sig<<3, jam(y.sig<<3, x.exp-y.exp)
	if x.neg == y.neg {
		sum += low
	} else {
		sum -= low
	}
	if sum == 0 {
		if x.neg && y.neg {
			return single.sign()
		}
		return 0
	}
	// The leading one goes to bit 27; e is then the biased exponent.
	lead := 28 - bits.Len64(sum)
	sum <<= lead
	e := x.exp + 24 + 127 - lead
	if e < 1 {
		sum >>= min(1-e, 63)
		e = 1
	}
	return packSum(x.neg, sum, e)
}

// packSum rounds a sum of 28 bits with biased exponent e.
func packSum(neg bool, sum uint64, e int) uint64 {
	sign := uint64(0)
	if neg {
		sign = single.sign()
	}
	m := sum >> 4
	if rest := sum & 15; rest > 8 || rest == 8 && m&1 != 0 {
		m++
	}
	if m>>24 != 0 {
		m, e = m>>1, e+1
	}
	switch {
	case m>>23 == 0:
		return sign
	case e > 254:
		return sign | single.infinity()
	}
	return sign | uint64(e)<<23 | m&single.fraction()
}

// jam shifts right. The lowest bit of the result is also set if any bit shifted out was set.
func jam(x uint64, n int) uint64 {
	if n >= 64 {
		return 1
	}
	r := x >> n
	if r<<n != x {
		r |= 1
	}
	return r
}
