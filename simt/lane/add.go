package lane

import "math/bits"

// Add is a + b.
func Add(d, a, b Rows, s *Sel) { each2(d, a, b, s, add) }

// Sub is a - b.
func Sub(d, a, b Rows, s *Sel) { each2(d, a, b, s, sub) }

// Offset is a + offset modulo 2^16: the arithmetic of address registers.
func Offset(d, a Rows, offset uint32, s *Sel) {
	each1(d, a, s, func(d, a *Row) {
		map1(d, a, func(x uint32) uint32 { return (x + offset) & 0xffff })
	})
}

// AddCarry is a + b + C, the carry bit of the warp's flags.
func AddCarry(d, a, b Rows, f []Flags, s *Sel) {
	for i := range s.N {
		w := int(s.Warp[i])
		row := d.At(w)
		old := *row
		addCarry(row, a.At(w), b.At(w), f[w].C)
		restore(row, &old, s.Mask[i])
	}
}

// addCarry shifts the carries out of a word, lane 31 first: adding the word to itself leaves each
// in the processor's carry, and the sum adds it.
func addCarry(d, a, b *Row, carry Mask) {
	k, c := uint64(carry)<<32, uint64(0)
	for i := Width - 1; i >= 0; i-- {
		k, c = bits.Add64(k, k, 0)
		r, _ := bits.Add64(uint64(a[i]), uint64(b[i]), c)
		d[i] = uint32(r)
	}
}
