package lane

// Shl is a << n: 0 once the count reaches 32, it never wraps.
func Shl(d, a, n Rows, s *Sel) { each2(d, a, n, s, shl) }

// ShrU is a >> n, unsigned: 0 once the count reaches 32.
func ShrU(d, a, n Rows, s *Sel) { each2(d, a, n, s, shrU) }

// ShrS is a >> n, signed: all sign bits once the count reaches 32. A sign-extended
// 16-bit operand needs no other form.
func ShrS(d, a, n Rows, s *Sel) { each2(d, a, n, s, shrS) }
