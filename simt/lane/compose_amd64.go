package lane

// What assembly does only in part, and Go puts together.

// relation puts in out[i] the lanes of s.Mask[i] in which it holds for a and b, or those
// in which it does not if flip is All.
type relation = func(out *[MaxWarps]Mask, a, b Rows, flip Mask, s *Sel)

// comparison makes CompareU and its kin of the relations less and equal.
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

// floatComparison makes FCompare, or DCompare, of relations that are all false for a NaN. A
// set with the answer "unordered" is the complement of one without it.
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

// constantly answers m whatever the operands are.
func constantly(out *[MaxWarps]Mask, m Mask, s *Sel) {
	for i := range s.N {
		out[i] = m & s.Mask[i]
	}
}

// The f32 arithmetic: an easy part leaves warps with difficult lanes alone and returns
// them, bit i for s.Warp[i]; another kernel does these. Calls are direct, so that the
// selection of difficult warps stays on the stack.

func fAddRNAVX2(d, a, b Rows, s *Sel) {
	if hard := fAddEasyAVX2(d, a, b, s); hard != 0 {
		rest := s.only(hard)
		fAddExactAVX2(d, a, b, &rest)
	}
}

func fMulRNAVX2(d, a, b Rows, s *Sel) {
	if hard := fMulEasyAVX2(d, a, b, s); hard != 0 {
		rest := s.only(hard)
		fMulExactAVX2(d, a, b, &rest)
	}
}

func fMadAVX2(d, a, b, c Rows, s *Sel) {
	if hard := fMadEasyAVX2(d, a, b, c, s); hard != 0 {
		rest := s.only(hard)
		fMadExactAVX2(d, a, b, c, &rest)
	}
}

func fAddRNAVX512(d, a, b Rows, s *Sel) {
	if hard := fAddEasyAVX512(d, a, b, s); hard != 0 {
		rest := s.only(hard)
		fAddExactAVX512(d, a, b, &rest)
	}
}

func fMulRNAVX512(d, a, b Rows, s *Sel) {
	if hard := fMulEasyAVX512(d, a, b, s); hard != 0 {
		rest := s.only(hard)
		fMulExactAVX512(d, a, b, &rest)
	}
}

func fMadAVX512(d, a, b, c Rows, s *Sel) {
	if hard := fMadEasyAVX512(d, a, b, c, s); hard != 0 {
		rest := s.only(hard)
		fMadExactAVX512(d, a, b, c, &rest)
	}
}

// only returns the warps of s whose positions are in list.
func (s *Sel) only(list uint32) Sel {
	rest := Sel{Full: true}
	for i := range s.N {
		if list>>i&1 != 0 {
			rest.Add(int(s.Warp[i]), s.Mask[i])
		}
	}
	return rest
}
