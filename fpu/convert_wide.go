package fpu

// The 64-bit converter of sm_13. It honours denormals and ignores Sat.

// wideIntegerToFloat rounds once. The mode follows a negation only if the source is
// signed: the magnitude of a negated u64 is rounded as if it were the value.
func (c *Conversion) wideIntegerToFloat(v uint64) (uint64, Flags) {
	neg, mag := c.readInteger(v)
	f := c.To.format()
	r := c.Round
	if !shapes[c.From].signed {
		r = r.mirror(neg)
	}
	x := f.round(integer(neg, mag), r, gradual)
	return x, f.flags(x)
}

// wideFloatToInteger sets Overflow if the value was clamped or a NaN. A NaN becomes the least
// signed integer, even for unsigned destinations.
//
// Unverified: the reference leaves open whether Overflow is set when a value rounds to
// exactly 2^32-1 in u32; it is clear here, as for every value that fits.
func (c *Conversion) wideFloatToInteger(v uint64) (uint64, Flags) {
	f, to := c.From.format(), shapes[c.To]
	v &= f.sign()<<1 - 1
	if f.isNaN(v) {
		r := uint64(1) << (to.bits - 1)
		return r, integerFlags(r, to.bits) | Overflow
	}
	v = c.modify(f, v)
	neg, mag := f.toInteger(v, c.Round)
	r, clamped := c.To.clamp(neg, mag)
	flags := integerFlags(r, to.bits)
	if clamped {
		flags |= Overflow
	}
	return r, flags
}

// wideFloatToFloat only sets the quiet bit of a NaN: sign, modifiers and the leading payload bits
// survive.
func (c *Conversion) wideFloatToFloat(v uint64) (uint64, Flags) {
	from, to := c.From.format(), c.To.format()
	v &= from.sign()<<1 - 1
	r := v
	switch {
	case from.isNaN(v):
		r = quietTo(to, from, v)
		return r, to.flags(r)
	case from.isInf(v):
		v = c.modify(from, v)
		r = to.withSign(to.inf(), from.neg(v))
	default:
		v = c.modify(from, v)
		if c.Integral && c.To == F64 && c.From == F64 {
			v = from.integral(v, c.Round)
		}
		r = to.round(from.unpack(v), c.Round, gradual)
	}
	return r, to.flags(r)
}

// quietTo moves a NaN from one format to another.
func quietTo(to, from format, v uint64) uint64 {
	payload := v & (1<<from.frac - 1)
	if to.frac >= from.frac {
		payload <<= to.frac - from.frac
	} else {
		payload >>= from.frac - to.frac
	}
	return to.withSign(to.inf()|1<<(to.frac-1)|payload, from.neg(v))
}
