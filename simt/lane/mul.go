package lane

// Mul is the low 32 bits of a * b. With 16-bit operands extended each by its own type
// it is the whole product of a 16-bit multiply.
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

// top24 is s24(x) * 256, an instruction less; two of them make a product 16 bits higher.
func top24(x uint32) int64 { return int64(int32(x << 8)) }

func mulAdd(d, a, b, c *Row) {
	for i := 0; i < Width; i += 8 {
		d, a, b, c := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:]), (*[8]uint32)(c[i:])
		d[0] = a[0]*b[0] + c[0]
		d[1] = a[1]*b[1] + c[1]
		d[2] = a[2]*b[2] + c[2]
		d[3] = a[3]*b[3] + c[3]
		d[4] = a[4]*b[4] + c[4]
		d[5] = a[5]*b[5] + c[5]
		d[6] = a[6]*b[6] + c[6]
		d[7] = a[7]*b[7] + c[7]
	}
}

func mul(d, a, b *Row) {
	for i := 0; i < Width; i += 8 {
		d, a, b := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:])
		d[0] = a[0] * b[0]
		d[1] = a[1] * b[1]
		d[2] = a[2] * b[2]
		d[3] = a[3] * b[3]
		d[4] = a[4] * b[4]
		d[5] = a[5] * b[5]
		d[6] = a[6] * b[6]
		d[7] = a[7] * b[7]
	}
}

func mul24LoU(d, a, b *Row) {
	for i := 0; i < Width; i += 8 {
		d, a, b := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:])
		d[0] = u24(a[0]) * u24(b[0])
		d[1] = u24(a[1]) * u24(b[1])
		d[2] = u24(a[2]) * u24(b[2])
		d[3] = u24(a[3]) * u24(b[3])
		d[4] = u24(a[4]) * u24(b[4])
		d[5] = u24(a[5]) * u24(b[5])
		d[6] = u24(a[6]) * u24(b[6])
		d[7] = u24(a[7]) * u24(b[7])
	}
}

func mul24LoS(d, a, b *Row) {
	for i := 0; i < Width; i += 8 {
		d, a, b := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:])
		d[0] = uint32(s24(a[0]) * s24(b[0]))
		d[1] = uint32(s24(a[1]) * s24(b[1]))
		d[2] = uint32(s24(a[2]) * s24(b[2]))
		d[3] = uint32(s24(a[3]) * s24(b[3]))
		d[4] = uint32(s24(a[4]) * s24(b[4]))
		d[5] = uint32(s24(a[5]) * s24(b[5]))
		d[6] = uint32(s24(a[6]) * s24(b[6]))
		d[7] = uint32(s24(a[7]) * s24(b[7]))
	}
}

func mul24HiU(d, a, b *Row) {
	for i := 0; i < Width; i += 8 {
		d, a, b := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:])
		d[0] = uint32(uint64(u24(a[0])) * uint64(u24(b[0])) >> 16)
		d[1] = uint32(uint64(u24(a[1])) * uint64(u24(b[1])) >> 16)
		d[2] = uint32(uint64(u24(a[2])) * uint64(u24(b[2])) >> 16)
		d[3] = uint32(uint64(u24(a[3])) * uint64(u24(b[3])) >> 16)
		d[4] = uint32(uint64(u24(a[4])) * uint64(u24(b[4])) >> 16)
		d[5] = uint32(uint64(u24(a[5])) * uint64(u24(b[5])) >> 16)
		d[6] = uint32(uint64(u24(a[6])) * uint64(u24(b[6])) >> 16)
		d[7] = uint32(uint64(u24(a[7])) * uint64(u24(b[7])) >> 16)
	}
}

func mul24HiS(d, a, b *Row) {
	for i := 0; i < Width; i += 8 {
		d, a, b := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:])
		d[0] = uint32(top24(a[0]) * top24(b[0]) >> 32)
		d[1] = uint32(top24(a[1]) * top24(b[1]) >> 32)
		d[2] = uint32(top24(a[2]) * top24(b[2]) >> 32)
		d[3] = uint32(top24(a[3]) * top24(b[3]) >> 32)
		d[4] = uint32(top24(a[4]) * top24(b[4]) >> 32)
		d[5] = uint32(top24(a[5]) * top24(b[5]) >> 32)
		d[6] = uint32(top24(a[6]) * top24(b[6]) >> 32)
		d[7] = uint32(top24(a[7]) * top24(b[7]) >> 32)
	}
}
