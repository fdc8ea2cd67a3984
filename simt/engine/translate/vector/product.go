package vector

import "jacquard/simt/engine/translate/x86"

// IMul is the low 32 bits of x * y.
func (b *Builder) IMul(x Vec, y Source) Vec { return b.op(x86.VPMULLD, x, y) }

// IMulAdd is the low 32 bits of x * y + z.
func (b *Builder) IMulAdd(x Vec, y, z Source) Vec { return b.addIn(b.IMul(x, y), z) }

// Mul24LoU is bits 31 to 0 of the product of the low 24 bits, unsigned.
func (b *Builder) Mul24LoU(x, y Vec) Vec {
	low := b.Literal(1<<24 - 1)
	d := b.and(x, low)
	return b.use(x86.VPMULLD, d, b.and(y, low))
}

// Mul24LoS is bits 31 to 0 of the product of the low 24 bits, signed.
func (b *Builder) Mul24LoS(x, y Vec) Vec {
	d := b.sarIn(b.shl(x, 8), 8)
	return b.use(x86.VPMULLD, d, b.sarIn(b.shl(y, 8), 8))
}

// Mul24HiU is bits 47 to 16 of the product of the low 24 bits, unsigned.
func (b *Builder) Mul24HiU(x, y Vec) Vec { return b.mul24Hi(x86.VPMULUDQ, x, y) }

// Mul24HiS is bits 47 to 16 of the product of the low 24 bits, signed.
func (b *Builder) Mul24HiS(x, y Vec) Vec { return b.mul24Hi(x86.VPMULDQ, x, y) }

// mul24Hi moves both factors to the top, where the result is an upper word.
func (b *Builder) mul24Hi(op x86.VOp, x, y Vec) Vec {
	p, q := b.shl(x, 8), b.shl(y, 8)
	return b.upperProduct(op, p, q)
}

// upperProduct is the upper words of 64-bit products; it consumes its operands. One instruction
// makes the products of the even lanes.
func (b *Builder) upperProduct(op x86.VOp, x, y Vec) Vec {
	even := b.op(op, x, y)
	b.shiftIn(x86.VPSRLQi, x, 32)
	b.shiftIn(x86.VPSRLQi, y, 32)
	odd := b.use(op, x, y)
	b.shiftIn(x86.VPSRLQi, even, 32)
	if b.Level == AVX2 {
		b.threeImm(x86.VPBLENDD, even, even, odd, 0xaa)
		b.Free(odd)
		return even
	}
	const upperLane = 0xd8 // see choose
	b.threeImm(x86.VPTERNLOGQ, even, odd, b.Literal64(0xffffffff00000000), upperLane)
	b.Free(odd)
	return even
}

// Halves tells which halves of its factors a 16-bit product multiplies.
type Halves struct{ XHigh, YHigh bool }

// MulHalves is the product of a half of x and a half of y, unsigned.
func (b *Builder) MulHalves(h Halves, x, y Vec) Vec {
	p := b.half(h.XHigh, x)
	return b.use(x86.VPMULLD, p, b.half(h.YHigh, y))
}

// MulAddHalves is MulHalves plus z.
func (b *Builder) MulAddHalves(h Halves, x, y Vec, z Source) Vec {
	return b.addIn(b.MulHalves(h, x, y), z)
}

func (b *Builder) half(high bool, x Vec) Vec {
	if high {
		return b.shr(x, 16)
	}
	return b.ExtractLowU(x)
}
