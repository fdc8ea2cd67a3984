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

// ahead asks for memory that the instruction will access soon, if it goes on by the same distance as
// from the last access to that of the offset in regWork0. Accesses are to consecutive elements.
func (e *emitter) ahead(k kind) {
	e.pace(func(pace x86.Operand) { // nobody asked for the memory between
		e.a.Mov(32, x86.R(regWork2), x86.R(regWork0))
		for range aheadSteps - 1 {
			e.a.Add(32, x86.R(regWork2), pace)
			e.prefetch(k, regWork2)
		}
	})
	e.a.Add(32, x86.R(regWork2), x86.R(regWork0))
	e.prefetch(k, regWork2)
}

// pace puts in regWork2 how far the instruction will go on, and keeps the offset in regWork0 as
// that of the last access. A distance counts once it is met twice in a row: others come where turns
// of warps end. Where the step changes, it runs what jump emits, which may change regWork2.
func (e *emitter) pace(jump func(pace x86.Operand)) {
	last, step, pace := siteAt(unsafe.Offsetof(site{}.last)), siteAt(unsafe.Offsetof(site{}.step)), siteAt(unsafe.Offsetof(site{}.pace))
	again := e.a.NewLabel()
	e.a.Mov(32, x86.R(regWork2), x86.R(regWork0))
	e.a.Sub(32, x86.R(regWork2), last)
	e.a.Mov(32, last, x86.R(regWork0))
	e.a.Cmp(32, step, x86.R(regWork2))
	e.a.Mov(32, step, x86.R(regWork2))
	e.a.Jcc(x86.E, again)
	jump(pace)
	e.a.Mov(32, x86.R(regWork2), pace)
	e.a.Bind(again)
	e.a.Mov(32, pace, x86.R(regWork2))
	e.a.Shl(32, x86.R(regWork2), x86.Imm(int64(bits.TrailingZeros(aheadSteps))))
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
	e.pace(func(x86.Operand) {})
	for half := range 2 {
		if half > 0 {
			v.offset(half, regWork0)
		}
		e.a.Add(32, x86.R(regWork0), x86.R(regWork2))
		e.prefetch(k, regWork0)
	}
}
