package lane

// Add is a + b.
func Add(d, a, b Rows, s *Sel) { each2(d, a, b, s, add) }

// Sub is a - b.
func Sub(d, a, b Rows, s *Sel) { each2(d, a, b, s, sub) }

// AddCarry is a + b + C, the carry bit of the warp's flags.
func AddCarry(d, a, b Rows, f []Flags, s *Sel) {
	for i := range s.N {
		w := int(s.Warp[i])
		row := d.At(w)
		old := *row
		addCarry(row, a.At(w), b.At(w), f[w].C)
		commit(row, &old, ^s.Mask[i])
	}
}

// AddSat is a + b clamped to the signed range of width (16 or 32) bits. Only the low width
// bits of the operands count; a 16-bit result is zero-extended.
func AddSat(d, a, b Rows, width int, s *Sel) { saturate(d, a, b, 0, nil, width, s) }

// SubSat is a - b clamped like AddSat.
func SubSat(d, a, b Rows, width int, s *Sel) { saturate(d, a, b, ones, nil, width, s) }

// AddCarrySat is a + b + C, the carry bit of the warp's flags, clamped like AddSat.
func AddCarrySat(d, a, b Rows, f []Flags, width int, s *Sel) { saturate(d, a, b, 0, f, width, s) }

// saturate adds and clamps. flip is xored into b; all ones makes a subtraction, whose
// carry in is 1. Without one, the carry in is f's, or 0 where f is nil.
func saturate(d, a, b Rows, flip uint32, f []Flags, width int, s *Sel) {
	for i := range s.N {
		w := int(s.Warp[i])
		carry := Mask(flip)
		if f != nil {
			carry = f[w].C
		}
		row := d.At(w)
		old := *row
		addSat(row, a.At(w), b.At(w), flip, carry, width)
		commit(row, &old, ^s.Mask[i])
	}
}

func addCarry(d, a, b *Row, carry Mask) {
	for i := 0; i < Width; i += 8 {
		d, a, b := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:])
		k := uint32(carry >> i)
		d[0] = a[0] + b[0] + k&1
		d[1] = a[1] + b[1] + k>>1&1
		d[2] = a[2] + b[2] + k>>2&1
		d[3] = a[3] + b[3] + k>>3&1
		d[4] = a[4] + b[4] + k>>4&1
		d[5] = a[5] + b[5] + k>>5&1
		d[6] = a[6] + b[6] + k>>6&1
		d[7] = a[7] + b[7] + k>>7&1
	}
}

// addSat works at the top of the word, so that 16-bit operands overflow where 32-bit
// ones do.
func addSat(d, a, b *Row, flip uint32, carry Mask, width int) {
	up := 32 - uint(width)
	for i := range d {
		p, q, k := a[i]<<up, (b[i]^flip)<<up, uint32(carry>>i&1)<<up
		r := p + q + k
		over := uint32(int32((p^r)&(q^r)) >> 31)
		limit := uint32(int32(p)>>31) ^ 0x7fffffff
		d[i] = (r&^over | limit&over) >> up
	}
}

func add(d, a, b *Row) {
	for i := 0; i < Width; i += 8 {
		d, a, b := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:])
		d[0] = a[0] + b[0]
		d[1] = a[1] + b[1]
		d[2] = a[2] + b[2]
		d[3] = a[3] + b[3]
		d[4] = a[4] + b[4]
		d[5] = a[5] + b[5]
		d[6] = a[6] + b[6]
		d[7] = a[7] + b[7]
	}
}

func sub(d, a, b *Row) {
	for i := 0; i < Width; i += 8 {
		d, a, b := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:])
		d[0] = a[0] - b[0]
		d[1] = a[1] - b[1]
		d[2] = a[2] - b[2]
		d[3] = a[3] - b[3]
		d[4] = a[4] - b[4]
		d[5] = a[5] - b[5]
		d[6] = a[6] - b[6]
		d[7] = a[7] - b[7]
	}
}
