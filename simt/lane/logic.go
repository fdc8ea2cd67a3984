package lane

// Move copies a.
func Move(d, a Rows, s *Sel) { each1(d, a, s, move) }

// Not complements a.
func Not(d, a Rows, s *Sel) { each1(d, a, s, not) }

// And is a & b.
func And(d, a, b Rows, s *Sel) { each2(d, a, b, s, and) }

// AndNot is a &^ b.
func AndNot(d, a, b Rows, s *Sel) { each2(d, a, b, s, andNot) }

// Or is a | b.
func Or(d, a, b Rows, s *Sel) { each2(d, a, b, s, or) }

// OrNot is a | ^b.
func OrNot(d, a, b Rows, s *Sel) { each2(d, a, b, s, orNot) }

// Xor is a ^ b.
func Xor(d, a, b Rows, s *Sel) { each2(d, a, b, s, xor) }
