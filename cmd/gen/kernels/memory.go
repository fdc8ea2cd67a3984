package main

import "fmt"

// memoryKernels lists the kernels that move words between rows and memory. R10 is the start of a
// warp's memory.
func memoryKernels() []kernel {
	return []kernel{followKernel(), gatherKernel(), scatterKernel(), loadRunKernel(), storeRunKernel(), spreadKernel()}
}

var (
	startParam   = pointer("start", "*[MaxWarps]unsafe.Pointer")
	patternParam = pointer("pattern", "*Row")
)

// vectorAt is vector j of a row that a register points to.
func (f *function) vectorAt(register string, j int) string {
	return fmt.Sprintf("%d(%s)", j*4*f.lanes(), register)
}

// followKernel is Follow. The lowest lane of a row has the base.
func followKernel() kernel {
	return kernel{
		name: "Follow",
		params: []param{
			outParam, pointer("base", "*[MaxWarps]uint32"), rowsParam("a"), patternParam, selParam,
		},
		build: func(f *function) {
			f.ins("MOVQ", f.arg("out"), "R13")
			f.ins("MOVQ", f.arg("base"), "R12")
			f.ins("MOVQ", f.arg("pattern"), "R10")
			f.each([]string{"a"}, func(r *row) {
				base := f.vec()
				f.ins("BSFL", rowMask, "R8")
				f.ins("MOVL", "(DI)(R8*4)", "R9")
				f.ins("SUBL", "(R10)(R8*4)", "R9")
				f.ins("MOVL", "R9", "(R12)(BX*4)")
				f.broadcast("R9", base)
				r.collect("R9", "AX", func(j int) mask {
					want := f.add(base, f.vectorAt("R10", j))
					m := f.equal(want, r.at(0, j))
					f.free(want)
					return m
				})
				f.ins("ANDL", rowMask, "R9")
				f.ins("MOVL", "R9", "(R13)(BX*4)")
			})
		},
	}
}

// gatherKernel is Gather. The host's gather instruction clears its mask.
func gatherKernel() kernel {
	return kernel{
		name:   "Gather",
		params: []param{rowsParam("d"), startParam, patternParam, selParam},
		build: func(f *function) {
			f.ins("MOVQ", f.arg("start"), "R8")
			f.ins("MOVQ", f.arg("pattern"), "R9")
			f.warps([]string{"d"}, func(r *row) {
				f.ins("MOVQ", "(R8)(BX*8)", "R10")
				for j := range f.level.vectors() {
					f.scope(func() { r.fetch(j) })
				}
			})
		},
	}
}

func (r *row) fetch(j int) {
	at, d := r.vec(), r.vec()
	r.ins(r.move(), r.vectorAt("R9", j), at)
	if r.masked {
		r.ins(r.move(), r.at(0, j), d)
	} else {
		r.ins(r.bitwise("VPXOR"), d, d, d) // breaks the dependence on old contents
	}
	memory := fmt.Sprintf("(R10)(%s*1)", r.register(at))
	if r.level == avx512 {
		m := r.mask()
		if r.masked {
			r.ins("KMOVW", r.masks[j], m)
		} else {
			r.ins("KXNORW", m, m, m)
		}
		r.ins("VPGATHERDD", memory, m, d)
	} else {
		var m mask
		if r.masked {
			m = r.expand(byteAt("SI", selMask, j))
		} else {
			m = r.mask()
			r.ins("VPCMPEQD", m, m, m)
		}
		r.ins("VPGATHERDD", m, memory, d)
	}
	r.ins(r.move(), d, r.at(0, j))
}

// scatterKernel is Scatter, word by word at both levels: AVX2 has no instruction for it.
func scatterKernel() kernel {
	return kernel{
		name:   "Scatter",
		params: []param{startParam, patternParam, rowsParam("a"), selParam},
		build: func(f *function) {
			f.ins("MOVQ", f.arg("start"), "R8")
			f.ins("MOVQ", f.arg("pattern"), "R9")
			f.each([]string{"a"}, func(r *row) {
				f.ins("MOVQ", "(R8)(BX*8)", "R10")
				f.ins("MOVL", rowMask, "R11")
				f.ins("CMPL", "R11", -1)
				f.ins("JNE", "some")
				for i := range 32 {
					f.ins("MOVL", fmt.Sprintf("%d(R9)", 4*i), "AX")
					f.ins("MOVL", fmt.Sprintf("%d(DI)", 4*i), "DX")
					f.ins("MOVL", "DX", "(R10)(AX*1)")
				}
				f.ins("JMP", "next")
				f.label("some")
				f.ins("BSFL", "R11", "R12")
				f.ins("MOVL", "(R9)(R12*4)", "AX")
				f.ins("MOVL", "(DI)(R12*4)", "DX")
				f.ins("MOVL", "DX", "(R10)(AX*1)")
				f.ins("LEAL", "-1(R11)", "DX")
				f.ins("ANDL", "DX", "R11")
				f.ins("JNE", "some")
				f.label("next")
			})
		},
	}
}

// loadRunKernel is LoadRun.
func loadRunKernel() kernel {
	return kernel{
		name:   "LoadRun",
		params: []param{rowsParam("d"), startParam, selParam},
		build: func(f *function) {
			f.ins("MOVQ", f.arg("start"), "R8")
			f.warps([]string{"d"}, func(r *row) {
				f.ins("MOVQ", "(R8)(BX*8)", "R10")
				for j := range f.level.vectors() {
					f.scope(func() {
						v := f.vec()
						switch memory := f.vectorAt("R10", j); {
						case !r.masked:
							f.ins(f.move(), memory, v)
						case f.level == avx512:
							f.ins("VMOVDQU32.Z", memory, r.masks[j], v)
						default:
							m := f.expand(byteAt("SI", selMask, j))
							f.ins("VPMASKMOVD", memory, m, v)
							f.freeMask(m)
						}
						r.store(j, v)
					})
				}
			})
		},
	}
}

// storeRunKernel is StoreRun.
func storeRunKernel() kernel {
	return kernel{
		name:   "StoreRun",
		params: []param{startParam, rowsParam("a"), selParam},
		build: func(f *function) {
			f.ins("MOVQ", f.arg("start"), "R8")
			f.each([]string{"a"}, func(r *row) {
				f.ins("MOVQ", "(R8)(BX*8)", "R10")
				if f.level == avx512 {
					for j, m := range f.rowMasks(rowMask) {
						v := r.load(0, j)
						f.ins("VMOVDQU32", v, m, f.vectorAt("R10", j))
					}
					return
				}
				for j := range f.level.vectors() {
					f.scope(func() {
						v, m := r.load(0, j), f.expand(byteAt("SI", selMask, j))
						f.ins("VPMASKMOVD", v, m, f.vectorAt("R10", j))
					})
				}
			})
		},
	}
}

// spreadKernel is Spread.
func spreadKernel() kernel {
	return kernel{
		name:   "Spread",
		params: []param{rowsParam("d"), pointer("v", "*[MaxWarps]uint32"), selParam},
		build: func(f *function) {
			f.ins("MOVQ", f.arg("v"), "R8")
			f.warps([]string{"d"}, func(r *row) {
				v := f.vec()
				f.ins("VPBROADCASTD", "(R8)(BX*4)", v)
				for j := range f.level.vectors() {
					f.scope(func() { r.store(j, v) })
				}
			})
		},
	}
}
