package vector

import (
	"math"

	"jacquard/simt/engine/translate/x86"
)

// A significand includes its leading one: adding it to the exponent less one also carries where it
// overflows.

// low17 returns the 17 bits of a number that are squared; upper16 returns the upper 16 of them.
func (b *Builder) low17(x Vec) Vec { return b.and(x, b.Literal(1<<17-1)) }

func (b *Builder) upper16(x Vec) Vec { return b.shrIn(b.low17(x), 1) }

// replaceNaN puts the machine's NaN in the lanes in which x is a NaN.
func (b *Builder) replaceNaN(r, x Vec) {
	size := b.and(x, b.Literal(nan32))
	b.replace(r, b.greater(size, b.Literal(inf32)), b.Literal(nan32))
	b.Free(size)
}

// bit30 returns the lanes with bit 30 of x set.
func (b *Builder) bit30(x Vec) Mask { return b.sign(b.sarIn(b.shl(x, 1), 31)) }

var exponential = &interpolated{
	// A negative number takes its one's complement, unless it is an integer. An integer has no
	// fraction: either complement squares to zero.
	upper: func(b *Builder, x Vec) Vec {
		v := b.xorIn(b.sar(x, 31), x)
		b.keepIf(v, b.nonzero(x, b.Literal(1<<23-1)))
		u := b.upper16(v)
		b.Free(v)
		return u
	},
	body: func(b *Builder, x, square Vec, _ [2]Vec) Vec {
		s := b.sar(x, 31)
		v := b.xorIn(b.and(x, b.Literal(nan32)), s)
		two := b.sub(v, s)
		b.replace(v, b.zeroIn(x, b.Literal(1<<23-1)), two)
		b.Free(two)
		fraction := b.and(v, b.Literal(1<<23-1))
		b.subIn(v, fraction)
		low := b.low17(fraction)
		b.shrIn(fraction, 17)
		q := quadratic{name: "ex2", shift: 13, offset: 1 << 15}
		r := b.significand(q, 0x77e2, fraction, low, square)
		b.use(x86.VPADDD, r, v)
		b.addIn(r, b.Literal(127<<23-1<<23))
		b.keepIf(r, b.greater(r, b.Literal(1<<23-1)))

		odd := b.in(x86.VPANDN, s, b.Literal(inf32)) // 0 of a large negative number
		b.replace(odd, b.zeroIn(x, b.Literal(1<<23)), b.Literal(nan32))
		b.replace(r, b.bit30(x), odd)
		b.Free(odd)
		return r
	},
}

var (
	sine = sineOf(func(b *Builder, x Vec) (y, s Vec) {
		return b.copy(x), b.xorIn(b.shl(x, 7), x)
	})
	// cosine is the sine shifted by a quarter turn.
	cosine = sineOf(func(b *Builder, x Vec) (y, s Vec) {
		y = b.addIn(b.and(x, b.Literal(nan32)), b.Literal(1<<23))
		return y, b.shl(y, 7)
	})
)

// sineOf makes a function from turn: y has the quadrant at bit 23, s the result's sign at bit 31.
func sineOf(turn func(b *Builder, x Vec) (y, s Vec)) *interpolated {
	quadrant := func(b *Builder, x Vec) (fraction, s Vec) {
		y, s := turn(b, x)
		b.sarIn(b.shlIn(y, 8), 31) // odd quadrants run backwards
		return b.xorIn(y, x), s
	}
	return &interpolated{
		upper: func(b *Builder, x Vec) Vec {
			fraction, s := quadrant(b, x)
			b.Free(s)
			return b.shrIn(b.andIn(fraction, b.Literal(1<<17-1)), 1)
		},
		body: func(b *Builder, x, square Vec, _ [2]Vec) Vec {
			fraction, s := quadrant(b, x)
			b.andIn(s, b.Literal(sign32))
			b.andIn(fraction, b.Literal(1<<23-1))
			low17 := b.low17(fraction)
			b.shrIn(fraction, 17)
			high, low := b.terms(quadratic{name: "sin", shift: 11}, fraction, low17, square)
			r := b.inDoubles(func(h int) Vec {
				v, l := b.widen(high, h), b.widen(low, h)
				b.three(x86.VFMADD132PD, v, l, b.double(1<<11))
				b.Free(l)
				return b.in(x86.VMULPD, v, b.double(1.0/(1<<37)))
			})
			b.Free(high, low)
			b.use(x86.VPOR, r, s)
			b.replace(r, b.bit30(x), b.Literal(nan32))
			return r
		},
	}
}

var logarithm = &interpolated{
	upper: (*Builder).upper16,
	body: func(b *Builder, x, square Vec, _ [2]Vec) Vec {
		low17 := b.low17(x)
		q := quadratic{name: "lg2", shift: 12, scale: 1, offset: 1 << 15}
		high, low := b.terms(q, b.shr(x, 17), low17, square)
		b.sarIn(b.addIn(low, b.Literal(0x3345)), 2)
		r := b.inDoubles(func(h int) Vec {
			v, l := b.widen(high, h), b.widen(low, h)
			b.three(x86.VFMADD132PD, v, l, b.double(1<<10))
			b.Free(l)
			e := b.subIn(b.shrIn(b.shl(x, 1), 24), b.Literal(127))
			d := b.widen(e, h)
			b.Free(e)
			b.three(x86.VFMADD132PD, d, v, b.double(1<<36))
			b.Free(v)
			return b.in(x86.VMULPD, b.complement(d), b.double(1.0/(1<<36)))
		})
		b.Free(high, low)
		b.replace(r, b.equal(x, b.Literal(one32)), b.Literal(0))
		b.replace(r, b.equal(x, b.Literal(inf32)), b.Literal(inf32))
		b.replaceNegative(r, x)
		b.replace(r, b.zeroIn(x, b.Literal(inf32)), b.Literal(sign32|inf32))
		b.replaceNaN(r, x)
		return r
	},
}

// double is the number x in memory.
func (b *Builder) double(x float64) Mem { return b.Literal64(math.Float64bits(x)) }

// complement subtracts one from the magnitude of negative numbers, in place, and keeps their sign.
func (b *Builder) complement(x Vec) Vec {
	s := b.op(x86.VPANDQ, x, b.Literal64(1<<63))
	m := b.compareDouble(predicateLess, x, b.Literal64(0))
	if b.Level == AVX512 {
		b.under(m, x86.VADDPD, x, x, b.double(1))
		b.FreeMask(m)
	} else {
		b.in(x86.VPAND, Vec(m), b.double(1))
		b.use(x86.VADDPD, x, Vec(m))
	}
	return b.use(x86.VPOR, x, s)
}
