package lane

import "jacquard/fpu"

// The f32 kernels. Negation and absolute value of a source come before, as word operations;
// saturation of the result, FSat, comes after.

// FAddRN is a + b in f32, to nearest.
func FAddRN(d, a, b Rows, s *Sel) { each2(d, a, b, s, fpu.AddRow) }

// FSubRN is a - b in f32, to nearest: a + b with the sign of b changed.
func FSubRN(d, a, b Rows, s *Sel) { each2(d, a, b, s, fpu.SubRow) }

// FAddRZ is a + b in f32, towards zero.
func FAddRZ(d, a, b Rows, s *Sel) { each2(d, a, b, s, fpu.AddRowRZ) }

// FMulRN is a * b in f32, to nearest.
func FMulRN(d, a, b Rows, s *Sel) { each2(d, a, b, s, fpu.MulRow) }

// FMulRZ is a * b in f32, towards zero.
func FMulRZ(d, a, b Rows, s *Sel) { each2(d, a, b, s, fpu.MulRowRZ) }

// FMad is a * b + c in f32 with the truncated product of fpu.Mad.
func FMad(d, a, b, c Rows, s *Sel) { each3(d, a, b, c, s, fpu.MadRow) }

// FMsub is FMad with the sign of c changed.
func FMsub(d, a, b, c Rows, s *Sel) {
	each3(d, a, b, c, s, func(d, a, b, c *Row) { fpu.MadRow(d, a, b, negated(c)) })
}

// FNmad is FMad with the sign of the product changed.
func FNmad(d, a, b, c Rows, s *Sel) {
	each3(d, a, b, c, s, func(d, a, b, c *Row) { fpu.MadRow(d, negated(a), b, c) })
}

// negated returns the row with the signs of its f32 changed.
func negated(a *Row) *Row {
	r := *a
	for i := range r {
		r[i] ^= 1 << 31
	}
	return &r
}

// FMin is the lesser of a and b in f32.
func FMin(d, a, b Rows, s *Sel) { each2(d, a, b, s, fpu.MinRow) }

// FMax is the greater of a and b in f32.
func FMax(d, a, b Rows, s *Sel) { each2(d, a, b, s, fpu.MaxRow) }

// FSlct is a where c >= 0 in f32, b elsewhere.
func FSlct(d, a, b, c Rows, s *Sel) { each3(d, a, b, c, s, fpu.SelectRow) }

// FSat is a clamped to [0, 1].
func FSat(d, a Rows, s *Sel) { each1(d, a, s, fpu.SatRow) }

// FCompare compares f32. cmp is the set of answers that count as true: bit 0 less, bit 1 equal, bit
// 2 greater, bit 3 unordered. out[i] gets the lanes of s.Mask[i] in which the answer is in cmp;
// entries from s.N on are unchanged.
func FCompare(out *[MaxWarps]Mask, a, b Rows, cmp uint8, s *Sel) {
	for i := range s.N {
		w := int(s.Warp[i])
		out[i] = Mask(fpu.CompareRow(a.At(w), b.At(w), fpu.Relation(cmp))) & s.Mask[i]
	}
}

// FFlags writes the flags of f32 results: Z for a zero or a NaN, S for a negative number
// or a NaN, no C and O.
func FFlags(f []Flags, r Rows, s *Sel) {
	for i := range s.N {
		w := int(s.Warp[i])
		zero, sign := fpu.FlagsRow(r.At(w))
		f[w].put(Flags{Z: Mask(zero), S: Mask(sign)}, s.Mask[i])
	}
}

// FSlctFlags writes the flags of FSlct's results as words, not numbers: Z for a zero of either
// sign, otherwise S for bit 31.
func FSlctFlags(f []Flags, r Rows, s *Sel) {
	for i := range s.N {
		w := int(s.Warp[i])
		row := r.At(w)
		some := nonzero(row, 1<<31-1)
		f[w].put(Flags{Z: ^some, S: nonzero(row, 1<<31) & some}, s.Mask[i])
	}
}
