package fpu

import "math/bits"

// wide is an unsigned 128-bit integer, for the product of two f64 significands and the bits that an
// alignment shifts out.
type wide struct{ hi, lo uint64 }

func (x wide) isZero() bool { return x.hi|x.lo == 0 }

// len is the number of bits up to and including the leading one.
func (x wide) len() int {
	if x.hi != 0 {
		return 64 + bits.Len64(x.hi)
	}
	return bits.Len64(x.lo)
}

func (x wide) shl(n int) wide {
	u := uint(n)
	return wide{x.hi<<u | x.lo>>(64-u) | x.lo<<(u-64), x.lo << u}
}

func (x wide) shr(n int) wide {
	u := uint(n)
	return wide{x.hi >> u, x.lo>>u | x.hi<<(64-u) | x.hi>>(u-64)}
}

// shrJam shifts right and ORs every bit shifted out into the lowest bit, so that a later rounding
// sees them.
func (x wide) shrJam(n int) wide {
	if n <= 0 {
		return x
	}
	y := x.shr(n)
	if y.shl(n) != x {
		y.lo |= 1
	}
	return y
}

func (x wide) add(y wide) wide {
	lo, c := bits.Add64(x.lo, y.lo, 0)
	hi, _ := bits.Add64(x.hi, y.hi, c)
	return wide{hi, lo}
}

func (x wide) sub(y wide) wide {
	lo, c := bits.Sub64(x.lo, y.lo, 0)
	hi, _ := bits.Sub64(x.hi, y.hi, c)
	return wide{hi, lo}
}

func (x wide) less(y wide) bool {
	return x.hi < y.hi || x.hi == y.hi && x.lo < y.lo
}
