package main

// The bodies follow the scalar functions of package sfu, which say what they mean. A
// significand comes with its leading one: adding it to the exponent, less that one, also
// carries where it overflows.

const (
	invalid  = 0x40000000
	tooLarge = 0x40800000
)

func reciprocal(f *function) func(x []vec) vec {
	q := &quadratic{table: readTable("rcp"), shift: 13, out: 15, round: 0x47e7, bits: 16}
	q.prepare(f)
	f.literals(1<<16-1, 127, sign32, inf32, nan32, 253<<23-1<<23, 1<<23-1, inf32-1, 0)
	return func(x []vec) vec {
		a := x[0]
		i := f.andIn(f.shr(a, 16), f.literal(127))
		part := f.and(a, f.literal(1<<16-1))
		r := q.evaluate(f, i, part, f.square(f.add(part, part)))
		f.addIn(r, f.literal(253<<23-1<<23))
		e := f.and(a, f.literal(inf32))
		f.subIn(r, e)
		f.keepIf(r, f.greater(r, f.literal(1<<23-1)))
		f.replace(r, f.equal(e, f.literal(0)), f.literal(inf32)) // 1/0
		f.replace(r, f.equal(e, f.literal(inf32)), f.literal(0)) // 1/inf
		f.orIn(r, f.and(a, f.literal(sign32)))
		f.replaceNaN(r, a)
		return r
	}
}

func reciprocalRoot(f *function) func(x []vec) vec {
	q := &quadratic{table: readTable("rsqrt"), shift: 14, scale: 2, out: 16, round: 0x7fff, bits: 17}
	q.prepare(f)
	four := f.constant(127 << 23)
	f.literals(1<<17-1, 127, 127<<23, 126<<23-1<<23, 1<<23, 1<<23-1, inf32, nan32, 0, sign32)
	return func(x []vec) vec {
		a := x[0]
		e := f.subIn(f.and(a, f.literal(inf32)), f.literal(127<<23))
		g := f.and(e, f.literal(1<<23)) // an odd power of two stays with the significand
		f.subIn(e, g)
		f.in("VPSRAD", e, 1)
		fraction := f.and(a, f.literal(1<<23-1))
		f.orIn(g, fraction)
		f.free(fraction)
		part := f.and(g, f.literal(1<<17-1))
		square := f.square(f.op1(f.move(), part))
		i := f.andIn(f.shr(g, 17), f.literal(127))
		r := q.evaluate(f, i, part, square)
		f.addIn(r, f.literal(126<<23-1<<23))
		f.subIn(r, e)
		power := f.sub(four, e)
		f.replace(r, f.equal(g, f.literal(0)), power) // of four: exact
		f.free(e, g, power)

		f.replace(r, f.equal(a, f.literal(inf32)), f.literal(0))
		s := f.sar(a, 31)
		f.replace(r, f.sign(s), f.literal(nan32))
		f.free(s)
		infinity := f.orIn(f.and(a, f.literal(sign32)), f.literal(inf32))
		e = f.and(a, f.literal(inf32))
		f.replace(r, f.equal(e, f.literal(0)), infinity)
		f.free(e, infinity)
		f.replaceNaN(r, a)
		return r
	}
}

// replaceNaN puts the machine's NaN in the lanes where a is one.
func (f *function) replaceNaN(r, a vec) {
	size := f.and(a, f.literal(nan32))
	f.replace(r, f.greater(size, f.literal(inf32)), f.literal(nan32))
	f.free(size)
}

// bit30 tells the lanes with bit 30 of a set.
func (f *function) bit30(a vec) mask {
	s := f.shl(a, 1)
	f.in("VPSRAD", s, 31)
	m := f.sign(s)
	if f.level == avx512 {
		f.free(s)
	}
	return m
}

func exponential(f *function) func(x []vec) vec {
	q := &quadratic{table: readTable("ex2"), shift: 13, out: 15, round: 0x77e2, bits: 17}
	q.prepare(f)
	inf := f.constant(inf32)
	f.literals(nan32, 1<<23-1, 0, 1<<17-1, 127<<23-1<<23, 1<<23)
	return func(x []vec) vec {
		a := x[0]
		// The complement of a negative number is the one's, unless it is an integer.
		s := f.sar(a, 31)
		v := f.xorIn(f.and(a, f.literal(nan32)), s)
		two := f.sub(v, s)
		fraction := f.and(a, f.literal(1<<23-1))
		f.replace(v, f.equal(fraction, f.literal(0)), two)
		f.free(two)
		f.ins(f.bitwise("VPAND"), f.literal(1<<23-1), v, fraction)
		f.subIn(v, fraction)
		part := f.and(fraction, f.literal(1<<17-1))
		square := f.square(f.op1(f.move(), part))
		f.in("VPSRLD", fraction, 17)
		r := q.evaluate(f, fraction, part, square)
		f.addIn(r, v)
		f.addIn(r, f.literal(127<<23-1<<23))
		f.keepIf(r, f.greater(r, f.literal(1<<23-1)))
		f.free(v)

		odd := f.andNot(inf, s)
		f.free(s)
		bit := f.and(a, f.literal(1<<23))
		f.replace(odd, f.equal(bit, f.literal(0)), f.literal(nan32))
		f.free(bit)
		f.replace(r, f.bit30(a), odd)
		f.free(odd)
		return r
	}
}

// sine is sfu.Sin, or Cos: the same a quarter turn on.
func (f *function) sine(cosine bool) func(x []vec) vec {
	f.interpolationConstants()
	f.literals(sign32, nan32, 1<<23, 1<<23-1, 1<<17-1)
	t := readTable("sin")
	return func(x []vec) vec {
		a, y := x[0], x[0]
		s := f.vec()
		if cosine {
			y = f.addIn(f.and(a, f.literal(nan32)), f.literal(1<<23))
			f.ins("VPSLLD", 7, y, s)
		} else {
			f.ins("VPSLLD", 7, y, s)
			f.xorIn(s, a)
		}
		f.andIn(s, f.literal(sign32))
		fraction := f.shl(y, 8)
		if cosine {
			f.free(y)
		}
		f.in("VPSRAD", fraction, 31) // odd quadrants run backwards
		f.xorIn(fraction, a)
		f.andIn(fraction, f.literal(1<<23-1))
		part := f.and(fraction, f.literal(1<<17-1))
		c2 := f.square(f.op1(f.move(), part))
		f.in("VPSRLD", fraction, 17)
		c := f.lookup(t, 2, fraction)
		f.in("VPMULLD", c2, c)
		f.free(c)
		c1, c0 := f.lookup(t, 1, fraction), f.lookup(t, 0, fraction)
		f.free(fraction)
		r := f.inDoubles(func(half int) vec {
			v := f.polynomial(half, c0, c1, c2, part, 1<<11)
			return f.in("VMULPD", v, f.double(1.0/(1<<37)))
		})
		f.free(c0, c1, c2, part)
		f.orIn(r, s)
		f.free(s)
		f.replace(r, f.bit30(a), f.literal(nan32))
		return r
	}
}

func logarithm(f *function) func(x []vec) vec {
	f.interpolationConstants()
	f.literals(63, 1<<17-1, 127, sign32|inf32, inf32, one32, nan32, 0, 255)
	t := readTable("lg2")
	return func(x []vec) vec {
		a := x[0]
		part := f.and(a, f.literal(1<<17-1))
		c2 := f.square(f.op1(f.move(), part))
		i := f.andIn(f.shr(a, 17), f.literal(63))
		c := f.lookup(t, 2, i)
		f.in("VPMULLD", c2, c)
		f.free(c)
		f.in("VPSLLD", c2, 1)
		c1, c0 := f.lookup(t, 1, i), f.lookup(t, 0, i)
		f.free(i)
		e := f.subIn(f.andIn(f.shr(a, 23), f.literal(255)), f.literal(127))
		r := f.inDoubles(func(half int) vec {
			l := f.polynomial(half, c0, c1, c2, part, 1<<12)
			f.in("VADDPD", l, f.double(0x3345))
			f.in("VMULPD", l, f.double(0.25))
			f.floor(l)
			d := f.widen(e, half)
			f.in("VMULPD", d, f.double(1<<36))
			f.in("VADDPD", l, d)
			f.free(d)
			return f.in("VMULPD", f.complement(l), f.double(1.0/(1<<36)))
		})
		f.free(c0, c1, c2, part, e)
		f.replace(r, f.equal(a, f.literal(one32)), f.literal(0))
		f.replace(r, f.equal(a, f.literal(inf32)), f.literal(inf32))
		s := f.sar(a, 31)
		f.replace(r, f.sign(s), f.literal(nan32))
		f.free(s)
		e = f.and(a, f.literal(inf32))
		f.replace(r, f.equal(e, f.literal(0)), f.literal(sign32|inf32))
		f.free(e)
		f.replaceNaN(r, a)
		return r
	}
}

// reduceExponent is sfu.PreEx2.
func reduceExponent(f *function) func(x []vec) vec {
	f.literals(1<<23-1, 1<<23, 127, 127+6, sign32, nan32, inf32, tooLarge, invalid)
	return func(x []vec) vec {
		a := x[0]
		significand := f.orIn(f.and(a, f.literal(1<<23-1)), f.literal(1<<23))
		e := f.in("VPSRLD", f.shl(a, 1), 24)
		r := f.shiftBy(significand, f.sub(e, f.literal(127)))
		f.replace(r, f.greater(e, f.literal(127+6)), f.literal(tooLarge))
		return f.argument(r, a)
	}
}

// reduceAngle is sfu.PreSin: the product with 24 bits of 2/pi is taken at the top of both
// factors, so that its bits 47 to 16 are an upper word.
func reduceAngle(f *function) func(x []vec) vec {
	const twoOverPi = 0xa2f983
	product := f.upperProduct("VPMULUDQ")
	factor := f.constant(twoOverPi << 8)
	f.literals(1<<23-1, 1<<23, 127+8, 254, 1<<25-1, sign32, nan32, inf32, tooLarge, invalid)
	return func(x []vec) vec {
		a := x[0]
		significand := f.orIn(f.and(a, f.literal(1<<23-1)), f.literal(1<<23))
		p := product(f.in("VPSLLD", significand, 8), factor)
		f.free(significand)
		e := f.in("VPSRLD", f.shl(a, 1), 24)
		r := f.shiftBy(p, f.sub(e, f.literal(127+8)))
		f.andIn(r, f.literal(1<<25-1))
		f.replace(r, f.greater(e, f.literal(254)), f.literal(tooLarge))
		return f.argument(r, a)
	}
}

// shiftBy shifts x left by n, or right by -n: one of the two shifts by too much.
func (f *function) shiftBy(x, n vec) vec {
	r := f.op("VPSLLVD", x, n)
	back := f.vec()
	f.ins(f.bitwise("VPXOR"), back, back, back)
	f.subIn(back, n)
	f.ins("VPSRLVD", back, x, back)
	f.orIn(r, back)
	f.free(back)
	return r
}

// argument completes the argument of a function: its sign, and the word for a NaN.
func (f *function) argument(r, a vec) vec {
	size := f.and(a, f.literal(nan32))
	f.replace(r, f.greater(size, f.literal(inf32)), f.literal(invalid))
	f.free(size)
	return f.orIn(r, f.and(a, f.literal(sign32)))
}
