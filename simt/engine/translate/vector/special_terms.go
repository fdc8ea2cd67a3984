package vector

import (
	"math"

	"jacquard/simt/engine/translate/x86"
)

// quadratic describes how a table's coefficients make a number: c0<<shift + c1*x + c2*q<<scale,
// where x has 17 bits and q is its square. Terms have up to 39 bits, but few instructions multiply
// into more than 32. One instruction makes the sum of two products of signed halves. For this
// instruction, x is 2*y + b + 2^16, where b is the last bit and y is a signed half; c1 is d +
// 1<<offset, where 2*d is a signed half; and c2 includes its scale:
//
//	c1*x + c2*q<<scale = 2*d*y + c2<<scale*q + d*b + d<<16 + x<<offset
//
// The last two terms are multiples of 1<<shift; d<<16 is part of the table's constant.
type quadratic struct {
	name                 string // of the table
	shift, scale, offset int
}

func (q *quadratic) coefficients() *coefficients {
	return &coefficients{name: q.name, rows: 64, shift: 17, columns: func(c0, c1, c2 int32) [2]uint32 {
		d := c1 - 1<<q.offset
		return [2]uint32{uint32(c0 + d<<(16-q.shift)), signedHalves(2*d, c2<<q.scale)}
	}}
}

// terms returns high and low, where high<<shift + low is the value for the low 17 bits of x. It
// consumes square, whose halves are the square and y, and the coefficients c.
func (b *Builder) terms(q *quadratic, x, square Vec, c [2]Vec) (high, low Vec) {
	high, low = c[0], b.in(x86.VPMADDWD, square, c[1])
	b.addIfOdd(x, low, b.sarIn(c[1], 17))
	b.Free(c[1])
	b.use(x86.VPADDD, high, b.shlIn(b.low17(x), q.offset-q.shift))
	return high, low
}

// addIfOdd adds y to d in the lanes in which x is odd.
func (b *Builder) addIfOdd(x, d, y Vec) { b.inIf(b.bit(x, 0), x86.VPADDD, d, y) }

// bit returns the lanes with bit n of x set.
func (b *Builder) bit(x Vec, n int) Mask {
	if b.Level == AVX512 {
		return b.nonzero(x, b.Literal(1<<n))
	}
	return b.sign(b.sarIn(b.shl(x, 31-n), 31))
}

// inIf is in, of a sum or difference, in the lanes of m, and frees m.
func (b *Builder) inIf(m Mask, op x86.VOp, d, y Vec) {
	if b.Level == AVX512 {
		b.under(m, op, d, d, y)
		b.FreeMask(m)
		return
	}
	b.use(op, d, b.in(x86.VPAND, Vec(m), y))
}

// takeBits sets the bits of d that are set in x and in mask.
func (b *Builder) takeBits(d, x Vec, mask uint32) {
	const orAnd = 0xf8
	b.bits(orAnd, x86.VPOR, d, x, mask)
}

// flipBits flips the bits of d that are set in x and in mask.
func (b *Builder) flipBits(d, x Vec, mask uint32) {
	const xorAnd = 0x78
	b.bits(xorAnd, x86.VPXOR, d, x, mask)
}

func (b *Builder) bits(table int, op x86.VOp, d, x Vec, mask uint32) {
	if b.Level == AVX512 {
		b.threeImm(x86.VPTERNLOGD, d, x, b.Literal(mask), table)
		return
	}
	b.use(op, d, b.and(x, b.Literal(mask)))
}

// normalize returns upper<<32 + lower, times 2^-point, as an f32, truncated; 0 gives +0. It
// consumes both. upper is below 2^31, the lowest 11 bits of lower are 0, and no result is below
// 2^-126.
func (b *Builder) normalize(upper, lower Vec, point int) Vec {
	if b.Level == AVX2 {
		b.shrIn(lower, 1)
		r := b.halved(func(h int) Vec {
			v, l := b.widen(upper, h), b.widen(lower, h)
			b.three(x86.VFMADD132PD, v, l, b.double(1<<31))
			b.Free(l)
			b.in(x86.VMULPD, v, b.double(math.Ldexp(1, 1-point)))
			b.in(x86.VPAND, v, b.Literal64(^uint64(lost)))
			b.two(x86.VCVTPD2PS, v, v)
			return v
		})
		b.Free(upper, lower)
		return r
	}
	// The 32 bits from the first one in upper on.
	zeros := b.op1(x86.VPLZCNTD, upper)
	shift := b.Constant(32)
	b.subIn(shift, zeros)
	b.use(x86.VPSLLVD, upper, zeros)
	b.three(x86.VPSRLVD, lower, lower, shift)
	r := b.use(x86.VPOR, upper, lower)
	b.a.V(x86.Ins{Op: x86.VCVTUDQ2PS, D: uint8(r), RM: x86.V(uint8(r)), Round: x86.RZ})
	b.use(x86.VPADDD, r, b.shlIn(shift, 23))
	b.subIn(r, b.Literal(uint32(point)<<23))
	return b.in(x86.VPMAXSD, r, b.Literal(0)) // less than 0 where no bit is set
}

// double is the number x in memory.
func (b *Builder) double(x float64) Mem { return b.Literal64(math.Float64bits(x)) }

// widen converts half h of a vector of signed words to f64.
func (b *Builder) widen(x Vec, h int) Vec {
	extract := [...]x86.VOp{AVX2: x86.VEXTRACTI128, AVX512: x86.VEXTRACTI64X4}[b.Level]
	return b.widenBy(x86.VCVTDQ2PD, extract, x, h)
}

// widenFloat is widen for f32.
func (b *Builder) widenFloat(x Vec, h int) Vec {
	extract := [...]x86.VOp{AVX2: x86.VEXTRACTF128, AVX512: x86.VEXTRACTF64X4}[b.Level]
	return b.widenBy(x86.VCVTPS2PD, extract, x, h)
}

func (b *Builder) widenBy(convert, extract x86.VOp, x Vec, h int) Vec {
	d := b.Vec()
	if h != 0 {
		b.twoImm(extract, d, x, 1)
		x = d
	}
	b.two(convert, d, x)
	return d
}

// halved joins the lower halves of two vectors.
func (b *Builder) halved(half func(h int) Vec) Vec {
	lo, hi := half(0), half(1)
	b.threeImm([...]x86.VOp{AVX2: x86.VINSERTF128, AVX512: x86.VINSERTF64X4}[b.Level], lo, lo, hi, 1)
	b.Free(hi)
	return lo
}
