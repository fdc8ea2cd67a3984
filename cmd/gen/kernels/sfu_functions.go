package main

// The bodies follow the scalar functions of package sfu, which explain them. A significand includes
// its leading one: adding it to the exponent less one also carries where it overflows.

const (
	invalid  = 0x40000000
	tooLarge = 0x40800000
)

// low17 returns the 17 bits of a number that are squared; upper16 returns the upper 16 of them.
func (f *function) low17(v vec) vec { return f.and(v, f.literal(1<<17-1)) }

func (f *function) upper16(v vec) vec { return f.in("VPSRLD", f.low17(v), 1) }

// replaceNaN puts the machine's NaN in the lanes in which a is a NaN.
func (f *function) replaceNaN(r, a vec) {
	size := f.and(a, f.literal(nan32))
	f.replace(r, f.greater(size, f.literal(inf32)), f.literal(nan32))
	f.free(size)
}

// bit30 returns the lanes with bit 30 of a set.
func (f *function) bit30(a vec) mask {
	s := f.shl(a, 1)
	f.in("VPSRAD", s, 31)
	m := f.sign(s)
	if f.level == avx512 {
		f.free(s)
	}
	return m
}

func exponential(f *function) *interpolated {
	const round = 0x77e2
	q := &quadratic{name: "ex2", shift: 13, offset: 1 << 15}
	t := q.prepare(f)
	f.literals(round, inf32, nan32, 1<<23-1, 0, 1<<17-1, 127<<23-1<<23, 1<<23)
	// A negative number takes its one's complement, unless it is an integer.
	argument := func(a, s vec) vec {
		v := f.xorIn(f.and(a, f.literal(nan32)), s)
		two := f.sub(v, s)
		fraction := f.and(a, f.literal(1<<23-1))
		f.replace(v, f.equal(fraction, f.literal(0)), two)
		f.free(two, fraction)
		return v
	}
	// An integer has no fraction: either complement squares to zero.
	upper := func(a vec) vec {
		v := f.sar(a, 31)
		f.xorIn(v, a)
		fraction := f.and(a, f.literal(1<<23-1))
		f.keepIf(v, f.unequal(fraction, f.literal(0)))
		f.free(fraction)
		u := f.upper16(v)
		f.free(v)
		return u
	}
	return &interpolated{upper: upper, body: func(a, square vec) vec {
		s := f.sar(a, 31)
		v := argument(a, s)
		fraction := f.and(v, f.literal(1<<23-1))
		f.subIn(v, fraction)
		x := f.low17(fraction)
		f.in("VPSRLD", fraction, 17)
		r := q.significand(f, t, round, fraction, x, square)
		f.free(x)
		f.addIn(r, v)
		f.addIn(r, f.literal(127<<23-1<<23))
		f.keepIf(r, f.greater(r, f.literal(1<<23-1)))
		f.free(v)

		odd := f.op(f.bitwise("VPANDN"), s, f.literal(inf32)) // 0 of a large negative number
		f.free(s)
		bit := f.and(a, f.literal(1<<23))
		f.replace(odd, f.equal(bit, f.literal(0)), f.literal(nan32))
		f.free(bit)
		f.replace(r, f.bit30(a), odd)
		f.free(odd)
		return r
	}}
}

func sine(f *function) *interpolated {
	return f.sine(func(a vec) (y, s vec) {
		s = f.xorIn(f.shl(a, 7), a)
		return f.op1(f.copy(), a), s
	})
}

// cosine is the sine shifted by a quarter turn.
func cosine(f *function) *interpolated {
	f.literals(nan32, 1<<23)
	return f.sine(func(a vec) (y, s vec) {
		y = f.addIn(f.and(a, f.literal(nan32)), f.literal(1<<23))
		return y, f.shl(y, 7)
	})
}

// sine makes a kernel from turn: y has the quadrant at bit 23, s the result's sign at bit 31.
func (f *function) sine(turn func(a vec) (y, s vec)) *interpolated {
	q := &quadratic{name: "sin", shift: 11}
	t := q.prepare(f)
	f.literals(sign32, nan32, 1<<23-1, 1<<17-1)
	quadrant := func(a vec) (fraction, s vec) {
		y, s := turn(a)
		fraction = f.in("VPSLLD", y, 8)
		f.in("VPSRAD", fraction, 31) // odd quadrants run backwards
		return f.xorIn(fraction, a), s
	}
	upper := func(a vec) vec {
		fraction, s := quadrant(a)
		u := f.upper16(fraction)
		f.free(fraction, s)
		return u
	}
	return &interpolated{upper: upper, body: func(a, square vec) vec {
		fraction, s := quadrant(a)
		f.andIn(s, f.literal(sign32))
		f.andIn(fraction, f.literal(1<<23-1))
		x := f.low17(fraction)
		f.in("VPSRLD", fraction, 17)
		high, low := q.terms(f, t, fraction, x, square)
		f.free(x)
		r := f.inDoubles(func(half int) vec {
			v, l := f.widen(high, half), f.widen(low, half)
			f.ins("VFMADD132PD", f.double(1<<11), l, v)
			f.free(l)
			return f.in("VMULPD", v, f.double(1.0/(1<<37)))
		})
		f.free(high, low)
		f.orIn(r, s)
		f.free(s)
		f.replace(r, f.bit30(a), f.literal(nan32))
		return r
	}}
}

func logarithm(f *function) *interpolated {
	q := &quadratic{name: "lg2", shift: 12, scale: 1, offset: 1 << 15}
	t := q.prepare(f)
	f.literals(63, 1<<17-1, 127, sign32|inf32, inf32, one32, nan32, 0, 255, 0x3345)
	return &interpolated{upper: f.upper16, body: func(a, square vec) vec {
		i, x := f.andIn(f.shr(a, 17), f.literal(63)), f.low17(a)
		high, low := q.terms(f, t, i, x, square)
		f.free(x)
		f.addIn(low, f.literal(0x3345))
		f.in("VPSRAD", low, 2)
		e := f.subIn(f.andIn(f.shr(a, 23), f.literal(255)), f.literal(127))
		r := f.inDoubles(func(half int) vec {
			v, l := f.widen(high, half), f.widen(low, half)
			f.ins("VFMADD132PD", f.double(1<<10), l, v)
			f.free(l)
			d := f.widen(e, half)
			f.ins("VFMADD132PD", f.double(1<<36), v, d)
			f.free(v)
			return f.in("VMULPD", f.complement(d), f.double(1.0/(1<<36)))
		})
		f.free(high, low, e)
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
	}}
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

// reduceAngle is sfu.PreSin: both factors of the product with 24 bits of 2/pi are moved to the top,
// so that bits 47 to 16 of the product are an upper word.
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

// argument completes a function's argument: its sign, and the word for a NaN.
func (f *function) argument(r, a vec) vec {
	size := f.and(a, f.literal(nan32))
	f.replace(r, f.greater(size, f.literal(inf32)), f.literal(invalid))
	f.free(size)
	return f.orIn(r, f.and(a, f.literal(sign32)))
}
