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

func minU(d, a, b *Row) {
	for i := 0; i < Width; i += 8 {
		d, a, b := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:])
		d[0] = min(a[0], b[0])
		d[1] = min(a[1], b[1])
		d[2] = min(a[2], b[2])
		d[3] = min(a[3], b[3])
		d[4] = min(a[4], b[4])
		d[5] = min(a[5], b[5])
		d[6] = min(a[6], b[6])
		d[7] = min(a[7], b[7])
	}
}

func minS(d, a, b *Row) {
	for i := 0; i < Width; i += 8 {
		d, a, b := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:])
		d[0] = uint32(min(int32(a[0]), int32(b[0])))
		d[1] = uint32(min(int32(a[1]), int32(b[1])))
		d[2] = uint32(min(int32(a[2]), int32(b[2])))
		d[3] = uint32(min(int32(a[3]), int32(b[3])))
		d[4] = uint32(min(int32(a[4]), int32(b[4])))
		d[5] = uint32(min(int32(a[5]), int32(b[5])))
		d[6] = uint32(min(int32(a[6]), int32(b[6])))
		d[7] = uint32(min(int32(a[7]), int32(b[7])))
	}
}

func maxU(d, a, b *Row) {
	for i := 0; i < Width; i += 8 {
		d, a, b := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:])
		d[0] = max(a[0], b[0])
		d[1] = max(a[1], b[1])
		d[2] = max(a[2], b[2])
		d[3] = max(a[3], b[3])
		d[4] = max(a[4], b[4])
		d[5] = max(a[5], b[5])
		d[6] = max(a[6], b[6])
		d[7] = max(a[7], b[7])
	}
}

func maxS(d, a, b *Row) {
	for i := 0; i < Width; i += 8 {
		d, a, b := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:])
		d[0] = uint32(max(int32(a[0]), int32(b[0])))
		d[1] = uint32(max(int32(a[1]), int32(b[1])))
		d[2] = uint32(max(int32(a[2]), int32(b[2])))
		d[3] = uint32(max(int32(a[3]), int32(b[3])))
		d[4] = uint32(max(int32(a[4]), int32(b[4])))
		d[5] = uint32(max(int32(a[5]), int32(b[5])))
		d[6] = uint32(max(int32(a[6]), int32(b[6])))
		d[7] = uint32(max(int32(a[7]), int32(b[7])))
	}
}

func absDiffU(d, a, b *Row) {
	for i := 0; i < Width; i += 8 {
		d, a, b := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:])
		d[0] = max(a[0], b[0]) - min(a[0], b[0])
		d[1] = max(a[1], b[1]) - min(a[1], b[1])
		d[2] = max(a[2], b[2]) - min(a[2], b[2])
		d[3] = max(a[3], b[3]) - min(a[3], b[3])
		d[4] = max(a[4], b[4]) - min(a[4], b[4])
		d[5] = max(a[5], b[5]) - min(a[5], b[5])
		d[6] = max(a[6], b[6]) - min(a[6], b[6])
		d[7] = max(a[7], b[7]) - min(a[7], b[7])
	}
}

func absDiffS(d, a, b *Row) {
	for i := 0; i < Width; i += 8 {
		d, a, b := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:])
		d[0] = uint32(max(int32(a[0]), int32(b[0]))) - uint32(min(int32(a[0]), int32(b[0])))
		d[1] = uint32(max(int32(a[1]), int32(b[1]))) - uint32(min(int32(a[1]), int32(b[1])))
		d[2] = uint32(max(int32(a[2]), int32(b[2]))) - uint32(min(int32(a[2]), int32(b[2])))
		d[3] = uint32(max(int32(a[3]), int32(b[3]))) - uint32(min(int32(a[3]), int32(b[3])))
		d[4] = uint32(max(int32(a[4]), int32(b[4]))) - uint32(min(int32(a[4]), int32(b[4])))
		d[5] = uint32(max(int32(a[5]), int32(b[5]))) - uint32(min(int32(a[5]), int32(b[5])))
		d[6] = uint32(max(int32(a[6]), int32(b[6]))) - uint32(min(int32(a[6]), int32(b[6])))
		d[7] = uint32(max(int32(a[7]), int32(b[7]))) - uint32(min(int32(a[7]), int32(b[7])))
	}
}
