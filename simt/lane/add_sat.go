package lane

import "math/bits"

// AddSat is a + b clamped to the signed range of width (16 or 32) bits. Only the low
// width bits of the operands count; a 16-bit result is zero-extended.
func AddSat(d, a, b Rows, width int, s *Sel) { eachSat(d, a, b, 0, 0, nil, width, s) }

// SubSat is a - b clamped like AddSat.
func SubSat(d, a, b Rows, width int, s *Sel) { eachSat(d, a, b, uint64(ones), All, nil, width, s) }

// AddCarrySat is a + b + C, the carry bit of the warp's flags, clamped like AddSat.
func AddCarrySat(d, a, b Rows, f []Flags, width int, s *Sel) { eachSat(d, a, b, 0, 0, f, width, s) }

// eachSat runs addSat over the warps of a selection; f has the carries unless it is nil.
func eachSat(d, a, b Rows, flip uint64, carry Mask, f []Flags, width int, s *Sel) {
	for i := range s.N {
		w := int(s.Warp[i])
		row := d.At(w)
		old := *row
		if f != nil {
			carry = f[w].C
		}
		addSat(row, a.At(w), b.At(w), flip, carry, width)
		restore(row, &old, s.Mask[i])
	}
}

// addSat is a + (b^flip) + carry, clamped. Flipping the sign bit makes a signed number an unsigned
// one that is greater by half a range. The exact sum of two is then greater by a range, its limits
// are half and 3*half-1, and the low bits are right.
func addSat(d, a, b *Row, flip uint64, carry Mask, width int) {
	half := uint64(1) << (width - 1)
	mask := 2*half - 1
	k, c := uint64(carry)<<32, uint64(0) // see addCarry
	for i := Width - 1; i >= 0; i-- {
		p := uint64(a[i])&mask ^ half
		q := (uint64(b[i])^flip)&mask ^ half
		k, c = bits.Add64(k, k, 0)
		t, _ := bits.Add64(p, q, c)
		d[i] = uint32(min(max(t, half), 3*half-1) & mask)
	}
}
