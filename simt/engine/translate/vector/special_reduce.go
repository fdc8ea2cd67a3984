package vector

import "jacquard/simt/engine/translate/x86"

// The words that tell a special function that its argument is too large, or no number.
const (
	invalid  = 0x40000000
	tooLarge = 0x40800000
)

// PreEx2 reduces x for Ex2.
func (b *Builder) PreEx2(x Vec) Vec {
	e := b.shrIn(b.shl(x, 1), 24)
	r := b.shiftBy(b.significandOf(x), b.sub(e, b.Literal(127)))
	b.replace(r, b.greater(e, b.Literal(127+6)), b.Literal(tooLarge))
	b.Free(e)
	return b.argument(r, x)
}

// PreSin reduces x for Sin and Cos. Both factors of the product with 24 bits of 2/pi are moved to
// the top, so that bits 47 to 16 of the product are an upper word.
func (b *Builder) PreSin(x Vec) Vec {
	const twoOverPi = 0xa2f983
	p := b.upperProduct(x86.VPMULUDQ, b.shlIn(b.significandOf(x), 8), b.Constant(twoOverPi<<8))
	e := b.shrIn(b.shl(x, 1), 24)
	r := b.shiftBy(p, b.sub(e, b.Literal(127+8)))
	b.andIn(r, b.Literal(1<<25-1))
	b.replace(r, b.greater(e, b.Literal(254)), b.Literal(tooLarge))
	b.Free(e)
	return b.argument(r, x)
}

// significandOf returns the 24 bits of x's significand.
func (b *Builder) significandOf(x Vec) Vec {
	return b.orIn(b.and(x, b.Literal(1<<23-1)), b.Literal(1<<23))
}

// shiftBy shifts x left by n, or right by -n: one of the two shifts by too much. It consumes both.
func (b *Builder) shiftBy(x, n Vec) Vec {
	back := b.Constant(0)
	b.subIn(back, n)
	b.three(x86.VPSRLVD, back, x, back)
	b.use(x86.VPSLLVD, x, n)
	return b.use(x86.VPOR, x, back)
}

// argument completes a function's argument, in place: its sign, and the word for a NaN.
func (b *Builder) argument(r, x Vec) Vec {
	size := b.and(x, b.Literal(nan32))
	b.replace(r, b.greater(size, b.Literal(inf32)), b.Literal(invalid))
	b.Free(size)
	b.takeSign(r, x)
	return r
}
