package lane

// Shl is a << n: 0 once the count reaches 32, it never wraps.
func Shl(d, a, n Rows, s *Sel) { each2(d, a, n, s, shl) }

// ShrU is a >> n, unsigned: 0 once the count reaches 32.
func ShrU(d, a, n Rows, s *Sel) { each2(d, a, n, s, shrU) }

// ShrS is a >> n, signed: all sign bits once the count reaches 32. A sign-extended
// 16-bit operand needs no other form.
func ShrS(d, a, n Rows, s *Sel) { each2(d, a, n, s, shrS) }

func shl(d, a, b *Row) {
	for i := 0; i < Width; i += 8 {
		d, a, b := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:])
		d[0] = a[0] << b[0]
		d[1] = a[1] << b[1]
		d[2] = a[2] << b[2]
		d[3] = a[3] << b[3]
		d[4] = a[4] << b[4]
		d[5] = a[5] << b[5]
		d[6] = a[6] << b[6]
		d[7] = a[7] << b[7]
	}
}

func shrU(d, a, b *Row) {
	for i := 0; i < Width; i += 8 {
		d, a, b := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:])
		d[0] = a[0] >> b[0]
		d[1] = a[1] >> b[1]
		d[2] = a[2] >> b[2]
		d[3] = a[3] >> b[3]
		d[4] = a[4] >> b[4]
		d[5] = a[5] >> b[5]
		d[6] = a[6] >> b[6]
		d[7] = a[7] >> b[7]
	}
}

func shrS(d, a, b *Row) {
	for i := 0; i < Width; i += 8 {
		d, a, b := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:])
		d[0] = uint32(int32(a[0]) >> b[0])
		d[1] = uint32(int32(a[1]) >> b[1])
		d[2] = uint32(int32(a[2]) >> b[2])
		d[3] = uint32(int32(a[3]) >> b[3])
		d[4] = uint32(int32(a[4]) >> b[4])
		d[5] = uint32(int32(a[5]) >> b[5])
		d[6] = uint32(int32(a[6]) >> b[6])
		d[7] = uint32(int32(a[7]) >> b[7])
	}
}
