package translate

import (
	"encoding/binary"
	"unsafe"

	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/mem"
	"jacquard/simt/program"
)

// General registers that accesses change.
const (
	regHost  = x86.R9
	regWork0 = x86.RDX
	regWork1 = x86.R8
	regWork2 = x86.R11
)

// emit emits the code of a routine.
//
// An access does nothing but set the carry if the interpreter must execute it.
func (e *emitter) emit(x routine) {
	e.a.Bind(e.routines[x])
	if x.cost {
		e.countCost(x.kind)
		e.a.Ret()
		return
	}
	k, v := x.kind, e.accessor()
	fail, cost, after := e.a.NewLabel(), e.a.NewLabel(), func() {}
	v.start()
	if k.size() == 4 && (k.space == program.SpaceGlobal || k.space == program.SpaceShared) {
		after = e.runs(k, fail, cost)
	}
	e.window(k)
	e.a.Sub(32, x86.R(regWork1), x86.Imm(int64(k.size())))
	e.a.Jcc(x86.B, fail)
	v.check(k, fail)
	v.move(k)
	e.a.Bind(cost)
	e.a.Call(e.routineFor(routine{kind{k.space, false, k.typ}, true}))
	e.succeed()
	after()
	e.a.Bind(fail)
	e.a.Cmp(32, x86.R(x86.RSP), x86.Imm(-1)) // carry
	e.a.Ret()
}

// succeed returns without carry.
func (e *emitter) succeed() {
	e.a.Test(32, x86.R(regLanes), x86.R(regLanes))
	e.a.Ret()
}

// window puts the first byte of the memory of an access in regHost, and its size in regWork1.
func (e *emitter) window(k kind) {
	size, host := siteAt(unsafe.Offsetof(site{}.size)), siteAt(unsafe.Offsetof(site{}.host))
	switch k.space {
	case program.SpaceShared:
		size, host = frSharedSize, x86.R(regShared)
	case program.SpaceLocal:
		size, host = frLocalSize, frLocal
	case program.SpaceConst:
		size, host = x86.R(regWork0), x86.R(regSite)
	}
	e.a.Mov(32, x86.R(regWork1), size)
	e.a.Mov(64, x86.R(regHost), host)
}

// siteAt returns the operand of a field of the site.
func siteAt(offset uintptr) x86.Operand { return x86.At(regSite, int32(offset)) }

var siteLow = siteAt(unsafe.Offsetof(site{}.low))

// runs emits the test for a whole warp that accesses consecutive words, the usual case. The code
// for it is emitted by the function returned.
func (e *emitter) runs(k kind, fail, cost x86.Label) func() {
	run, v := e.a.NewLabel(), e.accessor()
	v.ifRun(run)
	return func() {
		e.a.Bind(run)
		v.first(regWork0)
		if k.space == program.SpaceGlobal {
			e.a.Sub(32, x86.R(regWork0), siteLow)
		}
		e.window(k)
		e.a.Test(32, x86.R(regWork0), x86.Imm(3))
		e.a.Jcc(x86.NE, fail)
		e.a.Lea(64, regWork2, x86.At(regWork0, rowBytes))
		e.a.Cmp(64, x86.R(regWork2), x86.R(regWork1))
		e.a.Jcc(x86.A, fail)
		v.moveRun(k)
		if k.space == program.SpaceShared {
			e.addCount(unsafe.Offsetof(mem.Access{}.Singles), x86.Imm(2))
		} else {
			v.first(regWork0)
			e.a.Test(32, x86.R(regWork0), x86.Imm(63))
			e.a.Jcc(x86.NE, cost)
			e.addCount(unsafe.Offsetof(mem.Access{}.Wholes), x86.Imm(1))
		}
		e.succeed()
	}
}

// elementStep is the distance of the words of an element.
func elementStep(k kind) int32 {
	if k.space == program.SpaceLocal {
		return rowBytes
	}
	return 4
}

// addCount adds to a field of the counts of the instruction's accesses.
func (e *emitter) addCount(field uintptr, n x86.Operand) {
	e.a.Add(64, x86.At(regCount, int32(field)), n)
}

// constantRow returns the first of 32 words in memory.
func (e *emitter) constantRow(word func(lane int) uint32) x86.Operand {
	var data [rowBytes]byte
	for i := range 32 {
		binary.LittleEndian.PutUint32(data[4*i:], word(i))
	}
	return e.a.Const(data[:], 64)
}

// laneOffsets is a row of the lanes' offsets in a row of words.
func (e *emitter) laneOffsets() x86.Operand {
	return e.constantRow(func(i int) uint32 { return 4 * uint32(i) })
}

// vec emits a vector instruction.
func (e *emitter) vec(op x86.VOp, d, s vector.Vec, rm x86.Operand) {
	e.a.V(x86.Ins{Op: op, L: e.width, D: uint8(d), S: uint8(s), RM: rm})
}

// shiftBy emits a shift by an immediate.
func (e *emitter) shiftBy(op x86.VOp, d, s vector.Vec, n int) {
	e.a.V(x86.Ins{Op: op, L: e.width, D: uint8(d), RM: r(s), Imm: uint8(n)})
}

func r(v vector.Vec) x86.Operand { return x86.V(uint8(v)) }
