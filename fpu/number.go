package fpu

import "math/bits"

// number is an exact finite value (-1)^neg * sig * 2^(exp-top). Values other than zero have their
// leading one at bit top, so exp is the exponent of that one. The lowest bit of sig may stand for
// everything below it.
type number struct {
	neg bool
	exp int
	sig wide
}

// top leaves one bit of sig for the carry of a sum.
const top = 126

// numberOf returns (-1)^neg * sig * 2^exp.
func numberOf(neg bool, sig wide, exp int) number {
	if sig.isZero() {
		return number{neg: neg}
	}
	n := sig.len() - 1 // position of the leading one
	if n > top {
		sig = sig.shrJam(n - top)
	} else {
		sig = sig.shl(top - n)
	}
	return number{neg, exp + n, sig}
}

func integer(neg bool, mag uint64) number { return numberOf(neg, wide{lo: mag}, 0) }

func (x number) isZero() bool { return x.sig.isZero() }

// plus returns x + y. It is exact except for bits more than 120 places below the larger one, which
// are jammed. A sum that cancels to zero takes the sign zeroNeg; the sum of two zeros of one sign
// keeps it.
func (x number) plus(y number, zeroNeg bool) number {
	switch {
	case x.isZero() && y.isZero():
		return number{neg: x.neg && y.neg || x.neg != y.neg && zeroNeg}
	case x.isZero():
		return y
	case y.isZero():
		return x
	}
	if x.exp < y.exp || x.exp == y.exp && x.sig.less(y.sig) {
		x, y = y, x
	}
	small := y.sig.shrJam(x.exp - y.exp)
	if x.neg == y.neg {
		return numberOf(x.neg, x.sig.add(small), x.exp-top)
	}
	sum := x.sig.sub(small)
	if sum.isZero() {
		return number{neg: zeroNeg}
	}
	return numberOf(x.neg, sum, x.exp-top)
}

// times returns x * y exactly, for factors of at most 64 significant bits.
func (x number) times(y number) number {
	const drop = top - 63
	hi, lo := bits.Mul64(x.sig.shr(drop).lo, y.sig.shr(drop).lo)
	return numberOf(x.neg != y.neg, wide{hi, lo}, x.exp+y.exp-2*63)
}
