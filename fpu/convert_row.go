package fpu

// RowFunc returns the function that does conversion c for each lane, where neither side
// is wider than 32 bits and c is Valid. Sources are read from the low bits of the words.
func (c Conversion) RowFunc() func(d, a *Row) {
	from, to := shapes[c.From], shapes[c.To]
	switch {
	case !from.float && !to.float:
		return func(d, a *Row) { integerRow(d, a, c) }
	case c.To == F32 && !from.float && !c.Abs && !c.Neg && !c.Sat && (c.Round == RN || from.bits <= 16):
		if c.From == U32 {
			return u32ToF32Row
		}
		return func(d, a *Row) { integerToF32Row(d, a, c.From) }
	case c.From == F32 && !to.float && !c.Abs && !c.Neg:
		return func(d, a *Row) { f32ToIntegerRow(d, a, c.To, c.Round) }
	case c.From == F32 && c.To == F32:
		return c.f32RowFunc()
	case c.From == F16 && c.To == F32 && c == Conversion{To: F32, From: F16, Round: c.Round}:
		return widenRow
	case c.From == F16 && c.To != F16:
		c.From = F32
		rest := c.RowFunc()
		return func(d, a *Row) { widenRow(d, a); rest(d, d) }
	case c.From == F32 && c.To == F16 && c.Round == RN && !c.Integral:
		c.To = F32
		first := c.RowFunc()
		return func(d, a *Row) { first(d, a); narrowRow(d, d) }
	}
	return func(d, a *Row) { convertRow(d, a, c) }
}

// convertRow takes the lanes through the scalar conversion.
func convertRow(d, a *Row, c Conversion) {
	for i := range d {
		r, _ := c.Do(uint64(a[i]))
		d[i] = uint32(r)
	}
}

// f32RowFunc is RowFunc for f32 on both sides: the steps of floatToFloat, as many as
// there are.
func (c Conversion) f32RowFunc() func(d, a *Row) {
	var clear, flip uint32
	if c.Abs {
		clear = sign32
	}
	if c.Neg {
		flip = sign32
	}
	move := func(d, a *Row) { f32Row(d, a, clear, flip) }
	switch {
	case c.Integral && c.Sat:
		return func(d, a *Row) { move(d, a); SatRow(d, d); integralRow(d, d, c.Round) }
	case c.Integral:
		return func(d, a *Row) { move(d, a); integralRow(d, d, c.Round) }
	case c.Sat:
		return func(d, a *Row) { move(d, a); SatRow(d, d) }
	}
	return move
}

// f32Row clears and flips bits, then flushes denormals and makes NaN canonical.
func f32Row(d, a *Row, clear, flip uint32) {
	for i := 0; i < 32; i += 8 {
		d, a := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:])
		d[0] = canonical(flush(a[0]&^clear ^ flip))
		d[1] = canonical(flush(a[1]&^clear ^ flip))
		d[2] = canonical(flush(a[2]&^clear ^ flip))
		d[3] = canonical(flush(a[3]&^clear ^ flip))
		d[4] = canonical(flush(a[4]&^clear ^ flip))
		d[5] = canonical(flush(a[5]&^clear ^ flip))
		d[6] = canonical(flush(a[6]&^clear ^ flip))
		d[7] = canonical(flush(a[7]&^clear ^ flip))
	}
}
