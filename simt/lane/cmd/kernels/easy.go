package main

// Changing the control register costs some 80 ns, as much as ten rows. So the f32
// arithmetic has an easy part that runs in the host's default mode and leaves alone the
// warps in which that could make a difference: with a lane that is, or came of, a
// denormal, or is a NaN. Their rows are not written, and the result tells which they are,
// bit i for s.Warp[i].

func easyKernels() []kernel {
	return []kernel{
		watched("FAddEasy", "VADDPS", ample, false),
		// A denormal factor can have a large product. One of 2^-126 itself may have been less before it
		// was rounded; a factor of that size is only taken for difficult.
		watched("FMulEasy", "VMULPS", least32+1, true),
		easy("FMadEasy", 3, easyMad),
	}
}

// watched makes an easy kernel of an instruction on two numbers. A row is difficult if a
// result's size, or with factors an operand's, is not zero but below least, or if a result is
// a NaN. One is taken from sizes, so that zero becomes the largest number there is and, with
// a sign, -1: the least and the greatest of the row tell.
func watched(name, instruction string, least uint32, factors bool) kernel {
	return kernel{name: name, part: true, params: rowParams(2), result: "uint32", build: func(f *function) {
		f.ins("MOVL", 0, f.arg("ret"))
		magnitude, all := f.constant(nan32), f.constant(ones)
		f.often(least-2, inf32-1)
		f.literals(least-2, inf32-1)
		f.warps(rowNames(2), func(r *row) {
			var low, high vec
			var results []vec
			for j := range f.level.vectors() {
				result := f.vec()
				results = append(results, result)
				if j == 0 {
					low, high = f.vec(), f.vec()
				}
				f.scope(func() {
					a, b := r.load(1, j), r.load(2, j)
					f.ins(instruction, b, a, result)
					size := func(x, to vec) {
						f.ins(f.bitwise("VPAND"), magnitude, x, to)
						f.ins("VPADDD", all, to, to)
					}
					own := f.vec()
					size(result, own)
					if factors {
						size(a, a)
						size(b, b)
						f.ins("VPMINUD", a, b, b)
						f.ins("VPMINUD", own, b, b)
					} else {
						b = own
					}
					if r.masked { // idle lanes are zeros
						idle := r.idle(j)
						f.orIn(own, idle)
						if factors {
							f.orIn(b, idle)
						}
					}
					if j == 0 {
						f.ins(f.copy(), b, low)
						f.ins(f.copy(), own, high)
						return
					}
					f.ins("VPMINUD", b, low, low)
					f.ins("VPMAXSD", own, high, high)
				})
			}
			hard := f.greater(high, f.literal(inf32-1))
			if f.level == avx512 {
				m := f.mask()
				f.ins("VPCMPUD", 2, f.literal(least-2), low, m) // at most
				f.ins("KORTESTW", m, hard)
				f.freeMask(m)
			} else {
				f.ins("VPMINUD", f.literal(least-2), low, high)
				f.ins("VPCMPEQD", low, high, low)
				f.ins("VPOR", low, hard, vec(hard))
				f.ins("VPTEST", hard, hard)
			}
			r.unlessHard(hard, results)
			f.free(low, high)
		})
		f.leave()
	}}
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

// easy makes a kernel of a body that returns a result and its difficult lanes.
func easy(name string, n int, setup func(f *function) func(x []vec) (vec, mask)) kernel {
	return kernel{name: name, part: true, params: rowParams(n), result: "uint32", build: func(f *function) {
		f.ins("MOVL", 0, f.arg("ret"))
		body := setup(f)
		f.warps(rowNames(n), func(r *row) { r.easy(n, body) })
		f.leave()
	}}
}

func (r *row) easy(n int, body func(x []vec) (vec, mask)) {
	hard := r.mask()
	var results []vec
	for j := range r.level.vectors() {
		result := r.vec()
		r.scope(func() {
			x := make([]vec, n)
			for i := range x {
				x[i] = r.load(1+i, j)
			}
			v, lanes := body(x)
			r.ins(r.move(), v, result)
			if r.masked {
				r.within(lanes, j)
			}
			r.gather(hard, lanes, j == 0)
		})
		results = append(results, result)
	}
	if r.level == avx512 {
		r.ins("KORTESTW", hard, hard)
	} else {
		r.ins("VPTEST", hard, hard)
	}
	r.unlessHard(hard, results)
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

// within leaves of a mask the lanes of the row's mask.
func (r *row) within(lanes mask, j int) {
	if r.level == avx512 {
		r.ins("KANDW", r.masks[j], lanes, lanes)
		return
	}
	own := r.expand(byteAt("SI", selMask, j))
	r.ins("VPAND", own, lanes, lanes)
	r.freeMask(own)
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

const (
	least32 = 1 << 23
	// Beside numbers from here on, what is below 2^-126 is less than a quarter of the
	// last place: adding it, or a zero in its place, is the same.
	ample = (127 - 100) << 23
)

// outside tells the lanes whose size is neither zero nor from least up to most; it
// consumes size. Use before: literals.
func (f *function) outside(size vec, least, most uint32) mask {
	if f.level == avx512 {
		m := f.nonzero(size, size)
		f.subIn(size, f.literal(least))
		f.ins("VPCMPUD", 6, f.literal(most-least), size, m, m) // greater
		f.free(size)
		return m
	}
	// Zero wraps to the largest number that there is, and is let through as equal to it.
	f.subIn(size, f.literal(1))
	low := f.op("VPMINUD", size, f.literal(least-2))
	m := f.equal(low, size) // 0 < size < least
	f.ins("VPCMPGTD", f.literal(most-1), size, low)
	f.free(size)
	return f.join(m, mask(low))
}

func (f *function) outsideLiterals(least, most uint32) {
	if f.level == avx512 {
		f.literals(least, most-least)
	} else {
		f.literals(1, least-2, most-1)
	}
}

// denormal tells the lanes with a denormal number.
func (f *function) denormal(x vec) mask {
	if f.level == avx512 {
		m := f.mask()
		f.ins("VFPCLASSPSZ", 0x20, x, m)
		return m
	}
	size := f.subIn(f.and(x, f.literal(nan32)), f.literal(1))
	low := f.op("VPMINUD", size, f.literal(least32-2))
	m := f.equal(low, size)
	f.free(size, low)
	return m
}

// easyMad: the product is cut to 24 bits, then the sum rounded. With an addend that
// is a zero, or flushed to one, the product is rounded instead. An infinity, cut, is the
// largest number.
func easyMad(f *function) func(x []vec) (vec, mask) {
	f.often(nan32, 1, ample-2)
	f.literals(nan32, 1, least32-2, inf32, inf32-1, 0)
	f.outsideLiterals(ample, inf32)
	f.outsideLiterals(ample, inf32-2)
	return func(x []vec) (vec, mask) {
		a, b, c := x[0], x[1], x[2]
		m := f.join(f.denormal(a), f.denormal(b))
		var p vec
		if f.level == avx512 {
			p = f.op("VMULPS.RZ_SAE", a, b)
			zero := f.mask()
			f.ins("VPTESTNMD", f.literal(inf32), c, zero)
			f.ins("VMULPS", b, a, zero, p)
			f.freeMask(zero)
			size := f.and(p, f.literal(nan32))
			m = f.join(m, f.equal(size, f.literal(inf32-1)))
			f.free(size)
		} else {
			p = f.cutProduct(a, b, c)
			size := f.and(p, f.literal(nan32))
			m = f.join(m, f.outside(size, ample, inf32-2))
		}
		r := f.op("VADDPS", p, c)
		f.free(p)
		return r, f.join(m, f.outside(f.and(r, f.literal(nan32)), ample, inf32))
	}
}

// cutProduct is the product of a and b towards zero where c has an exponent, rounded to
// nearest elsewhere. The fused instruction tells what rounding added; one place less takes
// it back. It consumes a and b. AVX2 only.
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
	f.free(a)
	return p
}
