package lane

// ExtractLowU is the low half of a, zero-extended.
func ExtractLowU(d, a Rows, s *Sel) { each1(d, a, s, lowU) }

// ExtractLowS is the low half of a, sign-extended.
func ExtractLowS(d, a Rows, s *Sel) { each1(d, a, s, lowS) }

// ExtractHighU is the high half of a, zero-extended.
func ExtractHighU(d, a Rows, s *Sel) { each1(d, a, s, highU) }

// ExtractHighS is the high half of a, sign-extended.
func ExtractHighS(d, a Rows, s *Sel) { each1(d, a, s, highS) }

// ExtractByteU is the low byte of a, zero-extended.
func ExtractByteU(d, a Rows, s *Sel) { each1(d, a, s, byteU) }

// ExtractByteS is the low byte of a, sign-extended.
func ExtractByteS(d, a Rows, s *Sel) { each1(d, a, s, byteS) }

// InsertLow stores the low half of a in the low half of d; d's high half stays.
func InsertLow(d, a Rows, s *Sel) { each1(d, a, s, insertLow) }

// InsertHigh stores the low half of a in the high half of d; d's low half stays.
func InsertHigh(d, a Rows, s *Sel) { each1(d, a, s, insertHigh) }
