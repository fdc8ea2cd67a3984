package lane

import "math/bits"

// Flag kernels write the flags f[w] of the selected warps; lanes outside the selection keep their
// bits. f is indexed by warp number. width is 16 or 32: the number of low bits that count.

// put replaces the flags of the lanes in m.
func (f *Flags) put(v Flags, m Mask) {
	f.Z = f.Z&^m | v.Z&m
	f.S = f.S&^m | v.S&m
	f.C = f.C&^m | v.C&m
	f.O = f.O&^m | v.O&m
}

// The flags of one lane as a number.
const (
	bitZ = 1 << iota // zero
	bitS             // sign
	bitC             // carry
	bitO             // signed overflow
)

// fields returns the mask of a word's low width bits and their sign bit.
func fields(width int) (mask, sign uint64) {
	return 1<<width - 1, 1 << (width - 1)
}

// ResultFlags writes the flags of a plain integer result: zero, sign, and no carry or
// overflow.
func ResultFlags(f []Flags, r Rows, width int, s *Sel) {
	mask, sign := fields(width)
	for i := range s.N {
		w := int(s.Warp[i])
		row := r.At(w)
		f[w].put(Flags{Z: ^nonzero(row, mask), S: nonzero(row, sign)}, s.Mask[i])
	}
}

// MaskFlags writes the flags of compare-and-set and vote: S in the lanes in m[i] of warp s.Warp[i],
// Z in the others.
func MaskFlags(f []Flags, m *[MaxWarps]Mask, s *Sel) {
	for i := range s.N {
		f[s.Warp[i]].put(Flags{Z: ^m[i], S: m[i]}, s.Mask[i])
	}
}

// FlagsToRow writes the flags of each lane as a number: bit 0 Z, bit 1 S, bit 2 C, bit 3 O.
func FlagsToRow(d Rows, f []Flags, s *Sel) {
	for i := range s.N {
		w := int(s.Warp[i])
		row := d.At(w)
		old := *row
		flagsToRow(row, f[w])
		restore(row, &old, s.Mask[i])
	}
}

// flagsToRow shifts the flags out of their words like the carries in addCarry.
func flagsToRow(d *Row, f Flags) {
	z, s, c, o := uint64(f.Z)<<32, uint64(f.S)<<32, uint64(f.C)<<32, uint64(f.O)<<32
	for i := Width - 1; i >= 0; i-- {
		var r, k uint64
		o, r = bits.Add64(o, o, 0)
		c, k = bits.Add64(c, c, 0)
		r, _ = bits.Add64(r, r, k)
		s, k = bits.Add64(s, s, 0)
		r, _ = bits.Add64(r, r, k)
		z, k = bits.Add64(z, z, 0)
		r, _ = bits.Add64(r, r, k)
		d[i] = uint32(r)
	}
}

// FlagsFromRow sets the flags of each lane from the low four bits of a, in the form of FlagsToRow.
func FlagsFromRow(f []Flags, a Rows, s *Sel) {
	for i := range s.N {
		w := int(s.Warp[i])
		row := a.At(w)
		f[w].put(Flags{
			Z: nonzero(row, bitZ),
			S: nonzero(row, bitS),
			C: nonzero(row, bitC),
			O: nonzero(row, bitO),
		}, s.Mask[i])
	}
}
