package lane

import "math/bits"

// The shapes of kernels.
type (
	// Unary computes d of a.
	Unary = func(d, a Rows, s *Sel)
	// Binary computes d of a and b.
	Binary = func(d, a, b Rows, s *Sel)
	// Ternary computes d of a, b and c.
	Ternary = func(d, a, b, c Rows, s *Sel)
	// Comparison is CompareU, CompareS or FCompare.
	Comparison = func(out *[MaxWarps]Mask, a, b Rows, cmp uint8, s *Sel)
)

// each1, each2 and each3 run a 32-lane body over the warps of a selection. The body computes all
// lanes in place; if a mask is not full, the lanes outside it get their old words back. So a body
// needs no mask, and no scratch row outlives the call. Bodies must allow d to be one of the
// sources.

func each1(d, a Rows, s *Sel, body func(d, a *Row)) {
	for i := range s.N {
		w := int(s.Warp[i])
		row, m := d.At(w), s.Mask[i]
		if m == All {
			body(row, a.At(w))
			continue
		}
		old := *row
		body(row, a.At(w))
		restore(row, &old, m)
	}
}

func each2(d, a, b Rows, s *Sel, body func(d, a, b *Row)) {
	for i := range s.N {
		w := int(s.Warp[i])
		row, m := d.At(w), s.Mask[i]
		if m == All {
			body(row, a.At(w), b.At(w))
			continue
		}
		old := *row
		body(row, a.At(w), b.At(w))
		restore(row, &old, m)
	}
}

func each3(d, a, b, c Rows, s *Sel, body func(d, a, b, c *Row)) {
	for i := range s.N {
		w := int(s.Warp[i])
		row, m := d.At(w), s.Mask[i]
		if m == All {
			body(row, a.At(w), b.At(w), c.At(w))
			continue
		}
		old := *row
		body(row, a.At(w), b.At(w), c.At(w))
		restore(row, &old, m)
	}
}

// restore writes the old words back to row in the lanes outside m; it may change old. Sparse and
// dense masks go lane by lane, which is faster than a choice for all lanes.
func restore(row, old *Row, m Mask) {
	const few = 6
	switch n := bits.OnesCount32(uint32(m)); {
	case n <= few:
		for ; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(uint32(m)) % Width
			old[i] = row[i]
		}
		*row = *old
	case n >= Width-few:
		for m = ^m; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(uint32(m)) % Width
			row[i] = old[i]
		}
	default:
		commit(row, old, ^m)
	}
}

// commit copies the lanes of src in m to dst.
func commit(dst, src *Row, m Mask) {
	for i := 0; i < Width; i += 8 {
		d, s, m := (*[8]uint32)(dst[i:]), (*[8]uint32)(src[i:]), m>>i
		d[0] = pick(m&1, s[0], d[0])
		d[1] = pick(m&2, s[1], d[1])
		d[2] = pick(m&4, s[2], d[2])
		d[3] = pick(m&8, s[3], d[3])
		d[4] = pick(m&16, s[4], d[4])
		d[5] = pick(m&32, s[5], d[5])
		d[6] = pick(m&64, s[6], d[6])
		d[7] = pick(m&128, s[7], d[7])
	}
}

// pick is x if any bit of m is set and y if not; it compiles to a conditional move.
func pick(m Mask, x, y uint32) uint32 {
	if m != 0 {
		y = x
	}
	return y
}
