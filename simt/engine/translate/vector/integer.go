package vector

import "jacquard/simt/engine/translate/x86"

// Not complements x.
func (b *Builder) Not(x Vec) Vec { return b.xor(x, b.Literal(ones)) }

// And is x & y.
func (b *Builder) And(x Vec, y Source) Vec { return b.and(x, y) }

// AndNot is x &^ y.
func (b *Builder) AndNot(x Source, y Vec) Vec { return b.notAnd(y, x) }

// Or is x | y.
func (b *Builder) Or(x Vec, y Source) Vec { return b.or(x, y) }

// OrNot is x | ^y.
func (b *Builder) OrNot(x, y Vec) Vec {
	if b.Level == AVX512 {
		const orNot = 0xdd // whatever d is
		d := b.Vec()
		b.threeImm(x86.VPTERNLOGD, d, x, y, orNot)
		return d
	}
	return b.in(x86.VPOR, b.Not(y), x)
}

// Xor is x ^ y.
func (b *Builder) Xor(x Vec, y Source) Vec { return b.xor(x, y) }

// Add is x + y.
func (b *Builder) Add(x Vec, y Source) Vec { return b.add(x, y) }

// Sub is x - y.
func (b *Builder) Sub(x Vec, y Source) Vec { return b.sub(x, y) }

// Shl is x << n: 0 once the count reaches 32.
func (b *Builder) Shl(x Vec, n Source) Vec { return b.op(x86.VPSLLVD, x, n) }

// ShrU is x >> n, unsigned: 0 once the count reaches 32.
func (b *Builder) ShrU(x Vec, n Source) Vec { return b.op(x86.VPSRLVD, x, n) }

// ShrS is x >> n, signed: all sign bits once the count reaches 32.
func (b *Builder) ShrS(x Vec, n Source) Vec { return b.op(x86.VPSRAVD, x, n) }

// ShlBy is Shl by a constant.
func (b *Builder) ShlBy(x Vec, n uint32) Vec {
	if n >= 32 {
		return b.Constant(0)
	}
	return b.shl(x, int(n))
}

// ShrUBy is ShrU by a constant.
func (b *Builder) ShrUBy(x Vec, n uint32) Vec {
	if n >= 32 {
		return b.Constant(0)
	}
	return b.shr(x, int(n))
}

// ShrSBy is ShrS by a constant.
func (b *Builder) ShrSBy(x Vec, n uint32) Vec { return b.sar(x, int(min(n, 31))) }

// MinU is the minimum of x and y, unsigned.
func (b *Builder) MinU(x Vec, y Source) Vec { return b.op(x86.VPMINUD, x, y) }

// MinS is the minimum of x and y, signed.
func (b *Builder) MinS(x Vec, y Source) Vec { return b.op(x86.VPMINSD, x, y) }

// MaxU is the maximum of x and y, unsigned.
func (b *Builder) MaxU(x Vec, y Source) Vec { return b.op(x86.VPMAXUD, x, y) }

// MaxS is the maximum of x and y, signed.
func (b *Builder) MaxS(x Vec, y Source) Vec { return b.op(x86.VPMAXSD, x, y) }

// AbsDiffU is |x - y| of unsigned words.
func (b *Builder) AbsDiffU(x Vec, y Source) Vec {
	d := b.op(x86.VPMAXUD, x, y)
	return b.use(x86.VPSUBD, d, b.op(x86.VPMINUD, x, y))
}

// AbsDiffS is |x - y| of signed words, an unsigned number.
func (b *Builder) AbsDiffS(x Vec, y Source) Vec {
	d := b.op(x86.VPMAXSD, x, y)
	return b.use(x86.VPSUBD, d, b.op(x86.VPMINSD, x, y))
}

// ExtractLowU is the low half of x, zero-extended.
func (b *Builder) ExtractLowU(x Vec) Vec { return b.and(x, b.Literal(0xffff)) }

// ExtractLowS is the low half of x, sign-extended.
func (b *Builder) ExtractLowS(x Vec) Vec { return b.sarIn(b.shl(x, 16), 16) }

// ExtractHighU is the high half of x, zero-extended.
func (b *Builder) ExtractHighU(x Vec) Vec { return b.shr(x, 16) }

// ExtractHighS is the high half of x, sign-extended.
func (b *Builder) ExtractHighS(x Vec) Vec { return b.sar(x, 16) }

// ExtractByteU is the low byte of x, zero-extended.
func (b *Builder) ExtractByteU(x Vec) Vec { return b.and(x, b.Literal(0xff)) }

// ExtractByteS is the low byte of x, sign-extended.
func (b *Builder) ExtractByteS(x Vec) Vec { return b.sarIn(b.shl(x, 24), 24) }

// InsertLow is old with the low half of x in its low half.
func (b *Builder) InsertLow(old, x Vec) Vec {
	d := b.Vec()
	if b.Level == AVX2 {
		b.threeImm(x86.VPBLENDW, d, old, x, 0x55)
		return d
	}
	b.two(x86.VMOVDQA, d, old)
	return b.choose(d, x, b.Literal(0xffff))
}

// InsertHigh is old with the low half of x in its high half.
func (b *Builder) InsertHigh(old, x Vec) Vec {
	d := b.shl(x, 16)
	if b.Level == AVX2 {
		b.threeImm(x86.VPBLENDW, d, old, d, 0xaa)
		return d
	}
	return b.choose(d, old, b.Literal(0xffff))
}

// choose sets each bit of d to x's bit where the bit of which is 1. AVX512 only.
func (b *Builder) choose(d, x Vec, which Source) Vec {
	const selection = 0xd8 // bit d<<2 | x<<1 | which of it
	b.threeImm(x86.VPTERNLOGD, d, x, which, selection)
	return d
}
