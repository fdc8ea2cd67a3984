package main

// compareKernels lists Expand and the parts from which package lane makes comparisons. A part puts
// in out[i] the lanes in which its relation holds, or the other lanes if flip is all ones.
func compareKernels() []kernel {
	list := []kernel{
		expandKernel(),
		relation("LessU", false, func(f *function) func(a, b vec) mask { return f.lessUnsigned() }),
		relation("LessS", false, func(f *function) func(a, b vec) mask {
			return func(a, b vec) mask { return f.greater(b, a) }
		}),
		relation("Equal", false, func(f *function) func(a, b vec) mask {
			return func(a, b vec) mask { return f.equal(a, b) }
		}),
	}
	for _, p := range floatPredicates {
		list = append(list, relation("F"+p.name, true, func(f *function) func(a, b vec) mask {
			return func(a, b vec) mask { return f.compareFloat(p.predicate, a, b) }
		}))
	}
	return list
}

// floatPredicates are the relations of f32 and f64 in instructions.
var floatPredicates = []struct {
	name      string
	predicate int
}{
	{"Less", predicateLess}, {"Equal", predicateEqual}, {"AtMost", predicateAtMost},
	{"Unequal", predicateUnequal}, {"Ordered", predicateOrdered},
}

// relation makes a part of a comparison of words.
func relation(name string, float bool, setup func(f *function) func(a, b vec) mask) kernel {
	return related(name, rowsParam, func(names ...string) []string { return names }, func(f *function) func(r *row, j int) mask {
		if float {
			f.flushLiterals()
		}
		compare := setup(f)
		return func(r *row, j int) (m mask) {
			a, b := r.load(0, j), r.load(1, j)
			if float {
				p, q := f.flush(a), f.flush(b)
				f.free(a, b)
				a, b = p, q
			}
			m = compare(a, b)
			f.free(a, b)
			return m
		}
	})
}

// related makes a part of a comparison of the parameters a and b; lanes returns the lanes of vector
// j in which the relation holds.
func related(name string, operand func(name string) param, names func(...string) []string, setup func(f *function) (lanes func(r *row, j int) mask)) kernel {
	k := kernel{name: name, part: true, params: []param{
		outParam, operand("a"), operand("b"), word("flip", "Mask"), selParam,
	}}
	k.build = func(f *function) {
		lanes := setup(f)
		f.ins("MOVL", f.arg("flip"), "R12")
		f.ins("MOVQ", f.arg("out"), "R13")
		f.each(names("a", "b"), func(r *row) {
			r.collect("R11", "AX", func(j int) mask { return lanes(r, j) })
			f.ins("XORL", "R12", "R11")
			f.ins("ANDL", rowMask, "R11")
			f.ins("MOVL", "R11", "(R13)(BX*4)")
		})
	}
	return k
}

var outParam = pointer("out", "*[MaxWarps]Mask")

// collect puts the masks of a row's vectors in a general register. It destroys the scratch
// register.
func (r *row) collect(to, scratch string, lanes func(j int) mask) {
	if r.level == avx512 {
		lo, hi := lanes(0), lanes(1)
		r.bits(lo, hi, to)
		r.freeMask(lo, hi)
		return
	}
	for j := 3; j >= 0; j-- {
		m := lanes(j)
		if j == 3 {
			r.ins("VMOVMSKPS", m, to)
		} else {
			r.ins("VMOVMSKPS", m, scratch)
			r.ins("SHLL", 8, to)
			r.ins("ORL", scratch, to)
		}
		r.freeMask(m)
	}
}

// kept is collect for masks that take registers to make; it frees the registers.
func (r *row) kept(to, scratch string, lanes func(j int) mask) {
	r.collect(to, scratch, func(j int) mask { return r.keep(func() mask { return lanes(j) }) })
}

// lessUnsigned shifts unsigned numbers to the range of signed ones before it compares, or uses the
// instruction of AVX-512.
func (f *function) lessUnsigned() func(a, b vec) mask {
	if f.level == avx512 {
		return func(a, b vec) mask {
			m := f.mask()
			f.ins("VPCMPUD", 1, b, a, m)
			return m
		}
	}
	sign := f.constant(1 << 31)
	return func(a, b vec) mask {
		x, y := f.xor(a, sign), f.xor(b, sign)
		m := f.greater(y, x)
		f.free(x, y)
		return m
	}
}

// expandKernel is Expand: lanes of all ones or zero.
func expandKernel() kernel {
	return kernel{
		name:   "Expand",
		params: []param{rowsParam("d"), pointer("m", "*[MaxWarps]Mask"), selParam},
		build: func(f *function) {
			f.ins("MOVQ", f.arg("m"), "R8")
			f.warps([]string{"d"}, func(r *row) {
				if f.level == avx512 {
					for j, m := range f.rowMasks("(R8)(BX*4)") {
						v := f.vec()
						f.ins("VPMOVM2D", m, v)
						r.store(j, v)
					}
					return
				}
				for j := range f.level.vectors() {
					f.scope(func() { r.store(j, vec(f.expand(byteAt("R8", 0, j)))) })
				}
			})
		},
	}
}
