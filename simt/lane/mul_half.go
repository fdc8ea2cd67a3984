package lane

// 16-bit multiplication reads halves of registers in place: extracting them first would
// cost two more passes over the row.

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

func mulLowLow(d, a, b *Row) {
	for i := 0; i < Width; i += 8 {
		d, a, b := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:])
		d[0] = (a[0] & 0xffff) * (b[0] & 0xffff)
		d[1] = (a[1] & 0xffff) * (b[1] & 0xffff)
		d[2] = (a[2] & 0xffff) * (b[2] & 0xffff)
		d[3] = (a[3] & 0xffff) * (b[3] & 0xffff)
		d[4] = (a[4] & 0xffff) * (b[4] & 0xffff)
		d[5] = (a[5] & 0xffff) * (b[5] & 0xffff)
		d[6] = (a[6] & 0xffff) * (b[6] & 0xffff)
		d[7] = (a[7] & 0xffff) * (b[7] & 0xffff)
	}
}

func mulHighLow(d, a, b *Row) {
	for i := 0; i < Width; i += 8 {
		d, a, b := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:])
		d[0] = (a[0] >> 16) * (b[0] & 0xffff)
		d[1] = (a[1] >> 16) * (b[1] & 0xffff)
		d[2] = (a[2] >> 16) * (b[2] & 0xffff)
		d[3] = (a[3] >> 16) * (b[3] & 0xffff)
		d[4] = (a[4] >> 16) * (b[4] & 0xffff)
		d[5] = (a[5] >> 16) * (b[5] & 0xffff)
		d[6] = (a[6] >> 16) * (b[6] & 0xffff)
		d[7] = (a[7] >> 16) * (b[7] & 0xffff)
	}
}

func mulHighHigh(d, a, b *Row) {
	for i := 0; i < Width; i += 8 {
		d, a, b := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:])
		d[0] = (a[0] >> 16) * (b[0] >> 16)
		d[1] = (a[1] >> 16) * (b[1] >> 16)
		d[2] = (a[2] >> 16) * (b[2] >> 16)
		d[3] = (a[3] >> 16) * (b[3] >> 16)
		d[4] = (a[4] >> 16) * (b[4] >> 16)
		d[5] = (a[5] >> 16) * (b[5] >> 16)
		d[6] = (a[6] >> 16) * (b[6] >> 16)
		d[7] = (a[7] >> 16) * (b[7] >> 16)
	}
}

func mulAddLowLow(d, a, b, c *Row) {
	for i := 0; i < Width; i += 8 {
		d, a, b, c := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:]), (*[8]uint32)(c[i:])
		d[0] = (a[0]&0xffff)*(b[0]&0xffff) + c[0]
		d[1] = (a[1]&0xffff)*(b[1]&0xffff) + c[1]
		d[2] = (a[2]&0xffff)*(b[2]&0xffff) + c[2]
		d[3] = (a[3]&0xffff)*(b[3]&0xffff) + c[3]
		d[4] = (a[4]&0xffff)*(b[4]&0xffff) + c[4]
		d[5] = (a[5]&0xffff)*(b[5]&0xffff) + c[5]
		d[6] = (a[6]&0xffff)*(b[6]&0xffff) + c[6]
		d[7] = (a[7]&0xffff)*(b[7]&0xffff) + c[7]
	}
}

func mulAddHighLow(d, a, b, c *Row) {
	for i := 0; i < Width; i += 8 {
		d, a, b, c := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:]), (*[8]uint32)(c[i:])
		d[0] = (a[0]>>16)*(b[0]&0xffff) + c[0]
		d[1] = (a[1]>>16)*(b[1]&0xffff) + c[1]
		d[2] = (a[2]>>16)*(b[2]&0xffff) + c[2]
		d[3] = (a[3]>>16)*(b[3]&0xffff) + c[3]
		d[4] = (a[4]>>16)*(b[4]&0xffff) + c[4]
		d[5] = (a[5]>>16)*(b[5]&0xffff) + c[5]
		d[6] = (a[6]>>16)*(b[6]&0xffff) + c[6]
		d[7] = (a[7]>>16)*(b[7]&0xffff) + c[7]
	}
}

func mulAddHighHigh(d, a, b, c *Row) {
	for i := 0; i < Width; i += 8 {
		d, a, b, c := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:]), (*[8]uint32)(c[i:])
		d[0] = (a[0]>>16)*(b[0]>>16) + c[0]
		d[1] = (a[1]>>16)*(b[1]>>16) + c[1]
		d[2] = (a[2]>>16)*(b[2]>>16) + c[2]
		d[3] = (a[3]>>16)*(b[3]>>16) + c[3]
		d[4] = (a[4]>>16)*(b[4]>>16) + c[4]
		d[5] = (a[5]>>16)*(b[5]>>16) + c[5]
		d[6] = (a[6]>>16)*(b[6]>>16) + c[6]
		d[7] = (a[7]>>16)*(b[7]>>16) + c[7]
	}
}
