package main

import "fmt"

// Setting and restoring the control register takes some 80 ns per call, as long as forty rows of
// additions. So the f32 arithmetic has an easy part, which runs in the host's default mode. The
// processor records in that register's exception flags every case that the machine treats
// differently:
//
//   - a denormal operand (DE), which the machine takes for zero;
//   - a denormal result: the comparison that ends each body takes it as an operand (DE);
//   - a result below 2^-126 that rounding changed (UE): it may have become 2^-126;
//   - a NaN, quiet or not: the comparison signals it (IE);
//   - for the multiply-add, a product that is too large (OE), since the machine's has no limits.
//
// The flags are read once per call, because reading waits for all earlier arithmetic. If any is
// raised, the function reports it, and the exact form computes everything again. A destination that
// is also a source then gets its old contents back from the stack; any other destination holds
// garbage.
const (
	invalidFlag   = 1 << 0
	denormalFlag  = 1 << 1
	overflowFlag  = 1 << 3
	underflowFlag = 1 << 4
	allFlags      = 1<<6 - 1

	easyMadFlags = invalidFlag | denormalFlag | underflowFlag | overflowFlag
)

func easyKernels() []kernel {
	return []kernel{
		easy("FAddEasy", 2, invalidFlag|denormalFlag, easyInstruction("VADDPS")),
		easy("FSubEasy", 2, invalidFlag|denormalFlag, easyInstruction("VSUBPS")),
		easy("FMulEasy", 2, invalidFlag|denormalFlag|underflowFlag, easyInstruction("VMULPS")),
		easy("FMadEasy", 3, easyMadFlags, easyMad(madSum)),
		easy("FMsubEasy", 3, easyMadFlags, easyMad(madLess)),
		easy("FNmadEasy", 3, easyMadFlags, easyMad(madFrom)),
	}
}

// The frame of an easy function, upwards from its end: the old contents of the destination, room to
// align them, their address, whether they were saved, and a control register.
const (
	easyControl = "control-8(SP)"
	easyKept    = "kept-12(SP)"
	easyOld     = "old-24(SP)"
	easyFrame   = easyRows*rowBytes + rowAlign + 24

	easyRows = 16 // lane.MaxWarps
	rowBytes = 128
	rowShift = 7
	rowAlign = 64
)

// easy makes a kernel of a body; its result is not zero if one of the flags was raised.
func easy(name string, n int, flags int, setup func(f *function) func(x []vec) vec) kernel {
	return kernel{name: name, part: true, params: rowParams(n), result: "uint32", frame: easyFrame, build: func(f *function) {
		body := setup(f)
		compute := func(keep bool) func(r *row) {
			return func(r *row) {
				if keep {
					f.oldRow()
				}
				for j := range f.level.vectors() {
					f.scope(func() {
						x := r.active(n, j)
						if keep {
							old := r.load(0, j)
							f.ins(f.move(), old, f.vectorAt("AX", j))
							f.free(old)
						}
						d := body(x)
						f.signal(d)
						r.store(j, d)
					})
				}
			}
		}
		f.forget(flags)
		f.ins("LEAQ", fmt.Sprintf("rows-%d(SP)", easyFrame), "AX")
		f.ins("ADDQ", rowAlign-1, "AX")
		f.ins("ANDQ", -rowAlign, "AX")
		f.ins("MOVQ", "AX", easyOld)
		f.ins("MOVL", 0, easyKept)

		f.begin()
		f.unlessFull("some")
		f.ins("MOVQ", f.arg("d_first"), "DX")
		for _, source := range sourceNames[:n] {
			f.ins("CMPQ", "DX", f.arg(source+"_first"))
			f.ins("JEQ", "inPlace")
		}
		f.fullLoop(rowNames(n), compute(false))
		f.ins("JMP", "done")
		f.label("inPlace")
		f.ins("MOVL", 1, easyKept)
		f.suffix = "InPlace"
		f.fullLoop(rowNames(n), compute(true))
		f.suffix = ""
		f.ins("JMP", "done")
		f.label("some")
		f.ins("MOVL", 1, easyKept)
		f.label("masked")
		f.maskedLoop(rowNames(n), compute(true))
		f.label("done")

		f.ins("VSTMXCSR", easyControl)
		f.ins("MOVL", easyControl, "AX")
		f.ins("ANDL", flags, "AX")
		f.ins("MOVL", "AX", f.arg("ret"))
		f.ins("JEQ", "leave")
		f.ins("CMPL", easyKept, 0)
		f.ins("JEQ", "leave")
		f.restore()
		f.label("leave")
	}}
}

// oldRow points AX to the old contents of the row of the loop's warp.
func (f *function) oldRow() {
	f.ins("MOVQ", "BX", "AX")
	f.ins("SHLQ", rowShift, "AX")
	f.ins("ADDQ", easyOld, "AX")
}

// restore copies the old contents back to the destination.
func (f *function) restore() {
	f.suffix = "Restore"
	f.each([]string{"d"}, func(r *row) {
		f.oldRow()
		for j := range f.level.vectors() {
			f.scope(func() {
				old := f.vec()
				f.ins(f.move(), f.vectorAt("AX", j), old)
				f.ins(f.move(), old, r.at(0, j))
			})
		}
	})
	f.suffix = ""
}

// forget clears the exception flags if one of these is set. This takes 15 ns, and is rare.
func (f *function) forget(flags int) {
	f.ins("VSTMXCSR", easyControl)
	f.ins("MOVL", easyControl, "AX")
	f.ins("TESTL", flags, "AX")
	f.ins("JEQ", "forgotten")
	f.ins("ANDL", ^allFlags, "AX")
	f.ins("MOVL", "AX", easyControl)
	f.ins("VLDMXCSR", easyControl)
	f.label("forgotten")
}

// active reads vector j of n sources, with zeros in idle lanes, which raise no flags.
func (r *row) active(n, j int) []vec {
	x := make([]vec, n)
	if !r.masked {
		for i := range x {
			x[i] = r.load(1+i, j)
		}
		return x
	}
	if r.level == avx512 {
		for i := range x {
			x[i] = r.vec()
			r.ins("VMOVDQU32.Z", r.at(1+i, j), r.masks[j], x[i])
		}
		return x
	}
	m := r.expand(byteAt("SI", selMask, j))
	for i := range x {
		x[i] = r.vec()
		r.ins("VPMASKMOVD", r.at(1+i, j), m, x[i])
	}
	r.freeMask(m)
	return x
}

// signal raises a flag if a lane of x is denormal or NaN.
func (f *function) signal(x vec) {
	const lessSignalling = 1
	m := f.mask()
	f.ins("VCMPPS", lessSignalling, x, x, m)
	f.freeMask(m)
}

func easyInstruction(name string) func(f *function) func(x []vec) vec {
	return func(f *function) func(x []vec) vec {
		return func(x []vec) vec { return f.in(name, x[0], x[1]) }
	}
}

// easyMad truncates the product to 24 bits, then rounds the sum. If the addend is zero, it rounds
// the product instead. An instruction with a rounding mode raises no flags, so another one rounds
// to nearest in all lanes.
func easyMad(sum madForm) func(f *function) func(x []vec) vec {
	return func(f *function) func(x []vec) vec {
		if f.level == avx2 {
			return f.easyMadAVX2(sum)
		}
		f.constant(inf32)
		return func(x []vec) vec {
			a, b, c := x[0], x[1], x[2]
			p := f.op("VMULPS", a, b)
			m := f.nonzero(c, f.constant(inf32))
			f.ins("VMULPS.RZ_SAE", b, a, m, p)
			f.freeMask(m)
			return sum(f, "PS", p, c)
		}
	}
}

// easyMadAVX2 rounds the product to nearest. The fused instruction gives the rounding error, and a
// product that is too large is decremented.
func (f *function) easyMadAVX2(sum madForm) func(x []vec) vec {
	zero := f.constant(0)
	return func(x []vec) vec {
		a, b, c := x[0], x[1], x[2]
		p := f.op("VMULPS", a, b)
		f.ins("VFMSUB213PS", p, b, a) // a*b - p
		f.free(b)
		f.in("VPSIGND", a, p) // negative if p is too large
		f.in("VPSRAD", a, 31)
		m := f.mask()
		const unequalOrUnordered = 4
		f.ins("VCMPPS", unequalOrUnordered, zero, c, m)
		f.ins("VPAND", m, a, a)
		f.freeMask(m)
		f.addIn(p, a)
		return sum(f, "PS", p, c)
	}
}

// madForm ends a multiply-add of numbers of a kind: with the sum of product and addend, or with a
// difference. It destroys the product.
type madForm func(f *function, kind string, p, c vec) vec

func madSum(f *function, kind string, p, c vec) vec  { return f.in("VADD"+kind, p, c) }
func madLess(f *function, kind string, p, c vec) vec { return f.in("VSUB"+kind, p, c) }

func madFrom(f *function, kind string, p, c vec) vec {
	f.ins("VSUB"+kind, p, c, p)
	return p
}
