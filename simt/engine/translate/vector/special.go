package vector

import "jacquard/simt/engine/translate/x86"

// The special functions take and return two parts of a row, because they square two vectors as one
// vector of halves. They interpolate in 32-bit integers. Package sfu explains the functions.

// Rcp is 1/x.
func (b *Builder) Rcp(x [2]Vec) [2]Vec { return b.interpolate(reciprocal, x) }

// Rsqrt is 1/sqrt(x).
func (b *Builder) Rsqrt(x [2]Vec) [2]Vec { return b.interpolate(reciprocalRoot, x) }

// Lg2 is the binary logarithm of x.
func (b *Builder) Lg2(x [2]Vec) [2]Vec { return b.interpolate(logarithm, x) }

// Sin is the sine of x, an angle from PreSin.
func (b *Builder) Sin(x [2]Vec) [2]Vec { return b.interpolate(sine, x) }

// Cos is the cosine of x, an angle from PreSin.
func (b *Builder) Cos(x [2]Vec) [2]Vec { return b.interpolate(cosine, x) }

// Ex2 is 2 to the power x, a result of PreEx2.
func (b *Builder) Ex2(x [2]Vec) [2]Vec { return b.interpolate(exponential, x) }

// interpolated describes an interpolated function of a vector of arguments. The square of 17 bits
// of the argument, as the machine's multiplier makes it, has 15 bits and depends only on the upper
// 16.
type interpolated struct {
	// argument returns the number whose low bits are interpolated. It is nil if x is the number.
	argument func(b *Builder, x Vec) Vec
	// upper extracts the 16 bits that are squared.
	upper func(b *Builder, y Vec) Vec
	// coefficients is the table of the quadratics.
	coefficients *coefficients
	// body returns the results for x, whose argument is y. It consumes the coefficients c and
	// square, whose halves are the square and, above it, the squared number less 2^15.
	body func(b *Builder, x, y, square Vec, c [2]Vec) Vec
	// special returns the lanes for which the body's result is wrong, by sign bits with AVX2, and
	// mend corrects them.
	special func(b *Builder, x Vec) Mask
	mend    func(b *Builder, r, x Vec)
}

// mendVectors is the number of registers that a mend takes.
const mendVectors = 3

func (b *Builder) interpolate(p *interpolated, x [2]Vec) (d [2]Vec) {
	y := x
	if p.argument != nil {
		y = [2]Vec{p.argument(b, x[0]), p.argument(b, x[1])}
	}
	w := b.use(x86.VPACKUSDW, p.upper(b, y[0]), p.upper(b, y[1]))
	above := b.xor(w, b.Literal(twice(1<<15)))
	q := b.square(w)
	squares := [2]Vec{b.op(x86.VPUNPCKLWD, q, above), b.in(x86.VPUNPCKHWD, q, above)}
	b.Free(above)
	c := b.lookupFor(p.coefficients, y)
	for i := range d {
		d[i] = p.body(b, x[i], y[i], squares[i], c(i))
		if p.argument != nil {
			b.Free(y[i])
		}
	}
	b.Spare(mendVectors)
	m, n := p.special(b, x[0]), p.special(b, x[1])
	if b.Level == AVX512 {
		b.a.V(x86.Ins{Op: x86.KORTESTW, D: uint8(m), RM: x86.K(uint8(n))})
	} else {
		b.in(x86.VPOR, Vec(m), n)
		b.two(x86.VTESTPS, Vec(m), m)
	}
	b.FreeMask(m, n)
	b.Cold(x86.NE, mendVectors, func() {
		for i := range x {
			p.mend(b, d[i], x[i])
		}
	})
	return d
}

// twice is a word with x in both of its halves.
func twice(x uint32) uint32 { return x | x<<16 }

// square is sfu.square of numbers whose upper 16 bits are the halves of w, which it consumes. Their
// nibbles are c, d, f and g. Twice the square is the square of c and d, plus 2*c*f, plus two
// corners, of d and f and of g and c. Both are computed side by side in bytes.
func (b *Builder) square(w Vec) Vec {
	x := b.and(w, b.Literal(twice(0x0f0f))) // d, g
	y := b.shift(x86.VPSRLWi, w, 4)
	b.andIn(y, b.Literal(twice(0x0f0f))) // c, f
	z := b.op(x86.VPSHUFB, y, b.bytes16(func(i int) byte { return byte(i ^ 1) }))
	sum := b.shiftIn(x86.VPSRLWi, w, 8)
	b.in(x86.VPMULLW, sum, sum)
	b.in(x86.VPMADDUBSW, y, z) // c*f + f*c
	b.use(x86.VPADDW, sum, y)

	// A corner is the sum, over the set bits i of one nibble, of the other nibble shifted right by
	// 4-i. One table has the shifted nibbles, another masks for them.
	b.lookupBytes(func(i int) byte { return byte(i>>1 | i>>2<<4 | i>>3<<6) }, x)
	b.lookupBytes(func(i int) byte { return byte(i>>3*0x07 | i>>2&1*0x30 | i>>1&1*0x40) }, z)
	b.andIn(x, z)
	b.twoImm(x86.VPSRLWi, z, x, 4)
	b.andIn(x, b.Literal(twice(0x0707)))
	b.andIn(z, b.Literal(twice(0x0707)))
	b.lookupBytes(func(i int) byte { return byte(i&3 + i>>2&1) }, z)
	b.use(x86.VPADDB, x, z)
	b.in(x86.VPMADDUBSW, x, b.repeated(twice(0x0202)))
	b.use(x86.VPADDW, sum, x)
	return b.shiftIn(x86.VPSRLWi, sum, 1)
}

// lookupBytes replaces each byte below 16 by the table's byte at that index.
func (b *Builder) lookupBytes(table func(i int) byte, x Vec) {
	t := b.op1(x86.VMOVDQU, b.bytes16(table))
	b.three(x86.VPSHUFB, x, t, x)
	b.Free(t)
}
