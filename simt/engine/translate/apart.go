package translate

import (
	"math/bits"

	"jacquard/simt/engine/translate/x86"
)

// Elements of several words in device memory are moved as wholes: package mem says why. If some
// lanes are idle, code moves elements between registers and the frame like a run, and copies each
// element between the frame and device memory by one access. For whole warps each level has shorter
// code.

// nearAt returns the place of elements of several words in the frame, at an offset from lane 0's
// place. Scratch row 0 has the offsets of the elements in device memory.
func nearAt(offset int32) x86.Operand { return scratchAt(1, offset) }

// moveApart moves elements of several words that lie apart in device memory, in the order of lanes.
func (e accessor) moveApart(k kind) {
	some, moved := e.a.NewLabel(), e.a.NewLabel()
	e.ifSomeIdle(some)
	e.own().moveWarp(k)
	e.a.Jmp(moved)
	e.a.Bind(some)
	if k.store {
		e.moveRun(k, nearAt(0))
	}
	e.eachLane(func() {
		e.a.Shl(32, x86.R(regWork0), x86.Imm(int64(bits.TrailingZeros32(k.size()))))
		to, from := nearAt(0).Index(regWork0, 1), x86.At(regHost, 0).Index(regSite, 1)
		if k.store {
			to, from = from, to
		}
		e.copyElement(k, to, from)
	})
	if !k.store {
		e.moveRun(k, nearAt(0))
	}
	e.a.Bind(moved)
}

// placeOf returns the place of the element of a lane in device memory.
func (e *emitter) placeOf(lane int32) x86.Operand {
	e.a.Mov(32, x86.R(regWork0), scratchAt(0, 4*lane))
	return x86.At(regHost, 0).Index(regWork0, 1)
}

// moveLaneByLane loads elements of less than a word, or stores elements of up to a word, or of
// several words in local memory, in the order of lanes: of lanes at one address, the highest wins.
func (e *emitter) moveLaneByLane(k kind) {
	e.eachLane(func() {
		for i := range k.words() {
			data, at := dataAt(i, 0).Index(regWork0, 4), x86.At(regHost, rowBytes*int32(i)).Index(regSite, 1)
			switch size := int(8 * min(k.size(), 4)); {
			case k.store:
				e.a.Mov(32, x86.R(regWork1), data)
				e.a.Mov(size, at, x86.R(regWork1))
				continue
			case k.signed():
				e.a.MovSX(32, regWork1, size, at)
			default:
				e.a.MovZX(32, regWork1, size, at)
			}
			e.a.Mov(32, data, x86.R(regWork1))
		}
	})
}

// eachLane repeats code for each lane that accesses, in ascending order: with the lane in regWork0
// and its offset, from scratch row 0, in regSite. The code may change regWork1.
func (e *emitter) eachLane(f func()) {
	next := e.a.NewLabel()
	e.a.Mov(32, x86.R(regWork2), x86.R(regLanes))
	e.a.Bind(next)
	e.a.Tzcnt(32, regWork0, x86.R(regWork2))
	e.a.Mov(32, x86.R(regSite), scratchAt(0, 0).Index(regWork0, 4))
	f()
	e.a.Blsr(32, regWork2, x86.R(regWork2))
	e.a.Jcc(x86.NE, next)
}
