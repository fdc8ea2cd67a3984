package vector

import "jacquard/simt/engine/translate/x86"

// The machine truncates the product of a multiply-add to 24 bits, without limits of the exponent,
// and rounds the sum. With a zero addend it rounds the product instead, with limits. The main line
// is for other addends, and for products whose exponent does not matter or fits an f32. Out-of-line
// code computes other vectors again, by way of f64 where it must.

// madForm is a form of the multiply-add.
type madForm uint8

const (
	madSum  madForm = iota // product + addend
	madLess                // product - addend
	madFrom                // addend - product
)

// FMad is x * y + z in f32 with a truncated product.
func (b *Builder) FMad(x, y, z Vec) Vec { return b.mad(madSum, x, y, z) }

// FMsub is FMad with the sign of z changed.
func (b *Builder) FMsub(x, y, z Vec) Vec { return b.mad(madLess, x, y, z) }

// FNmad is FMad with the sign of the product changed.
func (b *Builder) FNmad(x, y, z Vec) Vec { return b.mad(madFrom, x, y, z) }

func (b *Builder) mad(form madForm, x, y, z Vec) Vec {
	b.Mode(ModeFloat)
	if b.Level == AVX512 {
		return b.mad512(form, x, y, z)
	}
	return b.mad2(form, x, y, z)
}

// addend completes a multiply-add: d combines p and z, by the form.
func (b *Builder) addend(form madForm, op, less x86.VOp, d, p, z Vec) {
	switch form {
	case madSum:
		b.three(op, d, p, z)
	case madLess:
		b.three(less, d, p, z)
	case madFrom:
		b.three(less, d, z, p)
	}
}

// The classes of VFPCLASSPS.
const (
	classNaN      = 0x81
	classZero     = 0x06 // in ModeFloat with denormals
	classInfinite = 0x18
)

// mad512 truncates the product in the instruction. Out-of-line code computes the result again if
// the product is 2^97 or more, if the addend is less than 2^-95, or if the sum is a NaN. A product
// below 2^-126 adds nothing to other addends, so the least exponent does not matter.
func (b *Builder) mad512(form madForm, x, y, z Vec) Vec {
	const top, step = 0x70000000, 0x10000000 // the upper three bits of the exponent, and their lowest
	c := b.check()
	d := b.Vec()
	b.rounded(x86.VMULPS, d, x, y, x86.RZ)
	next := b.add(d, b.Literal(step))
	b.need(c, next, top)
	b.Free(next)
	b.need(c, z, top)
	b.addend(form, x86.VADDPS, x86.VSUBPS, d, d, z)
	b.settle(c, d, func() { b.madUnusual(form, d, x, y, z) })
	return d
}

// madUnusual is mad512 for all operands. The product is rounded to nearest where the addend is
// zero. The exact product may not be an f32 if the truncated product is zero or the largest number,
// or if the rounded product is infinite.
func (b *Builder) madUnusual(form madForm, d, x, y, z Vec) {
	const least, most = 2 * least32, 2 * (inf32 - 2) // magnitudes, doubled
	done := b.a.NewLabel()
	b.rounded(x86.VMULPS, d, x, y, x86.RZ)
	none := b.zeroIn(z, b.Literal(inf32))
	b.under(none, x86.VMULPS, d, x, y)
	b.FreeMask(none)
	size := b.subIn(b.add(d, d), b.Literal(least))
	odd := b.compare(x86.VPCMPUD, size, b.Literal(most-least), int(x86.CmpGT))
	b.Free(size)
	b.addend(form, x86.VADDPS, x86.VSUBPS, d, d, z)
	b.canonical(d)
	for _, factor := range []Vec{x, y} { // a zero, infinite or NaN factor is no reason
		m := b.class(factor, classNaN|classZero|classInfinite)
		b.without(odd, m)
		b.FreeMask(m)
	}
	b.a.V(x86.Ins{Op: x86.KORTESTW, D: uint8(odd), RM: x86.K(uint8(odd))})
	b.a.Jcc(x86.E, done)
	b.callExact(form, d, x, y, z)
	b.a.Bind(done)
	b.FreeMask(odd)
}

func (b *Builder) class(x Vec, classes int) Mask {
	m := b.Mask()
	b.twoImm(x86.VFPCLASSPS, Vec(m), x, classes)
	return m
}

// mad2 rounds the product to nearest. The fused instruction gives the rounding error, and a product
// that is too large is decremented. From 2^-78 on the error is no denormal, so it is exact.
func (b *Builder) mad2(form madForm, x, y, z Vec) Vec {
	const (
		low, high = uint32(49 << 24), uint32(255 << 24) // of a product's magnitude, doubled
		range32   = high - low - 1
	)
	p := b.op(x86.VMULPS, x, y)
	e := b.copy(p)
	b.three(x86.VFMSUB231PS, e, x, y) // x*y - e
	b.in(x86.VPSIGND, e, p)           // negative if p is too large
	b.sarIn(e, 31)
	const unequalOrUnordered = 4
	some := b.compareFloat(unequalOrUnordered, z, b.Literal(0))
	b.use(x86.VPAND, e, Vec(some))
	size := b.addIn(b.add(p, p), b.Literal(sign32-low))
	outside := Mask(b.in(x86.VPCMPGTD, size, b.Literal(range32^sign32)))
	b.addIn(p, e)
	b.Free(e)
	d := p
	b.addend(form, x86.VADDPS, x86.VSUBPS, d, p, z)
	b.canonical(d)
	b.Spare(1)
	b.a.V(x86.Ins{Op: x86.VTESTPS, L: x86.Y, D: uint8(outside), RM: x86.V(uint8(outside))})
	b.Cold(x86.NE, 1, func() {
		done := b.a.NewLabel()
		for _, v := range []Vec{x, y, z} { // a zero is no reason
			zero := b.compareFloat(predicateEqual, v, b.Literal(0))
			b.without(outside, zero)
			b.FreeMask(zero)
		}
		b.a.V(x86.Ins{Op: x86.VTESTPS, L: x86.Y, D: uint8(outside), RM: x86.V(uint8(outside))})
		b.a.Jcc(x86.E, done)
		b.callExact(form, d, x, y, z)
		b.a.Bind(done)
	})
	b.FreeMask(outside)
	return d
}
