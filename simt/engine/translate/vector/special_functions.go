package vector

import "jacquard/simt/engine/translate/x86"

// A significand includes its leading one: adding it to the exponent less one also carries where it
// overflows.

// low17 returns the 17 bits of a number that are squared; upper16 returns their upper 16.
func (b *Builder) low17(x Vec) Vec { return b.and(x, b.Literal(1<<17-1)) }

func (b *Builder) upper16(x Vec) Vec { return b.shrIn(b.low17(x), 1) }

// replaceNaN puts the machine's NaN in the lanes in which x is a NaN.
func (b *Builder) replaceNaN(r, x Vec) { b.replace(r, b.unordered(x), b.Literal(nan32)) }

// unreduced returns the lanes whose argument could not be reduced to a number.
func (b *Builder) unreduced(x Vec) Mask { return b.bit(x, 30) }

// exponentialTerms make the significand, times 2^15.
var exponentialTerms = &quadratic{name: "ex2", shift: 13, offset: 15}

var exponential = &interpolated{
	// An integer, and its fraction in the low 23 bits. A negative number takes its one's complement
	// or, without a fraction, its two's complement.
	argument: func(b *Builder, x Vec) Vec {
		s := b.sar(x, 31)
		y := b.xorIn(b.and(x, b.Literal(nan32)), s)
		b.inIf(b.zeroIn(x, b.Literal(1<<23-1)), x86.VPSUBD, y, s)
		b.Free(s)
		return y
	},
	upper:        (*Builder).upper16,
	coefficients: exponentialTerms.coefficients(),
	body: func(b *Builder, _, y, square Vec, c [2]Vec) Vec {
		high, low := b.terms(exponentialTerms, y, square, c)
		const round = 0x77e2
		b.sarIn(b.addIn(low, b.Literal(round)), exponentialTerms.shift)
		r := b.shrIn(b.use(x86.VPADDD, high, low), 2)
		b.use(x86.VPADDD, r, b.and(y, b.Literal(sign32|inf32)))
		b.addIn(r, b.Literal(127<<23-1<<23))
		b.keepIf(r, b.greater(r, b.Literal(1<<23-1)))
		return r
	},
	special: (*Builder).unreduced,
	mend: func(b *Builder, r, x Vec) {
		large := b.sar(x, 31)
		b.in(x86.VPANDN, large, b.Literal(inf32)) // 0 of a negative number
		b.replace(large, b.zeroIn(x, b.Literal(1<<23)), b.Literal(nan32))
		b.replace(r, b.unreduced(x), large)
		b.Free(large)
	},
}

// sineTerms make the sine, times 2^37.
var sineTerms = &quadratic{name: "sin", shift: 11, offset: 14}

var (
	sine = sineOf(
		func(b *Builder, x Vec) Vec { return b.shl(x, 8) },
		func(b *Builder, x Vec) Vec { return b.xorIn(b.shl(x, 7), x) })
	// cosine is the sine shifted by a quarter turn.
	cosine = sineOf(
		func(b *Builder, x Vec) Vec { return b.shlIn(b.add(x, b.Literal(1<<23)), 8) },
		func(b *Builder, x Vec) Vec {
			return b.shlIn(b.addIn(b.and(x, b.Literal(nan32)), b.Literal(1<<23)), 7)
		})
)

// sineOf makes a function of an angle. Bit 31 of turned is set in odd quadrants, which run
// backwards, and bit 31 of negative where the result is negative.
func sineOf(turned, negative func(b *Builder, x Vec) Vec) *interpolated {
	return &interpolated{
		argument:     func(b *Builder, x Vec) Vec { return b.xorIn(b.sarIn(turned(b, x), 31), x) },
		upper:        (*Builder).upper16,
		coefficients: sineTerms.coefficients(),
		body: func(b *Builder, x, y, square Vec, c [2]Vec) Vec {
			high, low := b.terms(sineTerms, y, square, c)
			shift := sineTerms.shift
			b.use(x86.VPADDD, high, b.sar(low, shift))
			r := b.normalize(high, b.shlIn(low, 32-shift), 37+32-shift)
			s := negative(b, x)
			b.takeBits(r, s, sign32)
			b.Free(s)
			return r
		},
		special: (*Builder).unreduced,
		mend:    func(b *Builder, r, x Vec) { b.replace(r, b.unreduced(x), b.Literal(nan32)) },
	}
}

// logarithmTerms make the logarithm of the significand, times 2^38.
var logarithmTerms = &quadratic{name: "lg2", shift: 12, scale: 1, offset: 15}

// logarithm adds the exponent and the logarithm of the significand, with 36 bits of fraction. The
// magnitude of a negative number is its one's complement.
var logarithm = &interpolated{
	upper:        (*Builder).upper16,
	coefficients: logarithmTerms.coefficients(),
	body: func(b *Builder, x, y, square Vec, c [2]Vec) Vec {
		high, low := b.terms(logarithmTerms, y, square, c)
		const round = 0x3345
		b.addIn(low, b.Literal(round))
		b.use(x86.VPADDD, high, b.sar(low, logarithmTerms.shift))
		// The lower 13 bits of the fraction: 3 of high and then 10 of low.
		fraction := b.shl(high, 29)
		b.takeBits(fraction, b.shlIn(low, 17), 0x3ff<<19)
		b.Free(low)
		upper := b.subIn(b.and(x, b.Literal(inf32)), b.Literal(one32))
		b.use(x86.VPADDD, upper, b.sarIn(high, 3))
		s := b.sar(upper, 31)
		b.xorIn(upper, s)
		b.flipBits(fraction, s, 0x1fff<<19)
		r := b.normalize(upper, fraction, 36+32-13)
		b.takeBits(r, s, sign32)
		b.Free(s)
		b.replace(r, b.equal(x, b.Literal(one32)), b.Literal(0))
		return r
	},
	special: (*Builder).notPositive,
	mend: func(b *Builder, r, x Vec) {
		b.replace(r, b.equal(x, b.Literal(inf32)), b.Literal(inf32))
		b.replaceNegative(r, x)
		b.replace(r, b.zeroIn(x, b.Literal(inf32)), b.Literal(sign32|inf32))
		b.replaceNaN(r, x)
	},
}
