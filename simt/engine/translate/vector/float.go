package vector

import (
	"jacquard/fpu"
	"jacquard/simt/engine/translate/x86"
)

// In ModeFloat the processor flushes as the machine does: denormal operands are zeros of their
// sign, and results that are below 2^-126 after rounding with unbounded exponent are zeros. Only
// the machine's single NaN remains to be done.

const (
	nan32   = 0x7fffffff
	inf32   = 0x7f800000
	one32   = 0x3f800000
	least32 = 0x00800000
	sign32  = 1 << 31
)

// FAdd is x + y in f32, rounded to nearest or to zero.
func (b *Builder) FAdd(x Vec, y Source, r fpu.Round) Vec { return b.arithmetic(x86.VADDPS, x, y, r) }

// FSub is x - y in f32, rounded to nearest or to zero.
func (b *Builder) FSub(x Vec, y Source, r fpu.Round) Vec { return b.arithmetic(x86.VSUBPS, x, y, r) }

// FMul is x * y in f32, rounded to nearest or to zero.
func (b *Builder) FMul(x Vec, y Source, r fpu.Round) Vec { return b.arithmetic(x86.VMULPS, x, y, r) }

func (b *Builder) arithmetic(op x86.VOp, x Vec, y Source, r fpu.Round) Vec {
	embedded := b.rounding(ModeFloat, r)
	if embedded == 0 {
		return b.rarelyNaN(b.op(op, x, y))
	}
	v, ok := y.(Vec)
	if ok {
		d := b.Vec()
		b.rounded(op, d, x, v, embedded)
		return b.rarelyNaN(d)
	}
	d := b.orIn(b.Constant(0), y) // such an instruction takes registers only
	b.rounded(op, d, x, d, embedded)
	return b.rarelyNaN(d)
}

// rarelyNaN is canonical for results that are used at once: with AVX512 their users do not wait for
// the check.
func (b *Builder) rarelyNaN(x Vec) Vec {
	if b.Level == AVX2 {
		return b.canonical(x)
	}
	b.settle(b.check(), x, func() { b.canonical(x) })
	return x
}

// canonical replaces NaNs by the machine's NaN, in place.
func (b *Builder) canonical(x Vec) Vec {
	b.replace(x, b.unordered(x), b.Literal(nan32))
	return x
}

// FMin is the minimum of x and y in f32. -0 is less than +0; a NaN loses against a number.
func (b *Builder) FMin(x, y Vec) Vec { return b.ranged(0, x86.VMINPS, x86.VPORD, x, y) }

// FMax is the maximum of x and y in f32, by the rules of FMin.
func (b *Builder) FMax(x, y Vec) Vec { return b.ranged(1, x86.VMAXPS, x86.VPANDD, x, y) }

// ranged computes the minimum (0) or the maximum (1) with AVX512's operation, which distinguishes
// zeros. With AVX2, and for vectors with NaNs, it uses extreme.
func (b *Builder) ranged(greater int, op, both x86.VOp, x, y Vec) Vec {
	if b.Level == AVX2 {
		return b.extreme(op, both, x, y)
	}
	const signOfResult = 1 << 2
	b.Mode(ModeFloat)
	nan := b.compareFloat(predicateUnordered, x, y)
	d := b.Vec()
	b.threeImm(x86.VRANGEPS, d, x, y, greater|signOfResult)
	b.Spare(extremeVectors)
	b.a.V(x86.Ins{Op: x86.KORTESTW, D: uint8(nan), RM: x86.K(uint8(nan))})
	b.Cold(x86.NE, extremeVectors, func() { b.two(x86.VMOVDQA, d, b.extreme(op, both, x, y)) })
	b.FreeMask(nan)
	return d
}

// extremeVectors is the number of registers that extreme takes with AVX512.
const extremeVectors = 2

// extreme uses the host's operation, which returns y if either is a NaN or if both are zeros.
// Denormals compare as zeros. Equal numbers have the same bits, unless they are zeros: then the
// signs of both say which zero it is.
func (b *Builder) extreme(op, both x86.VOp, x, y Vec) Vec {
	b.Mode(ModeFloat)
	d := b.op(op, x, y)
	b.replace(d, b.unordered(y), x)
	same := b.op(both, x, y)
	b.replace(d, b.compareFloat(predicateEqual, x, y), same)
	b.Free(same)
	r := b.flush(d)
	b.Free(d)
	return b.canonical(r)
}

// flush makes zeros of denormals, in any mode.
func (b *Builder) flush(x Vec) Vec {
	if b.Level == AVX512 {
		d := b.copy(x)
		m := b.zeroIn(x, b.Literal(inf32))
		b.under(m, x86.VPANDD, d, x, b.Literal(sign32))
		b.FreeMask(m)
		return d
	}
	m := b.zeroIn(x, b.Literal(inf32))
	d := b.and(x, b.Literal(sign32))
	b.blendTo(d, m, x, d)
	b.FreeMask(m)
	return d
}

// FSat is x clamped to [0, 1]; a NaN stays a NaN.
func (b *Builder) FSat(x Vec) Vec {
	d := b.clampUnit(x)
	b.replace(d, b.unordered(x), b.Literal(nan32))
	return d
}

// clampUnit clamps numbers to [0, 1] by the order of integers.
func (b *Builder) clampUnit(x Vec) Vec {
	return b.in(x86.VPMINSD, b.op(x86.VPMAXSD, x, b.Literal(0)), b.Literal(one32))
}

// FSlct is x where z >= 0 in f32, and y elsewhere.
func (b *Builder) FSlct(x, y, z Vec) Vec {
	m := b.FCompare(z, b.Literal(0), 1<<1|1<<2)
	d := b.blend(m, y, x)
	b.FreeMask(m)
	return d
}

// FSatNaNZero is FSat under the mode bit SAT_NAN_ZERO: NaNs in the lanes of operand become +0.
func (b *Builder) FSatNaNZero(x Vec, operand Mask) Vec {
	d := b.clampUnit(x)
	m := b.unordered(x)
	b.blendTo(d, m, d, b.Literal(nan32))
	b.combineIn(x86.KANDW, x86.VPAND, m, m, operand)
	b.replace(d, m, b.Literal(0))
	return d
}

// FMulZeroWins is FMul under the mode bit MUL_ZERO_WINS: a zero or denormal factor makes +0 for any
// other factor.
func (b *Builder) FMulZeroWins(x, y Vec, r fpu.Round) Vec {
	d := b.FMul(x, y, r)
	b.keepIf(d, b.nonzero(x, b.Literal(inf32)))
	b.keepIf(d, b.nonzero(y, b.Literal(inf32)))
	return d
}

// FFlags collects Z and S of f32 results: Z for a zero or a NaN, S for a negative number or a NaN.
func (b *Builder) FFlags(x Vec, part int) { b.floatFlags(x, nan32, inf32, part) }

// HalfFlags is FFlags of f16 in the low halves of x.
func (b *Builder) HalfFlags(x Vec, part int) {
	v := b.shl(x, 16)
	b.floatFlags(v, nan32, 0x7c00<<16, part)
	b.Free(v)
}

func (b *Builder) floatFlags(x Vec, size, inf uint32, part int) {
	s := b.and(x, b.Literal(size))
	zero, nan := b.zeroOf(s), b.greater(s, b.Literal(inf))
	b.Free(s)
	b.collectFloat(x, zero, nan, part)
}

// collectFloat collects the flags of numbers with the signs of x; it consumes the masks.
func (b *Builder) collectFloat(x Vec, zero, nan Mask, part int) {
	sign := b.without(b.signOf(x), zero)
	b.combineIn(x86.KORW, x86.VPOR, sign, sign, nan)
	b.Collect(sign, part, RegS)
	b.Collect(b.join(zero, nan), part, RegZ)
}

// FSlctFlags collects Z and S of FSlct's results as words: Z for a zero of either sign, otherwise S
// for bit 31.
func (b *Builder) FSlctFlags(x Vec, part int) {
	zero := b.zeroIn(x, b.Literal(nan32))
	b.Collect(b.without(b.signOf(x), zero), part, RegS)
	b.Collect(zero, part, RegZ)
}
