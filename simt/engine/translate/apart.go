package translate

import (
	"math/bits"

	"jacquard/simt/engine/translate/x86"
)

// Elements of several words in device memory are moved as wholes: package mem says why. Code moves
// them between registers and memory of the frame as those of a run, and copies each from there, or
// to there, by one access.

// nearAt returns where the element of lane 0 is in the frame, or a place from there on. Scratch row
// 0 has the offsets of the elements.
func nearAt(offset int32) x86.Operand { return scratchAt(1, offset) }

// moveApart moves elements of several words that lie apart in device memory, in the order of lanes.
func (e *emitter) moveApart(k kind) {
	size, v := int32(k.size()), e.accessor()
	some, moved := e.a.NewLabel(), e.a.NewLabel()
	copyLane := func(near x86.Operand, off x86.Reg) {
		to, from := near, x86.At(regHost, 0).Index(off, 1)
		if k.store {
			to, from = from, to
		}
		v.copyElement(k, to, from)
	}
	if k.store {
		v.moveRun(k, nearAt(0))
	}
	e.a.Cmp(32, x86.R(regLanes), x86.Imm(-1))
	e.a.Jcc(x86.NE, some)
	for n := range int32(32) {
		e.a.Mov(32, x86.R(regWork0), scratchAt(0, 4*n))
		copyLane(nearAt(n*size), regWork0)
	}
	e.a.Jmp(moved)
	e.a.Bind(some)
	e.eachLane(func() {
		e.a.Shl(32, x86.R(regWork0), x86.Imm(int64(bits.TrailingZeros32(k.size()))))
		copyLane(nearAt(0).Index(regWork0, 1), regSite)
	})
	e.a.Bind(moved)
	if !k.store {
		v.moveRun(k, nearAt(0))
	}
}
