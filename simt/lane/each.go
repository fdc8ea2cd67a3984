package lane

// each1, each2 and each3 run a 32-lane body over the warps of a selection. The body
// computes all lanes in place; where a mask is not full, the lanes outside it get their
// old words back. So a body sees no mask, and no scratch row has to outlive the call.
// Bodies must allow d to be one of the sources.

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
		commit(row, &old, ^m)
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
		commit(row, &old, ^m)
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
		commit(row, &old, ^m)
	}
}

// commit copies the lanes of src that m selects to dst.
func commit(dst, src *Row, m Mask) {
	for i := 0; i < Width; i += 4 {
		d, s := (*[4]uint32)(dst[i:]), (*[4]uint32)(src[i:])
		k := &spread[m>>i&15]
		d[0] ^= (d[0] ^ s[0]) & k[0]
		d[1] ^= (d[1] ^ s[1]) & k[1]
		d[2] ^= (d[2] ^ s[2]) & k[2]
		d[3] ^= (d[3] ^ s[3]) & k[3]
	}
}

// spread turns four mask bits into four words, all ones for a set bit.
var spread = [16][4]uint32{
	0x0: {0, 0, 0, 0},
	0x1: {ones, 0, 0, 0},
	0x2: {0, ones, 0, 0},
	0x3: {ones, ones, 0, 0},
	0x4: {0, 0, ones, 0},
	0x5: {ones, 0, ones, 0},
	0x6: {0, ones, ones, 0},
	0x7: {ones, ones, ones, 0},
	0x8: {0, 0, 0, ones},
	0x9: {ones, 0, 0, ones},
	0xa: {0, ones, 0, ones},
	0xb: {ones, ones, 0, ones},
	0xc: {0, 0, ones, ones},
	0xd: {ones, 0, ones, ones},
	0xe: {0, ones, ones, ones},
	0xf: {ones, ones, ones, ones},
}

const ones = ^uint32(0)
