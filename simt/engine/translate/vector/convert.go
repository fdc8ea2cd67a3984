package vector

import (
	"jacquard/fpu"
	"jacquard/simt/engine/translate/x86"
)

// integerKind is an integer type of at most 32 bits and its container in bits.
type integerKind struct {
	bits, container int
	signed          bool
}

// integerKindOf returns false for types of floating point or of 64 bits.
func integerKindOf(k fpu.Kind) (integerKind, bool) {
	switch k {
	case fpu.U8:
		return integerKind{8, 16, false}, true
	case fpu.S8:
		return integerKind{8, 16, true}, true
	case fpu.U8W:
		return integerKind{8, 32, false}, true
	case fpu.S8W:
		return integerKind{8, 32, true}, true
	case fpu.U16:
		return integerKind{16, 16, false}, true
	case fpu.S16:
		return integerKind{16, 16, true}, true
	case fpu.U32:
		return integerKind{32, 32, false}, true
	case fpu.S32:
		return integerKind{32, 32, true}, true
	}
	return integerKind{}, false
}

// limits returns the kind's range, cut to the range of s32.
func (k integerKind) limits() (least, most int32) {
	if k.signed {
		return -1 << (k.bits - 1), 1<<(k.bits-1) - 1
	}
	return 0, int32(min(uint32(1)<<k.bits-1, 1<<31-1))
}

// Convert is the conversion of a word to a word. It returns false, and emits nothing, if the
// conversion has no vector code here or a side of 64 bits. The source's low bits are its value; the
// result is in the low bits, and 8-bit results are extended to their container.
func (b *Builder) Convert(c fpu.Conversion, x Vec) (Vec, bool) {
	from, fromInt := integerKindOf(c.From)
	to, toInt := integerKindOf(c.To)
	plain := !c.Abs && !c.Neg
	bare := plain && !c.Integral && !c.Sat
	switch {
	case !c.Valid():
		return 0, false
	case c.From == fpu.F32 && c.To == fpu.F32:
		return b.floatToFloat(c, x), true
	case fromInt && toInt && plain && c.From == fpu.U32:
		return b.unsignedToInteger(to, x), true
	case fromInt && toInt && plain:
		return b.clampTo(to, b.value(from, x), from), true
	case fromInt && toInt && (from.bits <= 16 ||
		c.From == fpu.S32 && c.To != fpu.U32 && !(c.Abs && c.Neg)):
		return b.modifiedToInteger(c, from, to, x), true
	case c.From == fpu.S32 && c.To == fpu.U32:
		return b.modifiedToUnsigned(c, x), true
	case c.From == fpu.F16 && c.To == fpu.F32 && bare:
		return b.halfToFloat(x), true
	case c.From == fpu.F32 && c.To == fpu.F16 && bare:
		return b.floatToHalf(c.Round, x), true
	case c.From == fpu.F32 && c.To == fpu.U32 && plain:
		return b.floatToUnsigned(c.Round, x), true
	case c.From == fpu.F32 && toInt && plain:
		return b.floatToInteger(c.Round, to, x), true
	case b.Level == AVX512 && c.To == fpu.F32 && fromInt && from.bits == 32 && plain && !c.Sat && c.Round != fpu.RN:
		op := x86.VCVTDQ2PS
		if c.From == fpu.U32 {
			op = x86.VCVTUDQ2PS
		}
		v := b.Vec()
		b.a.V(x86.Ins{Op: op, L: x86.Z, D: uint8(v), RM: x86.V(uint8(x)), Round: b.rounding(ModeFloat, c.Round)})
		return v, true
	case c.To == fpu.F32 && fromInt && plain && !c.Sat && (c.Round == fpu.RN || from.bits <= 16):
		if c.From == fpu.U32 {
			return b.unsignedToFloat(x), true
		}
		b.Mode(ModeFloat)
		v := b.value(from, x)
		b.two(x86.VCVTDQ2PS, v, v)
		return v, true
	}
	return 0, false
}

// value extends the low bits of x to the value of a kind.
func (b *Builder) value(k integerKind, x Vec) Vec {
	switch {
	case k.bits == 32:
		return b.copy(x)
	case k.signed:
		return b.sarIn(b.shl(x, 32-k.bits), 32-k.bits)
	}
	return b.and(x, b.Literal(1<<k.bits-1))
}

// clampTo clamps values of a kind to the range of another one and cuts them to its container, in
// place. Values of u32 have other code.
func (b *Builder) clampTo(k integerKind, x Vec, from integerKind) Vec {
	least, most := k.limits()
	low, high := from.limits()
	if least > low {
		b.in(x86.VPMAXSD, x, b.Literal(uint32(least)))
	}
	if most < high {
		b.in(x86.VPMINSD, x, b.Literal(uint32(most)))
	}
	if k.container == 16 && max(low, least) < 0 {
		b.andIn(x, b.Literal(0xffff))
	}
	return x
}

// modifiedToInteger converts values with modifiers. The least s32 has no negation; the negation of
// the next s32 is the greatest s32, to which the least would be clamped.
func (b *Builder) modifiedToInteger(c fpu.Conversion, from, to integerKind, x Vec) Vec {
	v := b.value(from, x)
	if from.bits == 32 {
		b.in(x86.VPMAXSD, v, b.Literal(1<<31+1))
	}
	if c.Abs {
		b.two(x86.VPABSD, v, v)
	}
	if c.Neg {
		d := b.Constant(0)
		v = b.use(x86.VPSUBD, d, v)
	}
	return b.clampTo(to, v, integerKind{bits: 32, signed: true})
}

// modifiedToUnsigned converts s32 with modifiers. The negation of the least s32 fits into u32.
func (b *Builder) modifiedToUnsigned(c fpu.Conversion, x Vec) Vec {
	d := b.Constant(0)
	switch {
	case c.Abs && c.Neg: // never above 0
	case c.Abs:
		b.two(x86.VPABSD, d, x)
	case c.Neg:
		negative := b.op(x86.VPMINSD, x, b.Literal(0))
		b.in(x86.VPSUBD, d, negative)
		b.Free(negative)
	}
	return d
}

// unsignedToInteger clamps u32.
func (b *Builder) unsignedToInteger(to integerKind, x Vec) Vec {
	if to.bits == 32 && !to.signed {
		return b.copy(x)
	}
	_, most := to.limits()
	return b.op(x86.VPMINUD, x, b.Literal(uint32(most)))
}
