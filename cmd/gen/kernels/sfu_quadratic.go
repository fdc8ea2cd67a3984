package main

import "log"

// quadratic describes how a table's coefficients make a number: c0<<shift + c1*x + c2*q<<scale,
// where q is the square of x or of its double. Terms have up to 39 bits, but few instructions
// multiply into more than 32. One instruction makes sums of two products of signed halves. For it,
// c1 is reduced by an offset of 2^15, c2 includes its scale, and both share a word of the table.
// With l, the low half of x as a signed number, and h, the rest of x in steps of 2^16,
//
//	c1*x + c2*q<<scale = (c1-offset)*l + c2<<scale*q + (c1-offset)*h<<16 + offset*x
//
// The last two terms are multiples of 1<<shift.
type quadratic struct {
	name         string // of the table
	shift, scale int
	offset       int32 // 0, 1<<15 or -1<<15
}

// prepare takes the constants for terms, and returns the table.
func (q *quadratic) prepare(f *function) *table {
	t := readTable(q.name, func(c0, c1, c2 int32) [2]uint32 {
		return [2]uint32{uint32(c0), f.pairOf(c1-q.offset, c2<<q.scale)}
	})
	if f.level == avx512 {
		f.constant(32)
	}
	f.literals(1<<15, 3<<16)
	return t
}

// pairOf is a word of two signed halves.
func (f *function) pairOf(high, low int32) uint32 {
	if high != int32(int16(high)) || low != int32(int16(low)) {
		log.Fatalf("%s: 16 bits are not enough for the coefficients", f.name)
	}
	return uint32(high)<<16 | uint32(low)&0xffff
}

// terms returns high and low, where high<<shift + low is the value at table index i; it consumes i
// and q. x is not negative and has at most 17 bits.
func (q *quadratic) terms(f *function, t *table, i, x, square vec) (high, low vec) {
	c := f.lookup(t, i)
	high, low = c[0], f.shl(x, 16)
	f.orIn(low, square)
	f.free(square)
	f.in("VPMADDWD", low, c[1])
	h := f.andIn(f.add(x, f.literal(1<<15)), f.literal(3<<16))
	f.in("VPMADDWD", h, c[1])
	f.free(c[1])
	f.in("VPSLLD", h, 16-q.shift)
	f.addIn(high, h)
	if q.offset != 0 {
		f.ins("VPSLLD", 15-q.shift, x, h)
		if q.offset > 0 {
			f.addIn(high, h)
		} else {
			f.subIn(high, h)
		}
	}
	f.free(h)
	return high, low
}

// significand returns (value + round) >> (shift+2): a number of 24 bits with its leading one. It
// consumes i and square.
func (q *quadratic) significand(f *function, t *table, round uint32, i, x, square vec) vec {
	high, low := q.terms(f, t, i, x, square)
	f.addIn(low, f.literal(round))
	f.in("VPSRAD", low, q.shift)
	f.addIn(high, low)
	f.free(low)
	return f.in("VPSRLD", high, 2)
}
