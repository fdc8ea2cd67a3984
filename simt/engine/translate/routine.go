package translate

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/lane"
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
// An access does nothing but set the carry if the interpreter must execute it. Usual patterns of
// addresses have code of their own, which is emitted after the rest.
func (e *emitter) emit(x routine) {
	e.a.Bind(e.routines[x])
	k, v := x.kind, e.accessor()
	if x.cost {
		e.countCost(k)
		e.a.Ret()
		return
	}
	fail, cost := e.a.NewLabel(), e.a.NewLabel()
	var usual []func()
	v.takeLanes()
	knownFirst := k.space == program.SpaceShared // in other spaces consecutive elements also prefetch
	if knownFirst {
		v.moveKnown(k, fail)
	}
	if k.space == program.SpaceGlobal || k.space == program.SpaceShared {
		usual = append(usual, v.runs(k, fail, cost))
	}
	if !knownFirst {
		v.moveKnown(k, fail)
	}
	switch {
	case k.space == program.SpaceLocal && k.size() >= 4:
		usual = append(usual, v.sameRow(k, fail, cost))
	case k.space != program.SpaceLocal && k.size() == 4 && !k.store:
		if e.wide() {
			usual = append(usual, v.oneWord(k, fail))
		}
		usual = append(usual, v.sameWord(k, fail, cost))
	}
	v.moveAny(k, fail)
	e.a.Bind(cost)
	e.a.Call(e.routineFor(routine{kind{k.space, false, k.typ}, true}))
	e.succeed()
	for _, f := range usual {
		f()
	}
	e.a.Bind(fail)
	e.a.Cmp(32, x86.R(x86.RSP), x86.Imm(-1)) // carry
	e.a.Ret()
}

// moveAny moves elements anywhere in the window.
func (e accessor) moveAny(k kind, fail x86.Label) {
	e.window(k)
	e.a.Sub(32, x86.R(regWork1), x86.Imm(int64(k.size())))
	e.a.Jcc(x86.B, fail)
	e.check(k, fail)
	if k.space == program.SpaceGlobal {
		e.aheadOfHalves(k)
	}
	e.moveAt(k)
}

// succeed returns without carry.
func (e *emitter) succeed() {
	e.a.Test(32, x86.R(regLanes), x86.R(regLanes))
	e.a.Ret()
}

// widened is the operation that loads elements of a kind as words.
func widened(k kind) x86.VOp {
	switch {
	case k.size() == 1 && k.signed():
		return x86.VPMOVSXBD
	case k.size() == 1:
		return x86.VPMOVZXBD
	case k.signed():
		return x86.VPMOVSXWD
	}
	return x86.VPMOVZXWD
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

// runs emits the test for a whole warp that accesses consecutive elements, or whose half-warps do.
// It returns a function that emits the code for such warps.
func (e accessor) runs(k kind, fail, cost x86.Label) func() {
	run, apart, size := e.a.NewLabel(), e.a.NewLabel(), int32(k.size())
	halves := size == 4
	e.ifRun(k, run)
	return func() {
		e.a.Bind(run)
		e.first(regWork0, addresses, 0)
		if halves {
			e.first(regWork2, addresses, 1)
			e.a.Lea(32, regHost, x86.At(regWork0, 16*size))
			e.a.Cmp(32, x86.R(regWork2), x86.R(regHost))
			e.a.Jcc(x86.NE, apart)
		}
		if k.space == program.SpaceGlobal {
			e.a.Sub(32, x86.R(regWork0), siteLow)
		}
		e.window(k)
		if size > 1 {
			e.a.Test(32, x86.R(regWork0), x86.Imm(int64(size-1)))
			e.a.Jcc(x86.NE, fail)
		}
		e.a.Lea(64, regWork2, x86.At(regWork0, 32*size))
		e.a.Cmp(64, x86.R(regWork2), x86.R(regWork1))
		e.a.Jcc(x86.A, fail)
		if k.space == program.SpaceGlobal {
			e.ahead(k)
		}
		e.moveRun(k, x86.At(regHost, 0).Index(regWork0, 1))
		e.costOfRun(k, cost)
		e.succeed()
		if halves {
			e.a.Bind(apart)
			e.window(k)
			e.inWindow(k, 16*size, fail)
			e.moveRuns(k)
			e.costOfRuns(k, cost)
			e.succeed()
		}
	}
}

// oneWord emits the test for a whole warp that loads one word. It returns a function that emits the
// code.
func (e accessor) oneWord(k kind, fail x86.Label) func() {
	one := e.a.NewLabel()
	e.ifOne(one)
	return func() {
		e.a.Bind(one)
		e.window(k)
		e.first(regWork0, addresses, 0)
		if k.space == program.SpaceGlobal {
			e.a.Sub(32, x86.R(regWork0), siteLow)
		}
		e.a.Test(32, x86.R(regWork0), x86.Imm(3))
		e.a.Jcc(x86.NE, fail)
		e.a.Lea(64, regWork2, x86.At(regWork0, 4))
		e.a.Cmp(64, x86.R(regWork2), x86.R(regWork1))
		e.a.Jcc(x86.A, fail)
		word := x86.At(regHost, 0).Index(regWork0, 1)
		e.loadSame(k, word, word)
		var c mem.Cost
		switch k.space {
		case program.SpaceGlobal:
			c.Device.Count(new(lane.Row), lane.All, 4)
			e.addTraffic(c.Device)
		case program.SpaceShared:
			c.Shared.CountShared(new(lane.Row), lane.All, 4)
			e.addSteps(atShared, c.Shared)
		default:
			c.Const.CountConst(new(lane.Row), lane.All)
			e.addSteps(atConst, c.Const)
		}
		e.succeed()
	}
}

// sameWord emits the test for half-warps whose lanes load one word. It returns a function that
// emits the code.
func (e accessor) sameWord(k kind, fail, cost x86.Label) func() {
	same := e.a.NewLabel()
	e.ifHalvesSame(same)
	return func() {
		e.a.Bind(same)
		e.window(k)
		e.sameAddresses()
		e.inWindow(k, 4, fail)
		e.loadSame(k, x86.At(regHost, 0).Index(regWork0, 1), x86.At(regHost, 0).Index(regWork2, 1))
		switch k.space {
		case program.SpaceGlobal:
			e.a.Cmp(32, x86.R(regLanes), x86.Imm(-1))
			e.a.Jcc(x86.NE, cost)
			var c mem.Traffic
			c.Count(new(lane.Row), lane.All, k.size())
			e.addTraffic(c)
		case program.SpaceShared:
			e.halvesOf(x86.R(regLanes), regWork0, regWork1)
			e.addCount(unsafe.Offsetof(mem.Access{}.Singles), x86.R(regWork0))
		default:
			e.halvesOf(x86.R(regLanes), regWork0, regWork1)
			for _, field := range []uintptr{unsafe.Offsetof(mem.Steps{}.Accesses), unsafe.Offsetof(mem.Steps{}.Single), unsafe.Offsetof(mem.Steps{}.Steps)} {
				e.addCount(atConst+field, x86.R(regWork0))
			}
		}
		e.succeed()
	}
}

// inWindow turns addresses of words in regWork0 and regWork2 into offsets from regHost. It fails if
// words are not aligned, or if fewer than bytes bytes follow in the window.
func (e *emitter) inWindow(k kind, bytes int32, fail x86.Label) {
	if k.space == program.SpaceGlobal {
		e.a.Sub(32, x86.R(regWork0), siteLow)
		e.a.Sub(32, x86.R(regWork2), siteLow)
	}
	e.a.Mov(32, x86.R(regSite), x86.R(regWork0))
	e.a.Or(32, x86.R(regSite), x86.R(regWork2))
	e.a.Test(32, x86.R(regSite), x86.Imm(int64(k.size()-1)))
	e.a.Jcc(x86.NE, fail)
	e.a.Sub(32, x86.R(regWork1), x86.Imm(int64(bytes)))
	e.a.Jcc(x86.B, fail)
	e.a.Cmp(32, x86.R(regWork0), x86.R(regWork1))
	e.a.Jcc(x86.A, fail)
	e.a.Cmp(32, x86.R(regWork2), x86.R(regWork1))
	e.a.Jcc(x86.A, fail)
}

// sameRow is sameWord for local memory, where one address means a row for each word of the
// elements.
func (e accessor) sameRow(k kind, fail, cost x86.Label) func() {
	same := e.a.NewLabel()
	e.ifSame(same)
	return func() {
		e.a.Bind(same)
		e.window(k)
		e.a.Mov(32, x86.R(regWork0), x86.R(regWork2))
		e.inWindow(k, int32(k.size()), fail)
		e.a.Shl(64, x86.R(regWork2), x86.Imm(int64(bits.TrailingZeros32(uint32(rowBytes)/4))))
		e.a.Add(64, x86.R(regHost), x86.R(regWork2))
		e.moveRows(k)
		e.a.Cmp(32, x86.R(regLanes), x86.Imm(-1))
		e.a.Jcc(x86.NE, cost)
		e.addCount(unsafe.Offsetof(mem.Access{}.Wholes), x86.Imm(int64(k.words())))
		e.succeed()
	}
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

// elementOffsets is a row of the lanes' offsets in an array of elements of size bytes.
func (e *emitter) elementOffsets(size uint32) x86.Operand {
	return e.constantRow(func(i int) uint32 { return size * uint32(i) })
}

func (e *emitter) vec(op x86.VOp, d, s vector.Vec, rm x86.Operand) {
	e.a.V(x86.Ins{Op: op, L: e.width, D: uint8(d), S: uint8(s), RM: rm})
}

// shiftBy emits a shift by an immediate.
func (e *emitter) shiftBy(op x86.VOp, d, s vector.Vec, n int) {
	e.a.V(x86.Ins{Op: op, L: e.width, D: uint8(d), RM: r(s), Imm: uint8(n)})
}

func r(v vector.Vec) x86.Operand { return x86.V(uint8(v)) }
