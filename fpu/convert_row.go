package fpu

// RowFunc returns the function that does conversion c for each lane, where neither side
// is wider than 32 bits and c is Valid. Sources are read from the low bits of the words.
func (c Conversion) RowFunc() func(d, a *Row) {
	from, to := &shapes[c.From], &shapes[c.To]
	switch {
	case from.float && c.From == F16:
		return c.fromHalfRowFunc()
	case from.float && to.float:
		return c.toFloatRowFunc()
	case from.float && (c.Abs || c.Neg):
		move := Conversion{To: F32, From: F32, Abs: c.Abs, Neg: c.Neg}.f32RowFunc()
		return func(d, a *Row) { move(d, a); f32ToIntegerRow(d, d, c.To, c.Round) }
	case from.float:
		return func(d, a *Row) { f32ToIntegerRow(d, a, c.To, c.Round) }
	case to.float:
		return c.integerToFloatRowFunc()
	}
	return func(d, a *Row) { integerRow(d, a, c) }
}

// fromHalfRowFunc is RowFunc for f16 sources, by way of f32.
func (c Conversion) fromHalfRowFunc() func(d, a *Row) {
	if c == (Conversion{To: F32, From: F16, Round: c.Round}) {
		return widenRow
	}
	c.From = F32
	rest := c.RowFunc()
	return func(d, a *Row) { widenRow(d, a); rest(d, d) }
}

// toFloatRowFunc is RowFunc from f32 to f32 and f16.
func (c Conversion) toFloatRowFunc() func(d, a *Row) {
	first := c.f32RowFunc()
	if c.To == F32 {
		return first
	}
	return func(d, a *Row) { first(d, a); narrowRow(d, d, c.Round, c.Integral) }
}

// integerToFloatRowFunc is RowFunc from integers to f32 and f16.
func (c Conversion) integerToFloatRowFunc() func(d, a *Row) {
	exact := shapes[c.From].bits <= 16 // no rounding to f32
	body := func(d, a *Row) { integerToF32Lanes(d, a, c) }
	if c.plain() && c.To == F32 && (exact || c.Round == RN) {
		from := c.From
		body = func(d, a *Row) { integerToF32Row(d, a, from) }
		if from == U32 {
			body = u32ToF32Row
		}
	}
	return c.finish(body)
}

// plain reports whether the source has no modifiers.
func (c Conversion) plain() bool { return !c.Abs && !c.Neg }

// finish appends the other steps of c to an f32 result: clamping, f16.
func (c Conversion) finish(body func(d, a *Row)) func(d, a *Row) {
	switch {
	case c.Sat && c.To == F16:
		return func(d, a *Row) { body(d, a); SatRow(d, d); narrowRow(d, d, c.Round, false) }
	case c.Sat:
		return func(d, a *Row) { body(d, a); SatRow(d, d) }
	case c.To == F16:
		return func(d, a *Row) { body(d, a); narrowRow(d, d, c.Round, false) }
	}
	return body
}

// f32RowFunc is RowFunc for f32 on both sides: the steps of floatToFloat that c needs.
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
