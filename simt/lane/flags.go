package lane

// Flag kernels write the flags f[w] of the selected warps; in lanes outside the
// selection f keeps its bits. f is indexed by warp number. width is 16 or 32 and tells
// which bits of the words count.

// put replaces the flags of the lanes in m.
func (f *Flags) put(v Flags, m Mask) {
	f.Z = f.Z&^m | v.Z&m
	f.S = f.S&^m | v.S&m
	f.C = f.C&^m | v.C&m
	f.O = f.O&^m | v.O&m
}

// scaleOf returns the factor that moves a value of width bits to the top of its word,
// where one set of flag rules serves both widths.
func scaleOf(width int) uint32 { return 1 << (32 - uint(width)) }

// ResultFlags writes the flags of a plain integer result: zero, sign, and no carry or
// overflow.
func ResultFlags(f []Flags, r Rows, width int, s *Sel) {
	scale := scaleOf(width)
	for i := range s.N {
		w := int(s.Warp[i])
		row := r.At(w)
		f[w].put(Flags{Z: zeros(row, scale), S: signs(row, scale)}, s.Mask[i])
	}
}

// MaskFlags writes the flags of compare-and-set and vote: S where m[i] holds for warp
// s.Warp[i], Z where it does not.
func MaskFlags(f []Flags, m *[MaxWarps]Mask, s *Sel) {
	for i := range s.N {
		f[s.Warp[i]].put(Flags{Z: ^m[i], S: m[i]}, s.Mask[i])
	}
}

// FlagsToRow is the flags of each lane as a number: bit 0 Z, bit 1 S, bit 2 C, bit 3 O.
func FlagsToRow(d Rows, f []Flags, s *Sel) {
	for i := range s.N {
		w := int(s.Warp[i])
		row := d.At(w)
		old, v := *row, f[w]
		for j := range row {
			row[j] = uint32(v.Z>>j&1 | v.S>>j&1<<1 | v.C>>j&1<<2 | v.O>>j&1<<3)
		}
		commit(row, &old, ^s.Mask[i])
	}
}

// FlagsFromRow sets the flags of each lane from the low four bits of a, the numbers
// that FlagsToRow makes.
func FlagsFromRow(f []Flags, a Rows, s *Sel) {
	for i := range s.N {
		w := int(s.Warp[i])
		var v Flags
		for j, x := range a.At(w) {
			v.Z |= Mask(x&1) << j
			v.S |= Mask(x>>1&1) << j
			v.C |= Mask(x>>2&1) << j
			v.O |= Mask(x>>3&1) << j
		}
		f[w].put(v, s.Mask[i])
	}
}
