package shadow

import "math/bits"

// value is a value of which some bits are not defined: whatever these bits are, the others stay. V
// has the bits of this run.
type value struct {
	v    uint64
	free uint64 // the bits that have no value
}

// ones returns the low n bits set.
func ones(n int) uint64 { return 1<<n - 1 }

// low returns the low n bits of a value.
func (x value) low(n int) value { return value{x.v & ones(n), x.free & ones(n)} }

// extended returns the low n bits of a value as 64 bits.
func (x value) extended(n int, signed bool) value {
	if !signed {
		return x.low(n)
	}
	up := 64 - n
	return value{uint64(int64(x.v<<up) >> up), uint64(int64(x.free<<up) >> up)}
}

// not returns the complement.
func (x value) not() value { return value{^x.v, x.free} }

// least and greatest are the bounds of the low n bits.
func (x value) least(n int, signed bool) int64 {
	x = x.extended(n, signed)
	v := x.v &^ x.free
	if signed && x.free>>63 != 0 {
		v |= ^uint64(0) << (n - 1)
	}
	return int64(v)
}

func (x value) greatest(n int, signed bool) int64 {
	x = x.extended(n, signed)
	v := x.v | x.free
	if signed && x.free>>63 != 0 {
		v &= ones(n - 1)
	}
	return int64(v)
}

// plus returns the sum. A bit of it is free if a bit of an addend is, or if a carry may come.
func (x value) plus(y value) value {
	base := x.v&^x.free + y.v&^y.free
	return value{x.v + y.v, (base + x.free + y.free) ^ base | x.free | y.free}
}

// times returns the product. All bits are free from the lowest on that may change.
func (x value) times(y value) value {
	zeros := func(v uint64) int { return bits.TrailingZeros64(v) }
	first := min(zeros(x.free)+zeros(y.v|y.free), zeros(y.free)+zeros(x.v|x.free))
	return value{x.v * y.v, ^uint64(0) << min(first, 64)}
}

// either returns a value that is x or y, nobody knows which; v is the bits of this run.
func either(x, y value, v uint64) value {
	return value{v, x.free | y.free | (x.v ^ y.v)}
}

// all returns v with n free bits if any of some values has a free bit.
func all(n int, v uint64, of ...value) value {
	for _, x := range of {
		if x.free != 0 {
			return value{v, ones(n)}
		}
	}
	return value{v, 0}
}
