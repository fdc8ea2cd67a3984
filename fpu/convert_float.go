package fpu

// read32 returns an f32 or f16 source as an f32 after its modifiers, flushed and with
// NaN in its canonical form. f16 denormals are f32 numbers and survive.
func (c *Conversion) read32(v uint64) uint32 {
	x := v & (1<<32 - 1)
	if c.From == F16 {
		x = uint64(widen(uint16(v)))
	}
	return canonical(flush(uint32(c.modify(single, x))))
}

// floatToInteger is the conversion of f32 and f16 to integers of up to 32 bits. A NaN
// becomes 0.
func (c *Conversion) floatToInteger(v uint64) (uint64, Flags) {
	x := c.read32(v)
	if isNaN(x) {
		return 0, Zero
	}
	r, _ := c.To.clamp(single.toInteger(uint64(x), c.Round))
	return r, integerFlags(r, shapes[c.To].container)
}

func (c *Conversion) floatToFloat(v uint64) (uint64, Flags) {
	x := c.read32(v)
	if c.Sat {
		x = Sat(x)
	}
	if c.Integral {
		x = uint32(single.integral(uint64(x), c.Round))
	}
	if c.To == F16 {
		h := narrow(x, c.Round, c.Integral)
		return h, half.flags(h)
	}
	return uint64(x), FlagsOf(x)
}

// toInteger rounds a pattern that is no NaN to an integer in mode r. Magnitudes of 2^64 and more
// become 2^64-1, which every integer kind but u64 clamps anyway.
func (f format) toInteger(x uint64, r Round) (neg bool, mag uint64) {
	neg = f.neg(x)
	sig, point := f.fixed(x)
	if f.isInf(x) || point <= f.frac-64 {
		return neg, 1<<64 - 1
	}
	return neg, shiftRoundWord(sig, point, r.mirror(neg))
}

// widen returns an f16 as an f32.
func widen(h uint16) uint32 {
	x := uint64(h)
	neg := half.neg(x)
	var r uint64
	switch {
	case half.isNaN(x):
		r = NaN
	case half.isInf(x):
		r = inf32
	case !half.isZero(x):
		n := half.unpack(x)
		n.neg = false
		r = single.round(n, RN, gradual)
	}
	return uint32(single.withSign(r, neg))
}

// narrow rounds an f32 to f16. A NaN loses its sign; magnitudes below 2^-33 become zero in every
// mode. If x was rounded to an integral value before, its significand is truncated.
func narrow(x uint32, r Round, integral bool) uint64 {
	const least = (127 - 33) << 23 // 2^-33
	mag := x &^ sign32
	neg := x&sign32 != 0
	switch {
	case isNaN(x):
		return 0x7fff
	case mag == inf32:
		return half.withSign(half.inf(), neg)
	case mag < least:
		return half.withSign(0, neg)
	}
	n := single.unpack(uint64(x))
	if !integral {
		return half.round(n, r, gradual)
	}
	if n.exp > half.bias() {
		return half.withSign(half.overflow(r.mirror(neg)), neg)
	}
	return half.round(n, RZ, gradual)
}
