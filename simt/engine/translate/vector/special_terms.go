package vector

import "jacquard/simt/engine/translate/x86"

// quadratic describes how a table's coefficients make a number: c0<<shift + c1*x + c2*q<<scale,
// where q is the square of x or of its double. Terms have up to 39 bits, but few instructions
// multiply into more than 32. One instruction makes sums of two products of signed halves. For it,
// c1 is reduced by an offset of 2^15, c2 includes its scale, and both share a word of the table.
// With l, the low half of x as a signed number, and h, the rest of x in steps of 2^16,
//
//	c1*x + c2*q<<scale = (c1-offset)*l + c2<<scale*q + (c1-offset)*h<<16 + offset*x
//
// The last two terms are multiples of 1<<shift.
type quadratic struct {
	name         string // of the table
	shift, scale int
	offset       int32 // 0 or 1<<15
}

// terms returns high and low, where high<<shift + low is the value at table index i. It consumes i,
// x and square. x is not negative and has at most 17 bits.
func (b *Builder) terms(q quadratic, i, x, square Vec) (high, low Vec) {
	c := b.lookup(&coefficients{name: q.name, columns: func(c0, c1, c2 int32) [2]uint32 {
		return [2]uint32{uint32(c0), signedHalves(c1-q.offset, c2<<q.scale)}
	}}, i)
	high, low = c[0], b.use(x86.VPOR, b.shl(x, 16), square)
	b.in(x86.VPMADDWD, low, c[1])
	h := b.andIn(b.add(x, b.Literal(1<<15)), b.Literal(3<<16))
	b.use(x86.VPMADDWD, h, c[1])
	b.use(x86.VPADDD, high, b.shlIn(h, 16-q.shift))
	if q.offset != 0 {
		b.addIn(high, b.shlIn(x, 15-q.shift))
	}
	b.Free(x)
	return high, low
}

// significand returns (value + round) >> (shift+2): a number of 24 bits with its leading one. It
// consumes i, x and square.
func (b *Builder) significand(q quadratic, round uint32, i, x, square Vec) Vec {
	high, low := b.terms(q, i, x, square)
	b.sarIn(b.addIn(low, b.Literal(round)), q.shift)
	return b.shrIn(b.use(x86.VPADDD, high, low), 2)
}

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

// inDoubles makes a vector of f32 from two halves of f64, towards zero.
func (b *Builder) inDoubles(half func(h int) Vec) Vec {
	b.Mode(ModeFloat) // a sum that is zero has the sign + only to nearest
	return b.halved(func(h int) Vec {
		v := half(h)
		if b.Level == AVX512 {
			b.a.V(x86.Ins{Op: x86.VCVTPD2PS, D: uint8(v), RM: x86.V(uint8(v)), Round: x86.RZ})
			return v
		}
		b.in(x86.VPAND, v, b.Literal64(^uint64(lost)))
		b.two(x86.VCVTPD2PS, v, v)
		return v
	})
}

// halved joins the lower halves of two vectors.
func (b *Builder) halved(half func(h int) Vec) Vec {
	lo, hi := half(0), half(1)
	b.threeImm([...]x86.VOp{AVX2: x86.VINSERTF128, AVX512: x86.VINSERTF64X4}[b.Level], lo, lo, hi, 1)
	b.Free(hi)
	return lo
}
