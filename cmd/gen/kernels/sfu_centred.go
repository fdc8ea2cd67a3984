package main

// The reciprocal and the reciprocal root, which matter most. The variable of their quadratics is
// the argument's distance from the middle of an interval: it has 16 bits and a sign, so one
// instruction multiplies it and the square. The remainder, a multiple of the coefficient, is part
// of the table's constant. Rare arguments are special.

// reciprocal: with y = x - 2^15 and c = c1 + 2^15,
//
//	c0<<13 + c1*x + c2*q = (c0 + c<<2 - x<<2)<<13 + c*y + c2*q
func reciprocal(f *function) *interpolated {
	const (
		round = 0x47e7
		tiny  = 253 << 23 // the reciprocals of larger numbers are less than 2^-126
	)
	t := readTable("rcp", func(c0, c1, c2 int32) [2]uint32 {
		c := c1 + 1<<15
		// The exponent is 252 less the argument's: its complement less 3.
		return [2]uint32{uint32(c0 + c<<2 - 3<<25), f.pairOf(c, c2)}
	})
	f.tableConstants()
	f.literals(1<<16-1, 127, sign32, inf32, nan32, round, least32, tiny-least32-1, tiny-1, tiny, 0)
	part := func(a vec) vec { return f.and(a, f.literal(1<<16-1)) } // its double is squared
	return &interpolated{
		upper:   part,
		centred: true,
		body: func(a, square vec) vec {
			i := f.shr(a, 16)
			if f.level == avx2 {
				f.andIn(i, f.literal(127))
			}
			c := f.lookup(t, i)
			r, low := c[0], f.in("VPMADDWD", square, c[1])
			f.free(c[1])
			x := f.in("VPSLLD", part(a), 2)
			f.subIn(r, x)
			f.addIn(low, f.literal(round))
			f.in("VPSRAD", low, 13)
			f.addIn(r, low)
			f.in("VPSRAD", r, 2)
			f.free(low, x)
			e := f.op(f.bitwise("VPANDN"), a, f.literal(inf32))
			f.addIn(r, e)
			f.free(e)
			f.takeSign(r, a)
			return r
		},
		special: func(a vec) mask {
			x := f.subIn(f.and(a, f.literal(nan32)), f.literal(least32))
			if f.level == avx512 {
				m := f.mask()
				f.ins("VPCMPUD", greaterUnsigned, f.literal(tiny-least32-1), x, m)
				f.free(x)
				return m
			}
			m := f.greater(x, f.literal(tiny-least32-1))
			f.ins("VPOR", x, m, m)
			f.free(x)
			return m
		},
		mend: func(r, a vec) {
			size := f.and(a, f.literal(nan32))
			f.replace(r, f.greater(size, f.literal(tiny-1)), f.literal(0))
			f.replace(r, f.equal(size, f.literal(tiny)), f.literal(least32))
			e := f.and(a, f.literal(inf32))
			f.replace(r, f.equal(e, f.literal(0)), f.literal(inf32))
			f.takeSign(r, a)
			f.replaceNaN(r, a)
			f.free(size, e)
		},
	}
}

// reciprocalRoot: with x = 2*y + b + 2^16, where b is the last bit of x, and c = c1 + 2^15,
//
//	c0<<14 + c1*x + c2*q<<2 = (c0 + c<<2 - x<<1)<<14 + 2*(c*y + 2*c2*q) + c*b
//
// The coefficients change their sign: rounding adds 2^15-1, and -n-1 is the complement of n.
func reciprocalRoot(f *function) *interpolated {
	t := readTable("rsqrt", func(c0, c1, c2 int32) [2]uint32 {
		c := c1 + 1<<15
		return [2]uint32{uint32(c0+c<<2+1) + 62<<25, f.pairOf(-c, -2*c2)} // 62: see the exponent
	})
	// The table's first half is for even powers of two; their stored exponents are odd.
	t.rows = append(t.rows[64:len(t.rows):len(t.rows)], t.rows[:64]...)
	f.tableConstants()
	one := f.literal(1)
	f.literals(1<<17-1, 127, one32, least32, inf32, inf32-1, nan32, 0, sign32, 1<<24-1, 381<<23)
	return &interpolated{
		upper:   f.upper16,
		centred: true,
		body: func(a, square vec) vec {
			i := f.shr(a, 17)
			if f.level == avx2 {
				f.andIn(i, f.literal(127))
			}
			c := f.lookup(t, i)
			r, low := c[0], f.in("VPMADDWD", square, c[1])
			f.addIn(low, low)
			last := f.in("VPSRAD", c[1], 16)
			if f.level == avx512 {
				m := f.nonzero(a, one.(vec))
				f.ins("VPADDD", last, low, m, low)
				f.freeMask(m)
			} else {
				b := f.in("VPSRAD", f.shl(a, 31), 31)
				f.andIn(b, last)
				f.addIn(low, b)
				f.free(b)
			}
			f.free(last)
			x := f.low17(a)
			f.addIn(x, x)
			f.subIn(r, x)
			f.free(x)
			f.in("VPSRAD", low, 14)
			f.subIn(r, low)
			f.in("VPSRLD", r, 2)
			f.free(low)
			// The exponent is 189 less k, half of the next even one: 62 and the complement of k.
			e := f.in("VPSRLD", f.add(a, f.literal(least32)), 1)
			f.in(f.bitwise("VPANDN"), e, f.literal(one32))
			f.addIn(r, e)
			f.free(e)
			return r
		},
		special: func(a vec) mask {
			g := f.and(a, f.literal(1<<24-1))
			power := f.equal(g, f.literal(least32)) // of four
			f.free(g)
			if f.level == avx512 {
				const anyButPositive = 0xff
				m := f.mask()
				f.ins("VFPCLASSPSZ", anyButPositive, a, m)
				return f.join(m, power)
			}
			least := f.vec()
			f.ins("VMOVDQU", f.literal(least32), least)
			small := f.greater(least, a)
			f.free(least)
			return f.join(f.join(power, small), f.greater(a, f.literal(inf32-1)))
		},
		mend: func(r, a vec) {
			g := f.and(a, f.literal(1<<24-1))
			root := f.vec()
			f.ins(f.move(), f.memory(381<<23), root)
			f.subIn(root, a)
			f.in("VPSRLD", root, 1)
			f.replace(r, f.equal(g, f.literal(least32)), root)
			f.free(g, root)
			f.replace(r, f.equal(a, f.literal(inf32)), f.literal(0))
			s := f.sar(a, 31)
			f.replace(r, f.sign(s), f.literal(nan32))
			f.free(s)
			infinity := f.orIn(f.and(a, f.literal(sign32)), f.literal(inf32))
			e := f.and(a, f.literal(inf32))
			f.replace(r, f.equal(e, f.literal(0)), infinity)
			f.free(e, infinity)
			f.replaceNaN(r, a)
		},
	}
}

const (
	least32         = 1 << 23
	greaterUnsigned = 6 // of VPCMPUD
)

// tableConstants takes the constants of lookup in a table of 128.
func (f *function) tableConstants() {
	if f.level == avx512 {
		f.constant(32)
		f.constant(64)
	}
}

// takeSign copies the sign of a to r, whose sign bit is clear, or ORs it.
func (f *function) takeSign(r, a vec) {
	if f.level == avx512 {
		const orAnd = 0xf8
		f.ins("VPTERNLOGD", orAnd, f.literal(sign32), a, r)
		return
	}
	s := f.and(a, f.literal(sign32))
	f.orIn(r, s)
	f.free(s)
}
