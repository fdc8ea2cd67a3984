package main

// The kernels on f64 in pairs of registers. A vector of low words and one of high words are
// unpacked to two vectors of f64, whose lanes have another order, and results are packed in the
// same order.

func pairKernels() []kernel {
	list := []kernel{
		extremePairs("DMin", false), extremePairs("DMax", true),
		modifyPairs(), pairFlags(),
	}
	for _, r := range pairRoundings {
		list = append(list,
			pairwise("DAdd"+r.name, 2, r, func(f *function, x []vec) vec {
				// Of two NaNs the machine takes b's.
				f.ins("VADDPD"+r.suffix(f.level), x[0], x[1], x[1])
				return x[1]
			}),
			pairwise("DMul"+r.name, 2, r, func(f *function, x []vec) vec {
				f.ins("VMULPD"+r.suffix(f.level), x[0], x[1], x[1])
				return x[1]
			}),
			pairwise("DFma"+r.name, 3, r, func(f *function, x []vec) vec {
				d := f.op1(f.copy(), x[1])
				f.ins("VFMADD132PD"+r.suffix(f.level), x[0], x[2], d)
				// The processor takes a's NaN before c's; the machine takes b's, then c's.
				for _, v := range []vec{x[2], x[1]} {
					m := f.compareDouble(predicateUnordered, v, v)
					f.in(f.quads("VPOR"), v, f.bits64(1<<51))
					f.replace64(d, m, v)
				}
				return d
			}))
	}
	for _, p := range floatPredicates {
		list = append(list, relationOfPairs("D"+p.name, p.predicate))
	}
	return list
}

// pairRounding is a rounding mode: a suffix of AVX-512's instructions, a field of the control
// register otherwise.
type pairRounding struct {
	name, embedded string
	control        rounding
}

var pairRoundings = []pairRounding{
	{"RN", "", nearest}, {"RM", ".RD_SAE", downward}, {"RP", ".RU_SAE", upward}, {"RZ", ".RZ_SAE", towardZero},
}

func (r pairRounding) suffix(l level) string {
	if l == avx512 {
		return r.embedded
	}
	return ""
}

func pairParam(name string) param {
	return param{name, "Rows64", []part{{"_Lo_first", 8}, {"_Lo_step", 8}, {"_Hi_first", 8}, {"_Hi_step", 8}}}
}

func pairParams(names ...string) (list []param) {
	for _, name := range names {
		list = append(list, pairParam(name))
	}
	return append(list, selParam)
}

// pairNames are the Rows of parameters that are pairs.
func pairNames(names ...string) (list []string) {
	for _, name := range names {
		list = append(list, name+"_Lo", name+"_Hi")
	}
	return list
}

// unpack loads vector j of the pair whose low words are Rows parameter i.
func (r *row) unpack(i, j int) (pair [2]vec) {
	lo, hi := r.load(i, j), r.load(i+1, j)
	pair[0] = r.op("VPUNPCKLDQ", lo, hi)
	pair[1] = r.in("VPUNPCKHDQ", lo, hi)
	r.free(hi)
	return pair
}

// pack stores vector j of the destination, the first parameter.
func (r *row) pack(j int, pair [2]vec) {
	lo := r.vec()
	r.ins("VSHUFPS", 0x88, pair[1], pair[0], lo)
	r.ins("VSHUFPS", 0xdd, pair[1], pair[0], pair[0])
	r.free(pair[1])
	r.storeTo(0, j, lo)
	r.storeTo(1, j, pair[0])
}

// roundBy has AVX2 round by the control register until the function ends.
func (f *function) roundBy(how pairRounding) {
	if f.level == avx2 && how.control != nearest {
		f.enterControl(controlMasks | uint32(how.control))
		f.end = f.leaveFloat
	}
}

// pairwise makes a part of a body on f64; the body may consume its operands.
func pairwise(name string, n int, how pairRounding, body func(f *function, x []vec) vec) kernel {
	names := append([]string{"d"}, sourceNames[:n]...)
	k := kernel{name: name, part: true, params: pairParams(names...)}
	k.build = func(f *function) {
		f.roundBy(how)
		f.everyWarp(pairNames(names...), func(r *row) {
			for j := range f.level.vectors() {
				f.scope(func() {
					var x [2][]vec
					for i := range n {
						p := r.unpack(2+2*i, j)
						x[0], x[1] = append(x[0], p[0]), append(x[1], p[1])
					}
					r.pack(j, [2]vec{body(f, x[0]), body(f, x[1])})
				})
			}
		})
	}
	k.frame = floatFrame
	return k
}

// extremePairs is the lesser or the greater: a NaN loses, two give b's quieted, -0 is less than +0.
func extremePairs(name string, greater bool) kernel {
	k := pairwise(name, 2, pairRoundings[0], func(f *function, x []vec) vec {
		a, b := x[0], x[1]
		p, q := f.order64(a), f.order64(b)
		if greater {
			p, q = q, p
		}
		m := f.mask()
		if f.level == avx512 {
			f.ins("VPCMPQ", 1, q, p, m)
		} else {
			f.ins("VPCMPGTQ", p, q, m) // q > p
		}
		f.free(p, q)
		r := f.op1(f.copy(), b)
		f.replace64(r, m, a)
		f.replace64(r, f.compareDouble(predicateUnordered, b, b), a)
		f.replace64(r, f.compareDouble(predicateUnordered, a, a), b)
		quiet := f.op(f.quads("VPOR"), r, f.bits64(1<<51))
		f.replace64(r, f.compareDouble(predicateUnordered, r, r), quiet)
		f.free(a, b, quiet)
		return r
	})
	k.part = false
	return k
}

// order64 is fpu.order64: integers in the order of the numbers.
func (f *function) order64(x vec) vec {
	s := f.vec()
	if f.level == avx512 {
		f.ins("VPSRAQ", 63, x, s)
	} else {
		f.ins("VPXOR", s, s, s)
		f.ins("VPCMPGTQ", x, s, s) // 0 > x
	}
	f.in("VPSRLQ", s, 1)
	return f.in(f.quads("VPXOR"), s, x)
}

// replace64 is replace on lanes of 64 bits.
func (f *function) replace64(x vec, m mask, y vec) {
	if f.level == avx512 {
		f.ins("VMOVDQA64", y, m, x)
	} else {
		f.ins("VBLENDVPD", vec(m), y, x, x)
	}
	f.freeMask(m)
}

// notNumber returns the lanes in which high and low words are a NaN; size is the high word without
// its sign.
func (f *function) notNumber(size, low vec) mask {
	m := f.equal(size, f.literal(inf64High))
	if f.level == avx512 {
		f.ins("VPTESTMD", low, low, m, m)
	} else {
		z := f.equal(low, f.literal(0))
		f.ins("VPANDN", vec(m), vec(z), vec(m))
		f.freeMask(z)
	}
	return f.join(m, f.greater(size, f.literal(inf64High)))
}

const inf64High = 0x7ff00000

// modifyPairs is the part of DModify with the bits of a high word to clear and to flip.
func modifyPairs() kernel {
	k := kernel{name: "DModifyBits", params: pairParams("d", "a"), build: func(f *function) {
		f.literals(nan32, inf64High, 0)
		clear, flip := f.parameter("clear"), f.parameter("flip")
		f.everyWarp(pairNames("d", "a"), func(r *row) {
			for j := range f.level.vectors() {
				f.scope(func() {
					lo, hi := r.load(2, j), r.load(3, j)
					changed := f.xorIn(f.andNot(hi, clear), flip)
					f.replace(changed, f.notNumber(f.and(hi, f.literal(nan32)), lo), hi)
					r.storeTo(0, j, lo)
					r.storeTo(1, j, changed)
				})
			}
		})
	}}
	return withWords(k, "clear", "flip")
}

// pairFlags is DFlags: Z for a zero or a NaN, S for a negative number or a NaN.
func pairFlags() kernel {
	return kernel{name: "DFlags", params: []param{flagsParam, pairParam("r"), selParam}, build: func(f *function) {
		f.literals(nan32, inf64High, 0)
		f.each(pairNames("r"), func(r *row) {
			r.kept(regS, scratch, func(j int) mask { return f.sign(r.load(1, j)) })
			r.kept(regZ, scratch, func(j int) mask {
				size := f.and(r.load(1, j), f.literal(nan32))
				return f.equal(f.or(size, r.load(0, j)), f.literal(0))
			})
			r.kept(regC, scratch, func(j int) mask { return f.notNumber(f.and(r.load(1, j), f.literal(nan32)), r.load(0, j)) })
			f.ins("ANDNL", regS, regZ, regS)
			f.ins("ORL", regC, regS)
			f.ins("ORL", regC, regZ)
			f.flagsAt("f_base")
			f.put(regZ, regS, "", "")
		})
	}}
}

// relationOfPairs is relation for f64. It packs the masks of the two halves like numbers.
func relationOfPairs(name string, predicate int) kernel {
	return related(name, pairParam, pairNames, func(f *function) func(r *row, j int) mask {
		return func(r *row, j int) mask {
			return f.keep(func() mask {
				a, b := r.unpack(0, j), r.unpack(2, j)
				for k := range a {
					m := f.compareDouble(predicate, a[k], b[k])
					if f.level == avx512 {
						f.ins("VPMOVM2Q", m, a[k])
						f.freeMask(m)
					} else {
						f.free(a[k])
						a[k] = vec(m)
					}
				}
				f.ins("VSHUFPS", 0x88, a[1], a[0], a[0])
				return f.sign(a[0])
			})
		}
	})
}
