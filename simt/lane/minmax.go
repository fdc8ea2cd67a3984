package lane

// MinU is the lesser of a and b, unsigned.
func MinU(d, a, b Rows, s *Sel) { each2(d, a, b, s, minU) }

// MinS is the lesser of a and b, signed.
func MinS(d, a, b Rows, s *Sel) { each2(d, a, b, s, minS) }

// MaxU is the greater of a and b, unsigned.
func MaxU(d, a, b Rows, s *Sel) { each2(d, a, b, s, maxU) }

// MaxS is the greater of a and b, signed.
func MaxS(d, a, b Rows, s *Sel) { each2(d, a, b, s, maxS) }

// AbsDiffU is |a - b| of unsigned operands.
func AbsDiffU(d, a, b Rows, s *Sel) { each2(d, a, b, s, absDiffU) }

// AbsDiffS is |a - b| of signed operands, an unsigned number. 16-bit operands must come
// sign-extended.
func AbsDiffS(d, a, b Rows, s *Sel) { each2(d, a, b, s, absDiffS) }
