package main

// Changing the control register costs some 80 ns, as much as ten rows. So the f32
// arithmetic has an easy part that runs in the host's default mode and leaves alone the
// warps in which that could make a difference: with a lane that is, or came of, a
// denormal, or is a NaN. Their rows are not written, and the result tells which they are,
// bit i for s.Warp[i].

func easyKernels() []kernel {
	return []kernel{
		easy("FAddEasy", 2, ample, inf32, easyAdd),
		// One of 2^-126 itself may have been less before it was rounded.
		easy("FMulEasy", 2, least32+1, inf32, easyMul),
		easy("FMadEasy", 3, ample, inf32-2, easyMad),
	}
}

const (
	least32 = 1 << 23
	// Beside numbers from here on, what is below 2^-126 is less than a quarter of the
	// last place: adding it, or a zero in its place, is the same.
	ample = (127 - 100) << 23
)

// sizes is what an easy body found out about a vector. Sizes are words without their sign
// less one: zero becomes the largest number there is and, with a sign, -1. So the least
// without sign tells of numbers that are small, but not zero, and the greatest with sign of those that are
// large. They may share a register.
type sizes struct {
	result    vec
	low, high vec
	denormal  mask // lanes with a denormal factor; AVX-512 only
	denormals bool // there is such a mask
}

// easy makes a kernel of a body. A row is difficult if sizes are below least or above most, or a
// factor is denormal.
func easy(name string, n int, least, most uint32, setup func(f *function) func(r *row, j int, x []vec) sizes) kernel {
	return kernel{name: name, part: true, params: rowParams(n), result: "uint32", build: func(f *function) {
		f.ins("MOVL", 0, f.arg("ret"))
		f.constant(nan32)
		f.constant(ones)
		f.often(least-2, most-1)
		f.literals(least-2, most-1)
		body := setup(f)
		f.warps(rowNames(n), func(r *row) {
			all := sizes{low: f.vec(), high: f.vec()}
			var results []vec
			for j := range f.level.vectors() {
				result := f.vec()
				results = append(results, result)
				f.keepMask(&all, func() sizes {
					x := make([]vec, n)
					for i := range x {
						x[i] = r.load(1+i, j)
					}
					v := body(r, j, x)
					f.ins(f.copy(), v.result, result)
					if r.masked { // idle lanes are zeros
						idle := r.idle(j)
						f.orIn(v.low, idle)
						if v.high != v.low {
							f.orIn(v.high, idle)
						}
					}
					if j == 0 {
						f.ins(f.copy(), v.low, all.low)
						f.ins(f.copy(), v.high, all.high)
					} else {
						f.ins("VPMINUD", v.low, all.low, all.low)
						f.ins("VPMAXSD", v.high, all.high, all.high)
					}
					return v
				})
			}
			hard := f.greater(all.high, f.literal(most-1))
			if f.level == avx512 {
				m := f.mask()
				f.ins("VPCMPUD", 2, f.literal(least-2), all.low, m) // at most
				if all.denormals {
					f.ins("KORW", all.denormal, m, m)
				}
				f.ins("KORTESTW", m, hard)
				f.freeMask(m)
			} else {
				f.ins("VPMINUD", f.literal(least-2), all.low, all.high)
				f.ins("VPCMPEQD", all.low, all.high, all.low)
				f.ins("VPOR", all.low, hard, vec(hard))
				f.ins("VPTEST", hard, hard)
			}
			r.unlessHard(hard, results)
		})
		f.leave()
	}}
}

// keepMask runs a piece of code for a vector, gives back the registers that it took, and adds the mask
// it found to that of the row.
func (f *function) keepMask(all *sizes, code func() sizes) {
	if !all.denormals && f.level == avx512 {
		all.denormal = f.mask()
	}
	f.scope(func() {
		v := code()
		switch {
		case !v.denormals:
		case all.denormals:
			f.ins("KORW", v.denormal, all.denormal, all.denormal)
		default:
			f.ins("KMOVW", v.denormal, all.denormal)
			all.denormals = true
		}
	})
	if !all.denormals && f.level == avx512 {
		f.freeMask(all.denormal)
	}
}

// size puts the size of x, less one, in to.
func (f *function) size(x, to vec) vec {
	f.ins(f.bitwise("VPAND"), f.constant(nan32), x, to)
	f.ins("VPADDD", f.constant(ones), to, to)
	return to
}

// denormals tells the lanes in which a number is denormal. AVX-512 only.
func (r *row) denormals(j int, list ...vec) mask {
	all := r.mask()
	for i, x := range list {
		m := all
		if i > 0 {
			m = r.mask()
		}
		if r.masked {
			r.ins("VFPCLASSPSZ", 0x20, x, r.masks[j], m)
		} else {
			r.ins("VFPCLASSPSZ", 0x20, x, m)
		}
		if i > 0 {
			r.ins("KORW", m, all, all)
			r.freeMask(m)
		}
	}
	return all
}

// easyAdd: a denormal sum, and the trace of a denormal operand, are small.
func easyAdd(f *function) func(r *row, j int, x []vec) sizes {
	return func(r *row, j int, x []vec) sizes {
		f.in("VADDPS", x[0], x[1])
		own := f.size(x[0], x[1])
		return sizes{result: x[0], low: own, high: own}
	}
}

// easyMul: a denormal factor can have a large product.
func easyMul(f *function) func(r *row, j int, x []vec) sizes {
	return func(r *row, j int, x []vec) sizes {
		a, b := x[0], x[1]
		p := f.op("VMULPS", a, b)
		if f.level == avx512 {
			v := sizes{result: p, denormal: r.denormals(j, a, b), denormals: true}
			v.low = f.size(p, b)
			v.high = v.low
			return v
		}
		own := f.size(p, f.vec())
		low := f.in("VPMINUD", f.size(a, a), f.size(b, b))
		return sizes{result: p, low: f.in("VPMINUD", low, own), high: own}
	}
}

// easyMad: the product is cut to 24 bits, then the sum rounded. With an addend that
// is a zero, or flushed to one, the product is rounded instead. An infinity, cut, is the
// largest number.
func easyMad(f *function) func(r *row, j int, x []vec) sizes {
	f.literals(inf32, 0)
	return func(r *row, j int, x []vec) sizes {
		a, b, c := x[0], x[1], x[2]
		if f.level == avx512 {
			v := sizes{denormal: r.denormals(j, a, b), denormals: true}
			p := f.op("VMULPS.RZ_SAE", a, b)
			zero := f.mask()
			f.ins("VPTESTNMD", f.literal(inf32), c, zero)
			f.ins("VMULPS", b, a, zero, p)
			f.freeMask(zero)
			f.ins(f.bitwise("VPAND"), f.constant(nan32), p, a)
			v.result = f.in("VADDPS", p, c)
			v.low = f.size(p, b)
			v.high = f.in("VPMAXSD", a, v.low)
			return v
		}
		low, t := f.size(a, f.vec()), f.size(b, f.vec())
		f.in("VPMINUD", low, t)
		f.free(t)
		p := f.cutProduct(a, b, c)
		f.size(p, a)
		f.in("VPMINUD", low, a)
		f.in("VADDPS", p, c)
		f.free(c)
		own := f.size(p, f.vec())
		return sizes{result: p, low: f.in("VPMINUD", low, own), high: f.in("VPMAXSD", a, own)}
	}
}

// idle is all ones in the lanes of vector j outside the row's mask.
func (r *row) idle(j int) vec {
	if r.level == avx2 {
		own := r.expand(byteAt("SI", selMask, j))
		return r.xorIn(vec(own), r.constant(ones))
	}
	m, v := r.mask(), r.vec()
	r.ins("KNOTW", r.masks[j], m)
	r.ins("VMOVDQA32.Z", r.constant(ones), m, v)
	r.freeMask(m)
	return v
}

// copy is the instruction that copies vector registers.
func (f *function) copy() string {
	if f.level == avx512 {
		return "VMOVDQA32"
	}
	return "VMOVDQA"
}

// often keeps literals in registers where memory would be their place.
func (f *function) often(list ...uint32) {
	if f.level == avx2 {
		for _, x := range list {
			f.constant(x)
		}
	}
}

// unlessHard stores the results if the last test found nothing, and gives the mask that it tested
// back. Otherwise it notes the row.
func (r *row) unlessHard(hard mask, results []vec) {
	store := "store"
	if r.masked {
		store = "storeMasked"
	}
	r.ins("JEQ", store)
	r.ins("MOVL", 1, "AX")
	r.ins("SHLXL", "BX", "AX", "AX")
	r.ins("ORL", "AX", r.arg("ret"))
	r.ins("JMP", r.skip())
	r.label(store)
	r.freeMask(hard)
	for j, v := range results {
		r.scope(func() { r.store(j, v) })
	}
}

// gather adds lanes to a mask, or begins it.
func (f *function) gather(to, lanes mask, first bool) {
	switch {
	case f.level == avx512 && first:
		f.ins("KMOVW", lanes, to)
	case f.level == avx512:
		f.ins("KORW", lanes, to, to)
	case first:
		f.ins("VMOVDQA", lanes, to)
	default:
		f.ins("VPOR", lanes, to, to)
	}
}

// join is the union of two masks; it consumes both.
func (f *function) join(a, b mask) mask {
	f.gather(a, b, false)
	f.freeMask(b)
	return a
}

// cutProduct is the product of a and b towards zero where c has an exponent, rounded to
// nearest elsewhere. The fused instruction tells what rounding added; one place less takes
// it back. It destroys a and gives b back. AVX2 only.
func (f *function) cutProduct(a, b, c vec) vec {
	p := f.op("VMULPS", a, b)
	f.ins("VFMSUB213PS", p, b, a) // a*b - p
	f.free(b)
	zero := f.equal(a, f.literal(0))
	f.xorIn(a, p)
	f.in("VPSRAD", a, 31)
	f.ins("VPANDN", a, zero, a)
	f.freeMask(zero)
	e := f.and(c, f.literal(inf32))
	f.ins("VPCMPEQD", f.literal(0), e, e)
	f.ins("VPANDN", a, e, a)
	f.free(e)
	f.addIn(p, a)
	return p
}
