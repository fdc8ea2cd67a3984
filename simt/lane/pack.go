package lane

import "math/bits"

// The functions of this file turn a property of 32 lanes into a mask. A subtraction borrows exactly
// in the lanes that have the property, and adding the mask to itself with that borrow shifts it in:
// two instructions per lane with a compiler that knows math/bits. Lane 31 goes first, so lane 0
// ends in bit 0. Unrolling by more than four makes the compiler spill.

// below returns the lanes in which a&mask < limit.
func below(a *Row, mask, limit uint64) Mask {
	var m, c uint64
	for i := Width - 4; i >= 0; i -= 4 {
		a := (*[4]uint32)(a[i:])
		_, c = bits.Sub64(uint64(a[3])&mask, limit, 0)
		m, _ = bits.Add64(m, m, c)
		_, c = bits.Sub64(uint64(a[2])&mask, limit, 0)
		m, _ = bits.Add64(m, m, c)
		_, c = bits.Sub64(uint64(a[1])&mask, limit, 0)
		m, _ = bits.Add64(m, m, c)
		_, c = bits.Sub64(uint64(a[0])&mask, limit, 0)
		m, _ = bits.Add64(m, m, c)
	}
	return Mask(m)
}

// nonzero returns the lanes in which a&mask is not 0.
func nonzero(a *Row, mask uint64) Mask { return ^below(a, mask, 1) }

// less returns the lanes in which a^flip < b^flip, unsigned. flip is 0, or 1<<31 for a signed
// comparison.
func less(a, b *Row, flip uint32) Mask {
	var m, c uint64
	for i := Width - 4; i >= 0; i -= 4 {
		a, b := (*[4]uint32)(a[i:]), (*[4]uint32)(b[i:])
		_, c = bits.Sub64(uint64(a[3]^flip), uint64(b[3]^flip), 0)
		m, _ = bits.Add64(m, m, c)
		_, c = bits.Sub64(uint64(a[2]^flip), uint64(b[2]^flip), 0)
		m, _ = bits.Add64(m, m, c)
		_, c = bits.Sub64(uint64(a[1]^flip), uint64(b[1]^flip), 0)
		m, _ = bits.Add64(m, m, c)
		_, c = bits.Sub64(uint64(a[0]^flip), uint64(b[0]^flip), 0)
		m, _ = bits.Add64(m, m, c)
	}
	return Mask(m)
}

// equal returns the lanes in which a == b.
func equal(a, b *Row) Mask {
	var m, c uint64
	for i := Width - 4; i >= 0; i -= 4 {
		a, b := (*[4]uint32)(a[i:]), (*[4]uint32)(b[i:])
		_, c = bits.Sub64(uint64(a[3]^b[3]), 1, 0)
		m, _ = bits.Add64(m, m, c)
		_, c = bits.Sub64(uint64(a[2]^b[2]), 1, 0)
		m, _ = bits.Add64(m, m, c)
		_, c = bits.Sub64(uint64(a[1]^b[1]), 1, 0)
		m, _ = bits.Add64(m, m, c)
		_, c = bits.Sub64(uint64(a[0]^b[0]), 1, 0)
		m, _ = bits.Add64(m, m, c)
	}
	return Mask(m)
}
