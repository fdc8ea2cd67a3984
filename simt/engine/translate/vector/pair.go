package vector

import (
	"jacquard/fpu"
	"jacquard/simt/engine/translate/x86"
)

// An f64 is a pair of words in two vectors. Half h of a pair is a vector of f64 that interleaves
// the two vectors. The lanes of a half have another order, and results are split in the same order.

// join64 returns half h of a pair.
func (b *Builder) join64(x Pair, h int) Vec {
	return b.op([...]x86.VOp{x86.VPUNPCKLDQ, x86.VPUNPCKHDQ}[h], x.Lo, x.Hi)
}

// split64 is the inverse of join64; it consumes the halves.
func (b *Builder) split64(half [2]Vec) Pair {
	lo := b.Vec()
	b.threeImm(x86.VSHUFPS, lo, half[0], half[1], 0x88)
	b.threeImm(x86.VSHUFPS, half[0], half[0], half[1], 0xdd)
	b.Free(half[1])
	return Pair{Lo: lo, Hi: half[0]}
}

// halves computes both halves of a pair.
func (b *Builder) halves(half func(h int) Vec) Pair {
	return b.split64([2]Vec{half(0), half(1)})
}

// FreePair frees both registers of a pair.
func (b *Builder) FreePair(x Pair) { b.Free(x.Lo, x.Hi) }

// DAdd is x + y in f64.
func (b *Builder) DAdd(x, y Pair, r fpu.Round) Pair { return b.arithmetic64(x86.VADDPD, x, y, r) }

// DMul is x * y in f64.
func (b *Builder) DMul(x, y Pair, r fpu.Round) Pair { return b.arithmetic64(x86.VMULPD, x, y, r) }

// arithmetic64 exchanges the sources: of two NaNs the machine takes y's, the processor the first.
func (b *Builder) arithmetic64(op x86.VOp, x, y Pair, r fpu.Round) Pair {
	embedded := b.rounding(ModeDouble, r)
	return b.halves(func(h int) Vec {
		p, q := b.join64(x, h), b.join64(y, h)
		b.rounded(op, q, q, p, embedded)
		b.Free(p)
		return q
	})
}

// DFma is x * y + z in f64, rounded once.
func (b *Builder) DFma(x, y, z Pair, r fpu.Round) Pair {
	embedded := b.rounding(ModeDouble, r)
	return b.halves(func(h int) Vec {
		p, q, s := b.join64(x, h), b.join64(y, h), b.join64(z, h)
		d := b.copy(q)
		b.rounded(x86.VFMADD132PD, d, s, p, embedded) // d*p + s
		b.Free(p)
		// The processor takes x's NaN before z's; the machine takes y's, then z's.
		for _, v := range []Vec{s, q} {
			m := b.compareDouble(predicateUnordered, v, v)
			b.in(x86.VPORQ, v, b.Literal64(quiet64))
			b.replace64(d, m, v)
			b.Free(v)
		}
		return d
	})
}

// quiet64 is the bit of a NaN that does not signal.
const quiet64 = 1 << 51

// DMin is the minimum of x and y in f64. A NaN loses, of two NaNs the second remains, quieted, and
// -0 is less than +0.
func (b *Builder) DMin(x, y Pair) Pair { return b.extreme64(false, x, y) }

// DMax is the maximum of x and y in f64, by the rules of DMin.
func (b *Builder) DMax(x, y Pair) Pair { return b.extreme64(true, x, y) }

func (b *Builder) extreme64(greater bool, x, y Pair) Pair {
	return b.halves(func(h int) Vec {
		p, d := b.join64(x, h), b.join64(y, h)
		u, v := b.order64(p), b.order64(d)
		if greater {
			u, v = v, u
		}
		m := b.compare(x86.VPCMPGTQ, v, u, 0)
		b.Free(u, v)
		r := b.copy(d)
		b.replace64(r, m, p)
		b.replace64(r, b.compareDouble(predicateUnordered, d, d), p)
		b.replace64(r, b.compareDouble(predicateUnordered, p, p), d)
		b.Free(p)
		b.three(x86.VPORQ, d, r, b.Literal64(quiet64))
		b.replace64(r, b.compareDouble(predicateUnordered, r, r), d)
		b.Free(d)
		return r
	})
}

// order64 maps f64 to integers of the same order.
func (b *Builder) order64(x Vec) Vec {
	s := b.Vec()
	if b.Level == AVX512 {
		b.twoImm(x86.VPSRAQi, s, x, 63)
	} else {
		b.three(x86.VPXOR, s, s, s)
		b.three(x86.VPCMPGTQ, s, s, x) // 0 > x
	}
	b.shiftIn(x86.VPSRLQi, s, 1)
	return b.in(x86.VPXORQ, s, x)
}

// DModify applies the modifiers of an f64 source, absolute value first. A NaN keeps its sign.
func (b *Builder) DModify(x Pair, abs, neg bool) Pair {
	hi := b.copy(x.Hi)
	if abs {
		b.andIn(hi, b.Literal(nan32))
	}
	if neg {
		b.xorIn(hi, b.Literal(sign32))
	}
	b.replace(hi, b.notNumber(x), x.Hi)
	return Pair{Lo: b.copy(x.Lo), Hi: hi}
}

// DCopy is DModify for conversions, which make every NaN a quiet one.
func (b *Builder) DCopy(x Pair, abs, neg bool) Pair {
	d := b.DModify(x, abs, neg)
	quiet := b.or(d.Hi, b.Literal(quiet64High))
	b.replace(d.Hi, b.notNumber(d), quiet)
	b.Free(quiet)
	return d
}

const (
	inf64High   = 0x7ff00000
	quiet64High = 0x00080000
)

// notNumber returns the lanes in which x is a NaN.
func (b *Builder) notNumber(x Pair) Mask {
	size := b.and(x.Hi, b.Literal(nan32))
	m := b.equal(size, b.Literal(inf64High))
	zero := b.zeroOf(x.Lo)
	b.without(m, zero)
	b.FreeMask(zero)
	more := b.greater(size, b.Literal(inf64High))
	b.Free(size)
	return b.join(m, more)
}

// DFlags collects Z and S of f64 results: Z for a zero or a NaN, S for a negative number or a NaN.
func (b *Builder) DFlags(x Pair, part int) {
	size := b.orIn(b.and(x.Hi, b.Literal(nan32)), x.Lo)
	zero := b.zeroOf(size)
	b.Free(size)
	b.collectFloat(x.Hi, zero, b.notNumber(x), part)
}
