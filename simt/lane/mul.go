package lane

// Mul is the low 32 bits of a * b. With 16-bit operands, each extended by its own type, it is the
// whole product of a 16-bit multiply.
func Mul(d, a, b Rows, s *Sel) { each2(d, a, b, s, mul) }

// MulAdd is the low 32 bits of a * b + c.
func MulAdd(d, a, b, c Rows, s *Sel) { each3(d, a, b, c, s, mulAdd) }

// Mul24LoU is bits 31..0 of the product of the operands' low 24 bits, unsigned.
func Mul24LoU(d, a, b Rows, s *Sel) { each2(d, a, b, s, mul24LoU) }

// Mul24LoS is bits 31..0 of the product of the operands' low 24 bits, signed.
func Mul24LoS(d, a, b Rows, s *Sel) { each2(d, a, b, s, mul24LoS) }

// Mul24HiU is bits 47..16 of the product of the operands' low 24 bits, unsigned.
func Mul24HiU(d, a, b Rows, s *Sel) { each2(d, a, b, s, mul24HiU) }

// Mul24HiS is bits 47..16 of the product of the operands' low 24 bits, signed.
func Mul24HiS(d, a, b Rows, s *Sel) { each2(d, a, b, s, mul24HiS) }

func u24(x uint32) uint32 { return x & 0xffffff }

// s24 sign-extends bits 23..0.
func s24(x uint32) int32 { return int32(x<<8) >> 8 }

// top24 is s24(x) * 256, which takes one instruction less; a product of two is 16 bits higher.
func top24(x uint32) int64 { return int64(int32(x << 8)) }
