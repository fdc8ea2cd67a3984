package vector

import "jacquard/simt/engine/translate/x86"

// The reciprocal and the reciprocal root, which matter most, have quadratics of their own. The
// remainder, a multiple of the coefficient, is part of the table's constant. Rare arguments are
// special.

// reciprocal: with y = x - 2^15 and c = c1 + 2^15,
//
//	c0<<13 + c1*x + c2*q = (c0 + c<<2 - x<<2)<<13 + c*y + c2*q
var reciprocal = &interpolated{
	// The double of these 16 bits is squared.
	upper: func(b *Builder, x Vec) Vec { return b.and(x, b.Literal(1<<16-1)) },
	coefficients: &coefficients{name: "rcp", rows: 128, shift: 16, columns: func(c0, c1, c2 int32) [2]uint32 {
		c := c1 + 1<<15
		// The exponent is 252 less the argument's: its complement less 3.
		return [2]uint32{uint32(c0 + c<<2 - 3<<25), signedHalves(c, c2)}
	}},
	body: func(b *Builder, x, _, square Vec, c [2]Vec) Vec {
		r, low := c[0], b.use(x86.VPMADDWD, square, c[1])
		b.use(x86.VPSUBD, r, b.shlIn(b.and(x, b.Literal(1<<16-1)), 2))
		const round = 0x47e7
		b.addIn(low, b.Literal(round))
		b.use(x86.VPADDD, r, b.sarIn(low, 13))
		b.sarIn(r, 2)
		b.use(x86.VPADDD, r, b.notAnd(x, b.Literal(inf32)))
		b.takeBits(r, x, sign32)
		return r
	},
	special: func(b *Builder, x Vec) Mask {
		const count = tinyReciprocal - least32
		size := b.subIn(b.and(x, b.Literal(nan32)), b.Literal(least32))
		if b.Level == AVX512 {
			m := b.compare(x86.VPCMPUD, size, b.Literal(count-1), int(x86.CmpGT))
			b.Free(size)
			return m
		}
		m := b.greater(size, b.Literal(count-1))
		return b.join(m, Mask(size))
	},
	mend: func(b *Builder, r, x Vec) {
		size := b.and(x, b.Literal(nan32))
		b.replace(r, b.greater(size, b.Literal(tinyReciprocal-1)), b.Literal(0))
		b.replace(r, b.equal(size, b.Literal(tinyReciprocal)), b.Literal(least32))
		b.replace(r, b.zeroIn(x, b.Literal(inf32)), b.Literal(inf32))
		b.takeBits(r, x, sign32)
		b.replace(r, b.greater(size, b.Literal(inf32)), b.Literal(nan32))
		b.Free(size)
	},
}

// tinyReciprocal is the number 2^126: the reciprocals of larger ones are less than 2^-126.
const tinyReciprocal = 253 << 23

// reciprocalRoot: with x = 2*y + b + 2^16, where b is the last bit of x, and c = c1 + 2^15,
//
//	c0<<14 + c1*x + c2*q<<2 = (c0 + c<<2 - x<<1)<<14 + 2*(c*y + 2*c2*q) + c*b
//
// The coefficients change their sign: rounding adds 2^15-1, and -n-1 is the complement of n.
var reciprocalRoot = &interpolated{
	upper: (*Builder).upper16,
	// The table's first half is for even powers of two; their stored exponents are odd.
	coefficients: &coefficients{name: "rsqrt", rows: 128, shift: 17, swap: true, columns: func(c0, c1, c2 int32) [2]uint32 {
		c := c1 + 1<<15
		return [2]uint32{uint32(c0+c<<2+1) + 62<<25, signedHalves(-c, -2*c2)} // 62: see the exponent
	}},
	body: func(b *Builder, x, _, square Vec, c [2]Vec) Vec {
		r, low := c[0], b.in(x86.VPMADDWD, square, c[1])
		b.addIn(low, low)
		b.addIfOdd(x, low, b.sarIn(c[1], 16))
		b.Free(c[1])
		low17 := b.low17(x)
		b.addIn(low17, low17)
		b.use(x86.VPSUBD, r, low17)
		b.use(x86.VPSUBD, r, b.sarIn(low, 14))
		b.shrIn(r, 2)
		// The exponent is 189 less k, half of the next even one: 62 and the complement of k.
		e := b.shrIn(b.add(x, b.Literal(least32)), 1)
		b.in(x86.VPANDN, e, b.Literal(one32))
		return b.use(x86.VPADDD, r, e)
	},
	special: func(b *Builder, x Vec) Mask {
		g := b.and(x, b.Literal(1<<24-1))
		power := b.equal(g, b.Literal(least32)) // of four
		b.Free(g)
		return b.join(power, b.notPositive(x))
	},
	mend: func(b *Builder, r, x Vec) {
		root := b.Constant(381 << 23)
		b.subIn(root, x)
		b.shrIn(root, 1)
		g := b.and(x, b.Literal(1<<24-1))
		b.replace(r, b.equal(g, b.Literal(least32)), root)
		b.Free(g, root)
		b.replace(r, b.equal(x, b.Literal(inf32)), b.Literal(0))
		b.replaceNegative(r, x)
		infinity := b.orIn(b.and(x, b.Literal(sign32)), b.Literal(inf32))
		b.replace(r, b.zeroIn(x, b.Literal(inf32)), infinity)
		b.Free(infinity)
		b.replaceNaN(r, x)
	},
}

// replaceNegative puts NaN in the lanes in which x is negative.
func (b *Builder) replaceNegative(r, x Vec) {
	b.replace(r, b.sign(b.sar(x, 31)), b.Literal(nan32))
}

// notPositive returns the lanes in which x is no positive number of full precision.
func (b *Builder) notPositive(x Vec) Mask {
	if b.Level == AVX512 {
		const anyButPositive = 0xff
		return b.class(x, anyButPositive)
	}
	small := b.Constant(least32)
	b.three(x86.VPCMPGTD, small, small, x)
	return b.join(Mask(small), b.greater(x, b.Literal(inf32-1)))
}
