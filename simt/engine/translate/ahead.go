package translate

import (
	"math/bits"
	"unsafe"

	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/lane"
)

// Accesses prefetch memory that their instruction will access later.

// aheadSteps is the number of executions that an access looks ahead: enough for memory to answer.
const aheadSteps = 4

// stride is how an instruction goes through memory.
type stride struct {
	last uint32 // start of its last access of consecutive elements, from the host's first byte
	step uint32 // distance from the access before
	pace uint32 // the last step that was met twice in a row
}

// The offsets of the strides in a site and in a view.
const (
	siteWalk = int32(unsafe.Offsetof(site{}.walk))
	viewWalk = int32(unsafe.Offsetof(view{}.walk))
)

// ahead prefetches memory that the instruction will access soon, if the distance from the last
// access to the offset in regWork0 repeats. Accesses are to consecutive elements.
func (e *emitter) ahead(k kind) {
	findPace(e.a, siteWalk, func(pace x86.Operand) { // the memory between was not prefetched
		e.a.Mov(32, x86.R(regWork2), x86.R(regWork0))
		for range aheadSteps - 1 {
			e.a.Add(32, x86.R(regWork2), pace)
			e.prefetch(k, regWork2)
		}
	})
	e.a.Add(32, x86.R(regWork2), x86.R(regWork0))
	e.prefetch(k, regWork2)
}

// findPace puts in regWork2 the distance to look ahead, and keeps the offset in regWork0 as the
// last. A distance counts once it is met twice in a row, because other distances occur where turns
// of warps end. Where the step changes, the code that jump emits runs; it may change regWork2, and
// jump may be nil. The stride is at an offset from regSite.
func findPace(a *x86.Assembler, offset int32, jump func(pace x86.Operand)) {
	last := x86.At(regSite, offset+int32(unsafe.Offsetof(stride{}.last)))
	step := x86.At(regSite, offset+int32(unsafe.Offsetof(stride{}.step)))
	pace := paceAt(offset)
	again := a.NewLabel()
	a.Mov(32, x86.R(regWork2), x86.R(regWork0))
	a.Sub(32, x86.R(regWork2), last)
	a.Mov(32, last, x86.R(regWork0))
	a.Cmp(32, step, x86.R(regWork2))
	a.Mov(32, step, x86.R(regWork2))
	a.Jcc(x86.E, again)
	if jump != nil {
		jump(pace)
	}
	a.Mov(32, x86.R(regWork2), pace)
	a.Bind(again)
	a.Mov(32, pace, x86.R(regWork2))
	stepsAhead(a)
}

// paceAt returns the operand of the pace of a stride.
func paceAt(offset int32) x86.Operand {
	return x86.At(regSite, offset+int32(unsafe.Offsetof(stride{}.pace)))
}

// stepsAhead turns the pace in regWork2 into the distance to look ahead.
func stepsAhead(a *x86.Assembler) {
	a.Shl(32, x86.R(regWork2), x86.Imm(int64(bits.TrailingZeros(aheadSteps))))
}

// prefetch emits prefetches of a warp's consecutive elements at an offset.
func (e *emitter) prefetch(k kind, at x86.Reg) {
	ask := e.a.Prefetch
	if k.store {
		ask = e.a.PrefetchW
	}
	for i := int32(0); i < lane.Width*int32(k.size()); i += 64 {
		ask(x86.At(regHost, i).Index(at, 1))
	}
}

// aheadOfHalves is ahead for other accesses. It prefetches twice the size of each half-warp's
// elements, because elements are often members of consecutive structures. It needs the offsets that
// check computes.
func (e accessor) aheadOfHalves(k kind) {
	e.first(regWork0, offsets, 0)
	findPace(e.a, siteWalk, nil)
	for half := range 2 {
		if half > 0 {
			e.first(regWork0, offsets, half)
		}
		e.a.Add(32, x86.R(regWork0), x86.R(regWork2))
		e.prefetch(k, regWork0)
	}
}

// ahead prefetches texels that the instruction will read soon, if the row goes on. regWork0 has the
// offset of the part's first texel.
func (r *reader) ahead() {
	if r.part == 0 {
		findPace(r.Assembler, viewWalk, nil)
	} else {
		r.Mov(32, x86.R(regWork2), paceAt(viewWalk))
		stepsAhead(r.Assembler)
	}
	r.Add(32, x86.R(regWork2), x86.R(regWork0))
	r.Prefetch(x86.At(regTexels, 0).Index(regWork2, 1))
}
