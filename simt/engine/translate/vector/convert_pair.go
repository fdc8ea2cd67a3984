package vector

import (
	"math"

	"jacquard/fpu"
	"jacquard/simt/engine/translate/x86"
)

// Conversions between f64 in pairs of vectors and 32 bits, without flags. Words that widen in their
// own order are first permuted to the order in which pairs are joined.

// Widen is the conversion of a word to an f64. It returns false, and emits nothing, if the
// conversion has no vector code here.
func (b *Builder) Widen(c fpu.Conversion, x Vec) (Pair, bool) {
	if c.To != fpu.F64 || c.Abs || c.Neg {
		return Pair{}, false
	}
	switch c.From {
	case fpu.S32:
		v := b.xor(x, b.Literal(sign32))
		d := b.biased(v, 1<<52+1<<31)
		b.Free(v)
		return d, true
	case fpu.U32:
		return b.biased(x, 1<<52), true
	case fpu.F32:
		b.Mode(ModeDouble)
		v := b.permute(x, b.joinedOrder)
		d := b.halves(func(h int) Vec { return b.widenFloat(v, h) })
		b.Free(v)
		return d, true
	}
	return Pair{}, false
}

// Narrow is the conversion of an f64 to a word. It returns false, and emits nothing, if the
// conversion has no vector code here.
func (b *Builder) Narrow(c fpu.Conversion, x Pair) (Vec, bool) {
	if c.From != fpu.F64 || c.Abs || c.Neg {
		return 0, false
	}
	var convert func(v Vec)
	switch c.To {
	case fpu.S32:
		convert = func(v Vec) { b.doubleToInteger(c.Round, v) }
	case fpu.F32:
		r := b.rounding(ModeDouble, c.Round)
		convert = func(v Vec) {
			b.a.V(x86.Ins{Op: x86.VCVTPD2PS, L: b.Level.width(), D: uint8(v), RM: x86.V(uint8(v)), Round: r})
		}
	default:
		return 0, false
	}
	v := b.halved(func(h int) Vec {
		v := b.join64(x, h)
		convert(v)
		return v
	})
	d := b.permute(v, b.plainOrder)
	b.Free(v)
	return d, true
}

// biased makes f64 by putting words under a high word that stands for 2^52, and subtracts bias.
func (b *Builder) biased(x Vec, bias float64) Pair {
	b.Mode(ModeDouble)
	high := b.Constant(0x43300000)
	d := b.halves(func(h int) Vec {
		return b.in(x86.VSUBPD, b.join64(Pair{x, high}, h), b.double(bias))
	})
	b.Free(high)
	return d
}

// doubleToInteger converts to the lower half of v, in place. Only the upper limit needs code: for
// low values and a NaN the instruction gives the least integer, as the machine does.
func (b *Builder) doubleToInteger(r fpu.Round, v Vec) {
	b.Mode(ModeDouble)
	limit := b.constant64(math.Float64bits(1<<31 - 1))
	b.three(x86.VMINPD, v, limit, v) // a NaN stays
	b.Free(limit)
	switch r {
	case fpu.RN:
		b.two(x86.VCVTPD2DQ, v, v)
		return
	case fpu.RM, fpu.RP:
		b.twoImm([...]x86.VOp{AVX2: x86.VROUNDPD, AVX512: x86.VRNDSCALEPD}[b.Level], v, v, int(r)|8)
	}
	b.two(x86.VCVTTPD2DQ, v, v)
}

// permute permutes the lanes of x.
func (b *Builder) permute(x Vec, order func(i int) uint32) Vec {
	d := b.op1(x86.VMOVDQU, b.words(order))
	b.three(x86.VPERMD, d, d, x)
	return d
}

// joinedOrder lists the lanes of the two halves that join64 makes.
func (b *Builder) joinedOrder(i int) uint32 {
	half := b.Level.Lanes() / 2
	h, j := i/half, i%half
	return uint32(j/2*4 + 2*h + j%2)
}

// plainOrder undoes joinedOrder.
func (b *Builder) plainOrder(i int) uint32 {
	for j := range b.Level.Lanes() {
		if b.joinedOrder(j) == uint32(i) {
			return uint32(j)
		}
	}
	panic("vector: no permutation")
}
