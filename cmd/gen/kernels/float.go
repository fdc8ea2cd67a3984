package main

import "strings"

// The f32 kernels that are not easy. With this control register the processor flushes as the
// machine does: DAZ makes denormal operands zeros of their sign, and FTZ makes zeros of results
// that are below 2^-126 after rounding with unbounded exponent. Only the machine's single NaN
// remains to be done.

// rounding is a rounding mode in the bits of the control register.
type rounding uint32

const (
	nearest    rounding = 0
	downward   rounding = 1 << 13
	upward     rounding = 2 << 13
	towardZero rounding = 3 << 13
)

const (
	controlMasks = 0x1f80  // no traps
	controlDAZ   = 1 << 6  // denormal operands are zeros
	controlFTZ   = 1 << 15 // results that would be denormal are zeros
	floatControl = controlMasks | controlDAZ | controlFTZ

	floatFrame = 16
	nan32      = 0x7fffffff
	inf32      = 0x7f800000
	one32      = 0x3f800000
	sign32     = 1 << 31
)

// enterFloat sets the control register for f32 arithmetic and saves the old one.
func (f *function) enterFloat(r rounding) { f.enterControl(floatControl | uint32(r)) }

// enterControl writes a word to the control register. The word that leaveFloat restores has no
// exception flags, so the next easy kernel need not clear them.
func (f *function) enterControl(word uint32) {
	f.ins("VSTMXCSR", "oldControl-8(SP)")
	f.ins("ANDL", ^allFlags, "oldControl-8(SP)")
	f.ins("MOVL", word, "newControl-4(SP)")
	f.ins("VLDMXCSR", "newControl-4(SP)")
}

func (f *function) leaveFloat() { f.ins("VLDMXCSR", "oldControl-8(SP)") }

func floatKernels() []kernel {
	list := []kernel{
		madExact("FMadExact", madSum), madExact("FMsubExact", madLess), madExact("FNmadExact", madFrom),
		floatSat(),
		floatSelect(),
		floatFlags(), selectFlags(),
	}
	for _, k := range []struct {
		name, instruction string
		rounding          rounding
	}{
		{"FAddExact", "VADDPS", nearest}, {"FAddRZ", "VADDPS", towardZero}, {"FSubExact", "VSUBPS", nearest},
		{"FMulExact", "VMULPS", nearest}, {"FMulRZ", "VMULPS", towardZero},
	} {
		k := floating(k.name, 2, k.rounding, func(f *function) func(x []vec) vec {
			fix := f.canonical()
			return func(x []vec) vec { return fix(f.op(k.instruction, x[0], x[1])) }
		})
		k.part = strings.HasSuffix(k.name, "Exact")
		list = append(list, k)
	}
	for _, k := range []struct{ name, instruction string }{{"FMin", "VPMINSD"}, {"FMax", "VPMAXSD"}} {
		list = append(list, rowwise(k.name, 2, func(f *function) func(x []vec) vec {
			return f.extreme(k.instruction)
		}))
	}
	return list
}

// madExact is fpu.Mad for any numbers, by way of f64, in which products are exact. A product with a
// zero addend is not truncated; it becomes zero if it rounds to less than 2^-126.
func madExact(name string, sum madForm) kernel {
	k := rowwise(name, 3, func(f *function) func(x []vec) vec {
		f.flushLiterals()
		f.literals(nan32)
		return func(x []vec) vec {
			for i := range x {
				v := f.flush(x[i])
				f.free(x[i])
				x[i] = v
			}
			r := f.halved(func(half int) vec {
				a, b, c := f.widenFloat(x[0], half), f.widenFloat(x[1], half), f.widenFloat(x[2], half)
				f.in("VMULPD", a, b)
				f.ins(f.quads("VPAND"), f.bits64(1<<63-1), a, b)
				tiny := f.compareDouble(predicateLess, b, f.double(leastRounded))
				f.ins(f.bitwise("VPXOR"), b, b, b)
				cut := f.compareDouble(predicateUnequal, c, b)
				if f.level == avx512 {
					f.ins("VPANDQ", f.bits64(^uint64(lost)), a, cut, a)
					f.ins("KANDNW", tiny, cut, tiny)
					f.ins("VPANDQ", f.bits64(1<<63), a, tiny, a)
				} else {
					f.ins("VPANDN", vec(tiny), vec(cut), vec(tiny))
					f.ins("VANDPD", f.bits64(^uint64(lost)), a, b)
					f.ins("VBLENDVPD", vec(cut), b, a, a)
					f.ins("VANDPD", f.bits64(1<<63), a, b)
					f.ins("VBLENDVPD", vec(tiny), b, a, a)
				}
				a = sum(f, "PD", a, c)
				f.ins([...]string{avx2: "VCVTPD2PSY", avx512: "VCVTPD2PS"}[f.level], a, f.lower(a))
				f.free(b, c)
				f.freeMask(tiny, cut)
				return a
			})
			f.free(x...)
			d := f.flush(r)
			f.free(r)
			f.replace(d, f.compareFloat(predicateUnordered, d, d), f.literal(nan32))
			return d
		}
	})
	k.part = true
	return k
}

// leastRounded is the least f64 that 24 bits round to 2^-126 or more.
const leastRounded = 0x1.ffffffp-127

// floating is rowwise under the control register of arithmetic.
func floating(name string, n int, r rounding, setup func(f *function) func(x []vec) vec) kernel {
	k := rowwise(name, n, func(f *function) func(x []vec) vec {
		f.enterFloat(r)
		return setup(f)
	})
	k.frame = floatFrame
	build := k.build
	k.build = func(f *function) {
		f.end = f.leaveFloat
		build(f)
	}
	return k
}

// canonical replaces NaNs by the machine's NaN.
func (f *function) canonical() func(x vec) vec {
	nan := f.constant(nan32)
	return func(x vec) vec {
		if f.level == avx512 {
			m := f.compareFloat(predicateUnordered, x, x)
			f.ins("VMOVDQA32", nan, m, x)
			return x
		}
		// The comparison makes all ones; shifted, they are the NaN.
		m := vec(f.compareFloat(predicateUnordered, x, x))
		r := f.blend(mask(m), x, nan)
		return r
	}
}

// extreme is the lesser or greater of two numbers. As integers, f32 have the order of their values
// once the magnitudes of negative ones are complemented; -0 comes before +0. A NaN loses against a
// number.
func (f *function) extreme(instruction string) func(x []vec) vec {
	fix := f.canonical()
	f.flushLiterals()
	return func(x []vec) vec {
		a, b := f.flush(x[0]), f.flush(x[1])
		f.free(x...)
		p, q := f.order(a), f.order(b)
		f.ins(instruction, q, p, p)
		f.free(q)
		r := f.order(p)
		f.free(p)
		r = f.unlessNumber(a, r, b)
		return fix(f.unlessNumber(b, r, a))
	}
}

// unlessNumber is y in the lanes in which x is a NaN, and r elsewhere; it consumes r.
func (f *function) unlessNumber(x, r, y vec) vec {
	m := f.compareFloat(predicateUnordered, x, x)
	d := f.blend(m, r, y)
	f.free(r)
	f.freeMask(m)
	return d
}

// flush makes zeros of denormals.
func (f *function) flush(x vec) vec {
	e := f.and(x, f.literal(inf32))
	m := f.equal(e, f.literal(0))
	f.free(e)
	r := f.and(x, f.literal(sign32))
	s := f.blend(m, x, r)
	f.free(r)
	f.freeMask(m)
	return s
}

func (f *function) flushLiterals() { f.literals(inf32, 0, sign32) }

func (f *function) order(x vec) vec {
	s := f.sar(x, 31)
	m := f.shr(s, 1)
	r := f.xor(x, m)
	f.free(s, m)
	return r
}

// floatSat clamps to [0, 1] and keeps NaNs.
func floatSat() kernel {
	return rowwise("FSat", 1, func(f *function) func(x []vec) vec {
		zero, one := f.constant(0), f.constant(one32)
		nan := f.constant(nan32)
		return func(x []vec) vec {
			r := f.op("VPMINSD", f.op("VPMAXSD", x[0], zero), one) // the order of integers
			return f.blend(f.compareFloat(predicateUnordered, x[0], x[0]), r, nan)
		}
	})
}

// floatSelect is a where c >= 0.
func floatSelect() kernel {
	return rowwise("FSlct", 3, func(f *function) func(x []vec) vec {
		zero := f.constant(0)
		f.flushLiterals()
		return func(x []vec) vec { return f.blend(f.compareFloat(predicateAtMost, zero, f.flush(x[2])), x[1], x[0]) }
	})
}

// floatFlags is FFlags: Z for a zero or a NaN, S for a negative number or a NaN. Denormals
// are numbers here.
func floatFlags() kernel {
	return kernel{name: "FFlags", params: []param{flagsParam, rowsParam("r"), selParam}, build: func(f *function) {
		zero, magnitude, inf := f.constant(0), f.constant(1<<31-1), f.constant(inf32)
		f.each([]string{"r"}, func(r *row) {
			r.collect(regS, scratch, func(j int) mask { return f.sign(r.load(0, j)) })
			r.kept(regZ, scratch, func(j int) mask { return f.equal(f.and(r.load(0, j), magnitude), zero) })
			r.kept(regC, scratch, func(j int) mask { return f.greater(f.and(r.load(0, j), magnitude), inf) })
			f.ins("ANDNL", regS, regZ, regS)
			f.ins("ORL", regC, regS)
			f.ins("ORL", regC, regZ)
			f.flagsAt("f_base")
			f.put(regZ, regS, "", "")
		})
	}}
}

// selectFlags is FSlctFlags, which takes the result as a word, not a number.
func selectFlags() kernel {
	return kernel{name: "FSlctFlags", params: []param{flagsParam, rowsParam("r"), selParam}, build: func(f *function) {
		zero, magnitude := f.constant(0), f.constant(1<<31-1)
		f.each([]string{"r"}, func(r *row) {
			r.collect(regS, scratch, func(j int) mask { return f.sign(r.load(0, j)) })
			r.kept(regZ, scratch, func(j int) mask { return f.equal(f.and(r.load(0, j), magnitude), zero) })
			f.ins("ANDNL", regS, regZ, regS)
			f.flagsAt("f_base")
			f.put(regZ, regS, "", "")
		})
	}}
}
