package lane

// 16-bit multiplication reads halves of registers in place: extracting them first would take two
// more passes over the row.

// MulHalves returns the kernel of a product of unsigned halves: the high half of a if
// aHigh, the low half otherwise, and the same for b.
func MulHalves(aHigh, bHigh bool) Binary {
	body := mulLowLow
	switch {
	case aHigh && bHigh:
		body = mulHighHigh
	case aHigh:
		body = mulHighLow
	case bHigh:
		body = mulLowHigh
	}
	return func(d, a, b Rows, s *Sel) { each2(d, a, b, s, body) }
}

// MulAddHalves returns the kernel of a product of halves, as in MulHalves, plus c.
func MulAddHalves(aHigh, bHigh bool) Ternary {
	body := mulAddLowLow
	switch {
	case aHigh && bHigh:
		body = mulAddHighHigh
	case aHigh:
		body = mulAddHighLow
	case bHigh:
		body = mulAddLowHigh
	}
	return func(d, a, b, c Rows, s *Sel) { each3(d, a, b, c, s, body) }
}
