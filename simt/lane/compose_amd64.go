package lane

// Kernels composed in Go from parts in assembly.

// relation puts in out[i] the lanes of s.Mask[i] in which it holds for a and b, or the other lanes
// if flip is All.
type relation = func(out *[MaxWarps]Mask, a, b Rows, flip Mask, s *Sel)

// comparison makes CompareU and its kin from the relations less and equal.
func comparison(less, equal relation) Comparison {
	return func(out *[MaxWarps]Mask, a, b Rows, cmp uint8, s *Sel) {
		switch cmp & 7 {
		case 0:
			constantly(out, 0, s)
		case 1:
			less(out, a, b, 0, s)
		case 2:
			equal(out, a, b, 0, s)
		case 3:
			less(out, b, a, All, s)
		case 4:
			less(out, b, a, 0, s)
		case 5:
			equal(out, a, b, All, s)
		case 6:
			less(out, a, b, All, s)
		case 7:
			constantly(out, All, s)
		}
	}
}

// floatComparison makes FCompare, or DCompare, from relations that are all false for a NaN. A set
// with the answer "unordered" is the complement of one without it.
func floatComparison[R Rows | Rows64](less, equal, atMost, unequal, ordered func(out *[MaxWarps]Mask, a, b R, flip Mask, s *Sel)) func(out *[MaxWarps]Mask, a, b R, cmp uint8, s *Sel) {
	return func(out *[MaxWarps]Mask, a, b R, cmp uint8, s *Sel) {
		flip := Mask(0)
		if cmp &= 15; cmp&8 != 0 {
			cmp, flip = ^cmp&7, All
		}
		switch cmp {
		case 0:
			constantly(out, flip, s)
		case 1:
			less(out, a, b, flip, s)
		case 2:
			equal(out, a, b, flip, s)
		case 3:
			atMost(out, a, b, flip, s)
		case 4:
			less(out, b, a, flip, s)
		case 5:
			unequal(out, a, b, flip, s)
		case 6:
			atMost(out, b, a, flip, s)
		case 7:
			ordered(out, a, b, flip, s)
		}
	}
}

// constantly answers m for all operands.
func constantly(out *[MaxWarps]Mask, m Mask, s *Sel) {
	for i := range s.N {
		out[i] = m & s.Mask[i]
	}
}

// signBits returns the bits of a word that modifiers clear, and then the bits that they flip.
func signBits(abs, neg bool) (clear, flip uint32) {
	if abs {
		clear = 1 << 31
	}
	if neg {
		flip = 1 << 31
	}
	return clear, flip
}
