package alu

import "jacquard/tesla"

// Add is the adder (docs/isa/operations.md, IAdd). AddC alone reads the carry; sat clamps to the
// signed range.
func Add(variant tesla.Arith, a, b uint32, width int, carry, sat bool) (r uint32, flags uint8) {
	mask := uint64(1)<<width - 1
	p, q, k := uint64(a), uint64(b), uint64(0)
	switch {
	case variant == tesla.Sub:
		q, k = ^q, 1
	case variant == tesla.SubR:
		p, k = ^p, 1
	case variant == tesla.AddC && carry:
		k = 1
	}
	p, q = p&mask, q&mask
	t := p + q + k
	d := t & mask
	msb := func(x uint64) bool { return x>>(width-1)&1 != 0 }
	if t>>width != 0 {
		flags |= C
	}
	if msb(p) == msb(q) && msb(d) != msb(p) {
		flags |= O
		switch {
		case !sat:
		case msb(p):
			d = 1 << (width - 1)
		default:
			d = 1<<(width-1) - 1
		}
	}
	return Result(uint32(d), width, flags)
}
