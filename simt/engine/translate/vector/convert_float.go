package vector

import (
	"jacquard/fpu"
	"jacquard/simt/engine/translate/x86"
)

// halfToFloat is exact, denormals included: the instruction ignores the mode.
func (b *Builder) halfToFloat(x Vec) Vec {
	var v Vec
	if b.Level == AVX512 {
		v = b.op1(x86.VPMOVDW, x)
	} else {
		v = b.and(x, b.Literal(0xffff))
		b.in(x86.VPACKUSDW, v, v)
		b.twoImm(x86.VPERMQi, v, v, 0x08)
	}
	b.two(x86.VCVTPH2PS, v, v)
	return b.canonical(v)
}

// floatToHalf makes magnitudes below 2^-33 zeros in every rounding; the instruction would round up.
func (b *Builder) floatToHalf(r fpu.Round, x Vec) Vec {
	const least = (127 - 33) << 23
	size := b.and(x, b.Literal(nan32))
	v := b.and(x, b.Literal(sign32))
	b.replace(v, b.greater(size, b.Literal(least-1)), x)
	b.Free(size)
	b.twoImm(x86.VCVTPS2PH, v, v, int(r))
	b.two(x86.VPMOVZXWD, v, v)
	b.replace(v, b.unordered(x), b.Literal(0x7fff))
	return v
}

// unsignedToFloat adds the converted halves with AVX2: both are exact, so the sum is rounded once.
func (b *Builder) unsignedToFloat(x Vec) Vec {
	b.Mode(ModeFloat)
	if b.Level == AVX512 {
		return b.op1(x86.VCVTUDQ2PS, x)
	}
	high, low := b.shr(x, 16), b.and(x, b.Literal(0xffff))
	b.two(x86.VCVTDQ2PS, high, high)
	b.two(x86.VCVTDQ2PS, low, low)
	b.in(x86.VMULPS, high, b.Literal(0x47800000)) // 2^16
	return b.use(x86.VADDPS, high, low)
}

// roundIn rounds to integral values in place.
func (b *Builder) roundIn(r fpu.Round, x Vec) Vec {
	b.twoImm([...]x86.VOp{AVX2: x86.VROUNDPS, AVX512: x86.VRNDSCALEPS}[b.Level], x, x, int(r)|8)
	return x
}

// toInt32 converts in place. Rounding down and up, denormals become zeros first: they are not -1
// or 1.
func (b *Builder) toInt32(r fpu.Round, x Vec) Vec {
	switch r {
	case fpu.RN:
		b.Mode(ModeFloat)
		b.two(x86.VCVTPS2DQ, x, x)
	case fpu.RZ:
		b.two(x86.VCVTTPS2DQ, x, x)
	default:
		x = b.flushIn(x)
		b.two(x86.VCVTTPS2DQ, b.roundIn(r, x), x)
	}
	return x
}

// flushIn is flush of a register that it consumes.
func (b *Builder) flushIn(x Vec) Vec {
	d := b.flush(x)
	b.Free(x)
	return d
}

// floatToInteger saturates at 32 bits, because the instruction saturates only below, then at the
// limits of the kind. A NaN becomes 0.
func (b *Builder) floatToInteger(r fpu.Round, to integerKind, x Vec) Vec {
	d := b.toInt32(r, b.copy(x))
	limit := b.Constant(0x4f000000) // 2^31
	b.replace(d, b.compareFloat(predicateAtMost, limit, x), b.Literal(1<<31-1))
	b.Free(limit)
	b.keepIf(d, b.compareFloat(predicateOrdered, x, x))
	return b.clampTo(to, d, integerKind{bits: 32, signed: true})
}

// floatToUnsigned subtracts 2^31 from large numbers with AVX2, and adds it again as a bit. Negative
// numbers and NaNs become 0 first: the second source of the maximum.
func (b *Builder) floatToUnsigned(r fpu.Round, x Vec) Vec {
	v := b.op(x86.VMAXPS, x, b.Literal(0))
	if b.Level == AVX512 {
		switch r {
		case fpu.RN:
			b.Mode(ModeFloat)
			b.two(x86.VCVTPS2UDQ, v, v)
			return v
		case fpu.RM, fpu.RP:
			v = b.roundIn(r, b.flushIn(v))
		}
		b.two(x86.VCVTTPS2UDQ, v, v)
		return v
	}
	limit := b.Constant(0x4f800000) // 2^32
	over := b.compareFloat(predicateAtMost, limit, v)
	b.two(x86.VMOVDQA, limit, b.Literal(0x4f000000)) // 2^31
	large := Vec(b.compareFloat(predicateAtMost, limit, v))
	b.andIn(limit, large)
	b.use(x86.VSUBPS, v, limit)
	d := b.toInt32(r, v)
	b.use(x86.VPXOR, d, b.shlIn(large, 31))
	b.replace(d, over, b.Literal(ones))
	return d
}

// floatToFloat clears and flips bits, flushes, clamps to [0, 1] if it saturates, and rounds to
// integral values.
func (b *Builder) floatToFloat(c fpu.Conversion, x Vec) Vec {
	v := b.copy(x)
	if c.Abs {
		b.andIn(v, b.Literal(nan32))
	}
	if c.Neg {
		b.xorIn(v, b.Literal(sign32))
	}
	d := b.flushIn(v)
	if c.Sat {
		b.in(x86.VPMAXSD, d, b.Literal(0)) // the order of integers
		b.in(x86.VPMINSD, d, b.Literal(one32))
	}
	if c.Integral {
		b.roundIn(c.Round, d)
	}
	b.replace(d, b.unordered(x), b.Literal(nan32))
	return d
}

// ConvertFlags collects Z and S of the results of Convert to a kind.
func (b *Builder) ConvertFlags(to fpu.Kind, x Vec, part int) {
	switch to {
	case fpu.F32:
		b.FFlags(x, part)
	case fpu.F16:
		b.HalfFlags(x, part)
	case fpu.U8, fpu.S8, fpu.U16, fpu.S16:
		b.ResultFlags(x, 16, part)
	default:
		b.ResultFlags(x, 32, part)
	}
}
