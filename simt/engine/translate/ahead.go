package translate

import (
	"math/bits"
	"unsafe"

	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/lane"
)

// Accesses ask for the memory that they will need later.

// executions that an access looks ahead: enough for memory to answer.
const aheadSteps = 4

// stride is how an instruction goes through memory.
type stride struct {
	last uint32 // where its last access of consecutive elements began, from the host's first byte
	step uint32 // from the one before
	pace uint32 // the last step that was met twice in a row
}

// The strides of the site or view in regSite.
const (
	siteStride = int32(unsafe.Offsetof(site{}.stride))
	viewStride = int32(unsafe.Offsetof(view{}.stride))
)

// ahead asks for memory that the instruction will access soon, if it goes on by the same distance as
// from the last access to that of the offset in regWork0. Accesses are to consecutive elements.
func (e *emitter) ahead(k kind) {
	findPace(e.a, siteStride, func(pace x86.Operand) { // nobody asked for the memory between
		e.a.Mov(32, x86.R(regWork2), x86.R(regWork0))
		for range aheadSteps - 1 {
			e.a.Add(32, x86.R(regWork2), pace)
			e.prefetch(k, regWork2)
		}
	})
	e.a.Add(32, x86.R(regWork2), x86.R(regWork0))
	e.prefetch(k, regWork2)
}

// findPace puts in regWork2 how far the instruction will go on, and keeps the offset in regWork0 as
// that of the last access. A distance counts once it is met twice in a row: others come where turns
// of warps end. Where the step changes, it runs what jump emits, which may change regWork2.
func findPace(a *x86.Assembler, of int32, jump func(pace x86.Operand)) {
	last := x86.At(regSite, of+int32(unsafe.Offsetof(stride{}.last)))
	step := x86.At(regSite, of+int32(unsafe.Offsetof(stride{}.step)))
	pace := paceAt(of)
	again := a.NewLabel()
	a.Mov(32, x86.R(regWork2), x86.R(regWork0))
	a.Sub(32, x86.R(regWork2), last)
	a.Mov(32, last, x86.R(regWork0))
	a.Cmp(32, step, x86.R(regWork2))
	a.Mov(32, step, x86.R(regWork2))
	a.Jcc(x86.E, again)
	jump(pace)
	a.Mov(32, x86.R(regWork2), pace)
	a.Bind(again)
	a.Mov(32, pace, x86.R(regWork2))
	stepsAhead(a)
}

// paceAt returns the operand of the pace of a stride.
func paceAt(of int32) x86.Operand { return x86.At(regSite, of+int32(unsafe.Offsetof(stride{}.pace))) }

// stepsAhead turns the pace in regWork2 into the distance to look ahead.
func stepsAhead(a *x86.Assembler) {
	a.Shl(32, x86.R(regWork2), x86.Imm(int64(bits.TrailingZeros(aheadSteps))))
}

// prefetch asks for the memory of a warp's consecutive elements at an offset.
func (e *emitter) prefetch(k kind, at x86.Reg) {
	ask := e.a.Prefetch
	if k.store {
		ask = e.a.PrefetchW
	}
	for i := int32(0); i < lane.Width*int32(k.size()); i += 64 {
		ask(x86.At(regHost, i).Index(at, 1))
	}
}

// aheadOfHalves is ahead for other accesses. Elements are often members of structures that follow each
// other, so it asks for twice as much as the elements of each half-warp have. It needs the offsets
// of the accessor's check.
func (e *emitter) aheadOfHalves(k kind) {
	v := e.accessor()
	v.offset(0, regWork0)
	findPace(e.a, siteStride, func(x86.Operand) {})
	for half := range 2 {
		if half > 0 {
			v.offset(half, regWork0)
		}
		e.a.Add(32, x86.R(regWork0), x86.R(regWork2))
		e.prefetch(k, regWork0)
	}
}

// ahead asks for the texels after those that start at the offset in regWork0, one after the other in
// a part of the warp.
func (r *reader) ahead() {
	if r.part == 0 {
		findPace(r.Assembler, viewStride, func(x86.Operand) {})
	} else {
		r.Mov(32, x86.R(regWork2), paceAt(viewStride))
		stepsAhead(r.Assembler)
	}
	r.Add(32, x86.R(regWork2), x86.R(regWork0))
	r.Prefetch(x86.At(regTexels, 0).Index(regWork2, 1))
}
