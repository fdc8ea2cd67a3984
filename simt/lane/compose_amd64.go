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

// The f32 arithmetic: an easy part, and an exact one for what turns out to be difficult. Calls are direct, so that
// operands stay on the stack.

func fAddRNAVX2(d, a, b Rows, s *Sel) {
	if fAddEasyAVX2(d, a, b, s) != 0 {
		fAddExactAVX2(d, a, b, s)
	}
}

func fSubRNAVX2(d, a, b Rows, s *Sel) {
	if fSubEasyAVX2(d, a, b, s) != 0 {
		fSubExactAVX2(d, a, b, s)
	}
}

func fMulRNAVX2(d, a, b Rows, s *Sel) {
	if fMulEasyAVX2(d, a, b, s) != 0 {
		fMulExactAVX2(d, a, b, s)
	}
}

func fMadAVX2(d, a, b, c Rows, s *Sel) {
	if fMadEasyAVX2(d, a, b, c, s) != 0 {
		fMadExactAVX2(d, a, b, c, s)
	}
}

func fAddRNAVX512(d, a, b Rows, s *Sel) {
	if fAddEasyAVX512(d, a, b, s) != 0 {
		fAddExactAVX512(d, a, b, s)
	}
}

func fSubRNAVX512(d, a, b Rows, s *Sel) {
	if fSubEasyAVX512(d, a, b, s) != 0 {
		fSubExactAVX512(d, a, b, s)
	}
}

func fMulRNAVX512(d, a, b Rows, s *Sel) {
	if fMulEasyAVX512(d, a, b, s) != 0 {
		fMulExactAVX512(d, a, b, s)
	}
}

func fMadAVX512(d, a, b, c Rows, s *Sel) {
	if fMadEasyAVX512(d, a, b, c, s) != 0 {
		fMadExactAVX512(d, a, b, c, s)
	}
}

func fMsubAVX2(d, a, b, c Rows, s *Sel) {
	if fMsubEasyAVX2(d, a, b, c, s) != 0 {
		fMsubExactAVX2(d, a, b, c, s)
	}
}

func fNmadAVX2(d, a, b, c Rows, s *Sel) {
	if fNmadEasyAVX2(d, a, b, c, s) != 0 {
		fNmadExactAVX2(d, a, b, c, s)
	}
}

func fMsubAVX512(d, a, b, c Rows, s *Sel) {
	if fMsubEasyAVX512(d, a, b, c, s) != 0 {
		fMsubExactAVX512(d, a, b, c, s)
	}
}

func fNmadAVX512(d, a, b, c Rows, s *Sel) {
	if fNmadEasyAVX512(d, a, b, c, s) != 0 {
		fNmadExactAVX512(d, a, b, c, s)
	}
}
