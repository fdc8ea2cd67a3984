package lane

import "math/bits"

// The flag kernels of the adder read the operands, so they run before the arithmetic kernel, which
// may overwrite one. A multiply-add passes its product as an operand, a sum of absolute
// differences its difference. sat says that the result is clamped: zero and sign then describe the
// clamped value.

// AddFlags writes the flags of a + b.
func AddFlags(f []Flags, a, b Rows, width int, sat bool, s *Sel) {
	for i := range s.N {
		w := int(s.Warp[i])
		f[w].put(sumFlags(a.At(w), b.At(w), 0, 0, width, sat), s.Mask[i])
	}
}

// SubFlags writes the flags of a - b; C means no borrow.
func SubFlags(f []Flags, a, b Rows, width int, sat bool, s *Sel) {
	for i := range s.N {
		w := int(s.Warp[i])
		f[w].put(sumFlags(a.At(w), b.At(w), uint64(ones), All, width, sat), s.Mask[i])
	}
}

// AddCarryFlags writes the flags of a + b + C, with C from carry. If carry is f, the caller keeps a
// copy for the next kernel, which needs the old C too.
func AddCarryFlags(f []Flags, a, b Rows, carry []Flags, width int, sat bool, s *Sel) {
	for i := range s.N {
		w := int(s.Warp[i])
		f[w].put(sumFlags(a.At(w), b.At(w), 0, carry[w].C, width, sat), s.Mask[i])
	}
}

// sumFlags returns the flags of a + (b^flip) + carry. Carry and overflow follow from the signs
// alone: a carry leaves the top bit if both addends have it set, or if one of them has and the sum
// has not. The loop packs as in pack.go where numbers are below the sign bit, and takes carries
// from a word like addCarry.
func sumFlags(a, b *Row, flip uint64, carry Mask, width int, sat bool) Flags {
	mask, sign := fields(width)
	var p, q, r, z, c uint64
	k := uint64(carry) << 32
	for i := Width - 1; i >= 0; i-- {
		x, y := uint64(a[i])&mask, (uint64(b[i])^flip)&mask
		_, c = bits.Sub64(x, sign, 0)
		p, _ = bits.Add64(p, p, c)
		_, c = bits.Sub64(y, sign, 0)
		q, _ = bits.Add64(q, q, c)
		k, c = bits.Add64(k, k, 0)
		x, _ = bits.Add64(x, y, c)
		x &= mask
		_, c = bits.Sub64(x, sign, 0)
		r, _ = bits.Add64(r, r, c)
		_, c = bits.Sub64(x, 1, 0)
		z, _ = bits.Add64(z, z, c)
	}
	x, y, v := ^Mask(p), ^Mask(q), Flags{Z: Mask(z), S: ^Mask(r)}
	v.C = x&y | (x|y)&^v.S
	v.O = (x ^ v.S) & (y ^ v.S)
	if sat {
		v.S ^= v.O
		v.Z &^= v.O
	}
	return v
}
