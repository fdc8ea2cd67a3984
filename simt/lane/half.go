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

func lowU(d, a *Row) {
	for i := 0; i < Width; i += 8 {
		d, a := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:])
		d[0] = uint32(uint16(a[0]))
		d[1] = uint32(uint16(a[1]))
		d[2] = uint32(uint16(a[2]))
		d[3] = uint32(uint16(a[3]))
		d[4] = uint32(uint16(a[4]))
		d[5] = uint32(uint16(a[5]))
		d[6] = uint32(uint16(a[6]))
		d[7] = uint32(uint16(a[7]))
	}
}

func lowS(d, a *Row) {
	for i := 0; i < Width; i += 8 {
		d, a := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:])
		d[0] = uint32(int16(a[0]))
		d[1] = uint32(int16(a[1]))
		d[2] = uint32(int16(a[2]))
		d[3] = uint32(int16(a[3]))
		d[4] = uint32(int16(a[4]))
		d[5] = uint32(int16(a[5]))
		d[6] = uint32(int16(a[6]))
		d[7] = uint32(int16(a[7]))
	}
}

func highU(d, a *Row) {
	for i := 0; i < Width; i += 8 {
		d, a := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:])
		d[0] = a[0] >> 16
		d[1] = a[1] >> 16
		d[2] = a[2] >> 16
		d[3] = a[3] >> 16
		d[4] = a[4] >> 16
		d[5] = a[5] >> 16
		d[6] = a[6] >> 16
		d[7] = a[7] >> 16
	}
}

func highS(d, a *Row) {
	for i := 0; i < Width; i += 8 {
		d, a := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:])
		d[0] = uint32(int32(a[0]) >> 16)
		d[1] = uint32(int32(a[1]) >> 16)
		d[2] = uint32(int32(a[2]) >> 16)
		d[3] = uint32(int32(a[3]) >> 16)
		d[4] = uint32(int32(a[4]) >> 16)
		d[5] = uint32(int32(a[5]) >> 16)
		d[6] = uint32(int32(a[6]) >> 16)
		d[7] = uint32(int32(a[7]) >> 16)
	}
}

func byteU(d, a *Row) {
	for i := 0; i < Width; i += 8 {
		d, a := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:])
		d[0] = uint32(uint8(a[0]))
		d[1] = uint32(uint8(a[1]))
		d[2] = uint32(uint8(a[2]))
		d[3] = uint32(uint8(a[3]))
		d[4] = uint32(uint8(a[4]))
		d[5] = uint32(uint8(a[5]))
		d[6] = uint32(uint8(a[6]))
		d[7] = uint32(uint8(a[7]))
	}
}

func byteS(d, a *Row) {
	for i := 0; i < Width; i += 8 {
		d, a := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:])
		d[0] = uint32(int8(a[0]))
		d[1] = uint32(int8(a[1]))
		d[2] = uint32(int8(a[2]))
		d[3] = uint32(int8(a[3]))
		d[4] = uint32(int8(a[4]))
		d[5] = uint32(int8(a[5]))
		d[6] = uint32(int8(a[6]))
		d[7] = uint32(int8(a[7]))
	}
}

func insertLow(d, a *Row) {
	for i := 0; i < Width; i += 8 {
		d, a := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:])
		d[0] = d[0]&^0xffff | a[0]&0xffff
		d[1] = d[1]&^0xffff | a[1]&0xffff
		d[2] = d[2]&^0xffff | a[2]&0xffff
		d[3] = d[3]&^0xffff | a[3]&0xffff
		d[4] = d[4]&^0xffff | a[4]&0xffff
		d[5] = d[5]&^0xffff | a[5]&0xffff
		d[6] = d[6]&^0xffff | a[6]&0xffff
		d[7] = d[7]&^0xffff | a[7]&0xffff
	}
}

func insertHigh(d, a *Row) {
	for i := 0; i < Width; i += 8 {
		d, a := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:])
		d[0] = d[0]&0xffff | a[0]<<16
		d[1] = d[1]&0xffff | a[1]<<16
		d[2] = d[2]&0xffff | a[2]<<16
		d[3] = d[3]&0xffff | a[3]<<16
		d[4] = d[4]&0xffff | a[4]<<16
		d[5] = d[5]&0xffff | a[5]<<16
		d[6] = d[6]&0xffff | a[6]<<16
		d[7] = d[7]&0xffff | a[7]<<16
	}
}
