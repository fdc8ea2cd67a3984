package lane

// CompareU compares unsigned words. cmp is the set of answers that count as true: bit 0 less, bit 1
// equal, bit 2 greater. out[i] gets the lanes of s.Mask[i] in which the answer is in cmp; entries
// from s.N on are unchanged.
func CompareU(out *[MaxWarps]Mask, a, b Rows, cmp uint8, s *Sel) { eachCompare(out, a, b, cmp, 0, s) }

// CompareS is CompareU for signed words.
func CompareS(out *[MaxWarps]Mask, a, b Rows, cmp uint8, s *Sel) {
	eachCompare(out, a, b, cmp, 1<<31, s)
}

func eachCompare(out *[MaxWarps]Mask, a, b Rows, cmp uint8, flip uint32, s *Sel) {
	for i := range s.N {
		w := int(s.Warp[i])
		out[i] = compare(a.At(w), b.At(w), cmp, flip) & s.Mask[i]
	}
}

func compare(a, b *Row, cmp uint8, flip uint32) Mask {
	switch cmp & 7 {
	case 1:
		return less(a, b, flip)
	case 2:
		return equal(a, b)
	case 3:
		return ^less(b, a, flip)
	case 4:
		return less(b, a, flip)
	case 5:
		return ^equal(a, b)
	case 6:
		return ^less(a, b, flip)
	case 7:
		return All
	}
	return 0
}

// Expand writes the result of compare-and-set: all ones in the selected lanes in m[i] of warp
// s.Warp[i], and 0 in the other selected lanes.
func Expand(d Rows, m *[MaxWarps]Mask, s *Sel) {
	for i := range s.N {
		row := d.At(int(s.Warp[i]))
		old := *row
		expand(row, m[i])
		restore(row, &old, s.Mask[i])
	}
}

func expand(d *Row, m Mask) {
	for i := 0; i < Width; i += 4 {
		*(*[4]uint32)(d[i:]) = spread[m>>i&15]
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
