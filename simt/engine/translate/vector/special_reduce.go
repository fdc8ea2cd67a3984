package vector

import "jacquard/simt/engine/translate/x86"

// The words that tell a special function that its argument is too large, or a NaN.
const (
	invalid  = 0x40000000
	tooLarge = 0x40800000
)

// PreEx2 reduces x for Ex2. Its significand starts at the top and is shifted down.
func (b *Builder) PreEx2(x Vec) Vec {
	e := b.shrIn(b.shl(x, 1), 24)
	down := b.Constant(127 + 8)
	b.subIn(down, e)
	r := b.orIn(b.shl(x, 8), b.Literal(1<<31))
	b.use(x86.VPSRLVD, r, down)
	b.replace(r, b.greater(e, b.Literal(127+6)), b.Literal(tooLarge))
	b.Free(e)
	return b.argument(r, x)
}

// PreSin reduces x for Sin and Cos. Both factors of the product with 24 bits of 2/pi are moved to
// the top, so that bits 47 to 16 of the product are an upper word.
func (b *Builder) PreSin(x Vec) Vec {
	const twoOverPi = 0xa2f983
	significand := b.orIn(b.shl(x, 8), b.Literal(1<<31))
	p := b.upperProduct(x86.VPMULUDQ, significand, b.Constant(twoOverPi<<8))
	e := b.shrIn(b.shl(x, 1), 24)
	// One of the shifts leaves nothing, unless both are by 0.
	up := b.sub(e, b.Literal(127+8))
	down := b.Constant(127 + 8)
	b.subIn(down, e)
	r := b.op(x86.VPSLLVD, p, up)
	b.use(x86.VPSRLVD, p, down)
	b.Free(up)
	b.use(x86.VPOR, r, p)
	b.andIn(r, b.Literal(1<<25-1))
	b.replace(r, b.greater(e, b.Literal(254)), b.Literal(tooLarge))
	b.Free(e)
	return b.argument(r, x)
}

// argument completes a function's argument, in place: its sign, and the word for a NaN.
func (b *Builder) argument(r, x Vec) Vec {
	b.replace(r, b.unordered(x), b.Literal(invalid))
	b.takeBits(r, x, sign32)
	return r
}
