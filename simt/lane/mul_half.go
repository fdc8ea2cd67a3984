package lane

// 16-bit multiplication reads halves of registers in place: extracting them first would take two
// more passes over the row.

// MulLowLow is the product of the low halves of a and b, unsigned.
func MulLowLow(d, a, b Rows, s *Sel) { each2(d, a, b, s, mulLowLow) }

// MulHighLow is the product of the high half of a and the low half of b, unsigned.
func MulHighLow(d, a, b Rows, s *Sel) { each2(d, a, b, s, mulHighLow) }

// MulHighHigh is the product of the high halves of a and b, unsigned.
func MulHighHigh(d, a, b Rows, s *Sel) { each2(d, a, b, s, mulHighHigh) }

// MulAddLowLow is MulLowLow plus c.
func MulAddLowLow(d, a, b, c Rows, s *Sel) { each3(d, a, b, c, s, mulAddLowLow) }

// MulAddHighLow is MulHighLow plus c.
func MulAddHighLow(d, a, b, c Rows, s *Sel) { each3(d, a, b, c, s, mulAddHighLow) }

// MulAddHighHigh is MulHighHigh plus c.
func MulAddHighHigh(d, a, b, c Rows, s *Sel) { each3(d, a, b, c, s, mulAddHighHigh) }
