package fpu

func (c *Conversion) integerToInteger(v uint64) (uint64, Flags) {
	r, _ := c.To.clamp(c.readInteger(v))
	return r, integerFlags(r, shapes[c.To].container)
}

// integerToFloat converts to f32 or f16. An f16 result is rounded twice, by way of f32.
func (c *Conversion) integerToFloat(v uint64) (uint64, Flags) {
	neg, mag := c.readInteger(v)
	if c.To == F16 && shapes[c.From].bits == 32 {
		signed, _ := c.From.read(v)
		mag = halfDefect(mag, signed, c.Round.mirror(neg))
	}
	x := uint32(single.round(integer(neg, mag), c.Round, flushed))
	if c.Sat {
		x = Sat(x)
	}
	if c.To == F16 {
		h := narrow(x, c.Round, false)
		return h, half.flags(h)
	}
	return uint64(x), FlagsOf(x)
}

// halfDefect returns the magnitude that the conversion of a 32-bit integer to f16 uses: the
// hardware loses leading bits of large ones. signed means that the source was negative before its
// modifiers; r is the mode on the magnitude.
func halfDefect(mag uint64, signed bool, r Round) uint64 {
	const carries = 1<<30 - 1<<5 // bits 29..5: rounding up would carry through all of them
	if (r == RN || r == RP) && mag&carries == carries {
		mag = 0
	}
	t := uint16(mag)
	if signed {
		t--
	}
	n := 2
	for t < 1<<15 && n < 7 {
		t <<= 1
		n++
	}
	return mag & (1<<(32-n) - 1)
}
