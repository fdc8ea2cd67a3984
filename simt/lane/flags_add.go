package lane

// The flag kernels of the adder read the operands, so they run before the arithmetic
// kernel, which may overwrite one. A multiply-add passes its product as the operand, a
// sum of absolute differences its difference. sat says that the result is clamped: zero
// and sign are then those of the clamped value.

// AddFlags writes the flags of a + b.
func AddFlags(f []Flags, a, b Rows, width int, sat bool, s *Sel) {
	scale := scaleOf(width)
	for i := range s.N {
		w := int(s.Warp[i])
		f[w].put(sumFlags(a.At(w), b.At(w), 0, 0, scale, sat), s.Mask[i])
	}
}

// SubFlags writes the flags of a - b; C means no borrow.
func SubFlags(f []Flags, a, b Rows, width int, sat bool, s *Sel) {
	scale := scaleOf(width)
	for i := range s.N {
		w := int(s.Warp[i])
		f[w].put(sumFlags(a.At(w), b.At(w), ones, All, scale, sat), s.Mask[i])
	}
}

// AddCarryFlags writes the flags of a + b + C, with C from carry. Where carry is f, the
// caller keeps a copy for the kernel that follows, which wants the old C too.
func AddCarryFlags(f []Flags, a, b Rows, carry []Flags, width int, sat bool, s *Sel) {
	scale := scaleOf(width)
	for i := range s.N {
		w := int(s.Warp[i])
		f[w].put(sumFlags(a.At(w), b.At(w), 0, carry[w].C, scale, sat), s.Mask[i])
	}
}

// sumFlags returns the flags of a + (b^flip) + carry. Carry and overflow follow from
// the signs alone: a carry leaves the top bit if both addends have it, or one of them
// and the sum has not.
func sumFlags(a, b *Row, flip uint32, carry Mask, scale uint32, sat bool) Flags {
	var r Row
	for i := range r {
		r[i] = a[i] + (b[i] ^ flip) + uint32(carry>>i&1)
	}
	p, q := signs(a, scale), signs(b, scale)^Mask(flip)
	v := Flags{Z: zeros(&r, scale), S: signs(&r, scale)}
	v.C = p&q | (p|q)&^v.S
	v.O = (p ^ v.S) & (q ^ v.S)
	if sat {
		v.S ^= v.O
		v.Z &^= v.O
	}
	return v
}
