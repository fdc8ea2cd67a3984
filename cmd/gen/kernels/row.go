package main

import "fmt"

// rowKernels lists the kernels of one row.
func rowKernels() []kernel { return []kernel{evenKernel(), packKernel()} }

// evenKernel is Even.
func evenKernel() kernel {
	return kernel{
		name:   "Even",
		params: []param{pointer("a", "*Row"), word("base", "uint32"), word("stride", "uint32")},
		result: "Mask",
		build: func(f *function) {
			const numbers = "laneNumbers"
			if f.data.vectors[numbers] == nil {
				for i := range uint32(32) {
					f.data.vectors[numbers] = append(f.data.vectors[numbers], i)
				}
			}
			base, stride := f.vec(), f.vec()
			f.ins("MOVQ", f.arg("a"), "DI")
			f.ins("MOVL", f.arg("base"), "AX")
			f.broadcast("AX", base)
			f.ins("MOVL", f.arg("stride"), "AX")
			f.broadcast("AX", stride)
			var masks []mask
			for j := range f.level.vectors() {
				want := f.add(f.op("VPMULLD", stride, fmt.Sprintf("%s<>+%d(SB)", numbers, j*4*f.lanes())), base)
				masks = append(masks, f.equal(want, f.vectorAt("DI", j)))
			}
			if f.level == avx512 {
				f.ins("KUNPCKWD", masks[0], masks[1], masks[0])
				f.ins("KMOVD", masks[0], "AX")
			} else {
				f.ins("XORL", "AX", "AX")
				for j, m := range masks {
					f.ins("VMOVMSKPS", m, "DX")
					f.ins("SHLL", 8*j, "DX")
					f.ins("ORL", "DX", "AX")
				}
			}
			f.ins("MOVL", "AX", f.arg("ret"))
		},
	}
}

// packKernel is Pack. AVX2 has no instruction for it: words are stored one after the other, and
// only those of m advance the position.
func packKernel() kernel {
	return kernel{
		name:   "Pack",
		params: []param{pointer("d", "*[2 * Width]uint32"), pointer("a", "*Row"), word("m", "Mask")},
		build: func(f *function) {
			f.ins("MOVQ", f.arg("d"), "DI")
			f.ins("MOVQ", f.arg("a"), "SI")
			f.ins("MOVL", f.arg("m"), "AX")
			if f.level == avx2 {
				f.ins("XORL", "CX", "CX")
				for i := range 32 {
					f.ins("MOVL", fmt.Sprintf("%d(SI)", 4*i), "DX")
					f.ins("MOVL", "DX", "(DI)(CX*4)")
					f.ins("SHRL", 1, "AX")
					f.ins("ADCL", 0, "CX")
				}
				return
			}
			masks := f.rowMasks("AX")
			f.ins("MOVWLZX", "AX", "CX")
			f.ins("POPCNTL", "CX", "CX")
			for j, m := range masks {
				v := f.vec()
				f.ins("VPCOMPRESSD.Z", f.load("SI", j), m, v)
				f.ins(f.move(), v, [...]string{"(DI)", "(DI)(CX*4)"}[j])
			}
		},
	}
}

// load returns vector j of the row that a register points to.
func (f *function) load(register string, j int) vec {
	v := f.vec()
	f.ins(f.move(), f.vectorAt(register, j), v)
	return v
}
