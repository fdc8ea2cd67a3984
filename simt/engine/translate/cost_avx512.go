package translate

import (
	"unsafe"

	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/mem"
)

func (e accessor512) spreadAddresses() {
	const place = work0
	for part := range 2 {
		at := addr0 + vector.Vec(part)
		e.vec(x86.VPANDD, place, at, operand(e.Literal(3)))
		e.spread(at, at, part)
		e.vec(x86.VPADDD, at, at, r(place))
	}
}

func (e accessor512) lowest(half int) {
	addr := addr0 + vector.Vec(half)
	e.a.V(x86.Ins{Op: x86.VPCOMPRESSD, L: x86.Z, D: uint8(work0), RM: r(addr), K: uint8(lanesLow + half), Zero: true})
	e.a.V(x86.Ins{Op: x86.VMOVDR, D: uint8(regWork1), RM: r(work0)})
}

func (e accessor512) inOrder(half int, size uint32) {
	order := e.constantRow(func(i int) uint32 { return size * uint32(i%16) })
	e.vec(x86.VPBROADCASTD, work0, 0, x86.R(regWork1))
	e.vec(x86.VPADDD, work0, work0, order)
	e.compare(x86.VPCMPEQD, test0, lanesLow+half, work0, r(addr0+vector.Vec(half)), 0)
	e.toGeneral(regWork0, test0)
}

func (e accessor512) bit(half, n int, to x86.Reg) {
	e.compare(x86.VPTESTMD, test0, lanesLow+half, addr0+vector.Vec(half), operand(e.Literal(1<<n)), 0)
	e.toGeneral(to, test0)
}

func (e accessor512) ifApart(half, log int, apart x86.Label) {
	const groups, others = work0, work0 + 1
	near := e.a.NewLabel()
	e.shiftBy(x86.VPSRLDi, groups, addr0+vector.Vec(half), log)
	e.a.V(x86.Ins{Op: x86.VALIGND, L: x86.Z, D: uint8(others), S: uint8(groups), RM: r(groups), Imm: 1})
	e.compare(x86.VPCMPEQD, test0, lanesLow+half, groups, r(others), 0)
	e.a.V(x86.Ins{Op: x86.KORTESTW, D: test0, RM: x86.K(test0)})
	e.a.Jcc(x86.NE, near) // the usual case
	e.vec(x86.VPCONFLICTD, others, 0, r(groups))
	e.compare(x86.VPTESTMD, test0, lanesLow+half, others, r(others), 0)
	e.a.V(x86.Ins{Op: x86.KORTESTW, D: test0, RM: x86.K(test0)})
	e.a.Jcc(x86.E, apart)
	e.a.Bind(near)
}

// group leaves the groups in work0 too.
func (e accessor512) group(half, log int) {
	e.shiftBy(x86.VPSRLDi, work0, addr0+vector.Vec(half), log)
	e.vec(x86.VMOVDQU32Store, work0, 0, scratchAt(0, 0))
}

func (e accessor512) alike(half int) {
	e.vec(x86.VPBROADCASTD, work0+1, 0, scratchAt(0, 0).Index(regWork0, 4))
	e.compare(x86.VPCMPEQD, test0, lanesLow+half, work0, r(work0+1), 0)
	e.toGeneral(regWork1, test0)
}

func (e accessor512) distinct(half int) {
	lanes := lanesLow + half
	apart := e.constantRow(func(i int) uint32 { return 1<<16 + uint32(i) })
	e.vec(x86.VMOVDQU32, work0, 0, apart) // idle lanes have addresses of their own
	e.a.V(x86.Ins{Op: x86.VMOVDQA32, L: x86.Z, D: uint8(work0), RM: r(addr0 + vector.Vec(half)), K: uint8(lanes)})
	e.vec(x86.VPCONFLICTD, work0, 0, r(work0))
	e.compare(x86.VPTESTNMD, test0, lanes, work0, r(work0), 0)
	e.toGeneral(regHost, test0)
	e.a.Popcnt(32, regHost, x86.R(regHost))
}

// sharedCost looks at both half-warps at once. Lanes that wait for their step are in the mask
// registers of the half-warps.
func (e accessor512) sharedCost(words int64) {
	const word, earlier = work0, work0 + 2 // and the next; the lower lanes that use the same bank
	some, done := e.a.NewLabel(), e.a.NewLabel()
	e.start()
	apart := e.constantRow(func(i int) uint32 { return uint32(16 + i) })
	for half := range 2 {
		w, b, lanes := word+vector.Vec(half), earlier+vector.Vec(half), lanesLow+half
		e.shiftBy(x86.VPSRLDi, w, addr0+vector.Vec(half), 2)
		e.vec(x86.VMOVDQU32, b, 0, apart) // idle lanes have no bank
		e.a.V(x86.Ins{Op: x86.VPANDD, L: x86.Z, D: uint8(b), S: uint8(w), RM: operand(e.Literal(15)), K: uint8(lanes)})
		e.vec(x86.VPCONFLICTD, b, 0, r(b))
	}
	e.testBoth(earlier)
	e.a.Jcc(x86.NE, some)
	e.halvesOf(x86.R(regLanes), regWork0, regWork1)
	e.addTimes(unsafe.Offsetof(mem.Access{}.Singles), regWork0, words)
	e.a.Jmp(done)
	e.a.Bind(some)
	e.steps(word, earlier)
	e.countBoth(words)
	e.a.Bind(done)
}

// testBoth sets the zero flag if the lanes of both half-warps have no bit in two vectors.
func (e accessor512) testBoth(v vector.Vec) {
	for half := range 2 {
		at := v + vector.Vec(half)
		e.compare(x86.VPTESTMD, test0+uint8(half), lanesLow+half, at, r(at), 0)
	}
	e.a.V(x86.Ins{Op: x86.KORTESTW, D: test0, RM: x86.K(test1)})
}

// The steps of the half-warps.
var stepsOf = [2]x86.Reg{regHost, regWork2}

// steps computes stepsOf. It changes the addresses.
func (e accessor512) steps(word, earlier vector.Vec) {
	shared, next, each, done := e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel()
	for half, n := range stepsOf {
		e.a.Xor(32, x86.R(n), x86.R(n))
		e.vec(x86.VPCONFLICTD, addr0+vector.Vec(half), 0, r(word+vector.Vec(half)))
	}
	e.testBoth(addr0)
	e.a.Jcc(x86.NE, shared)
	// All words differ, so each step serves one lane of every bank.
	e.a.Bind(each)
	for half, n := range stepsOf {
		e.oneStep(half, n)
		t, b := addr0+vector.Vec(half), earlier+vector.Vec(half)
		e.compare(x86.VPTESTMD, lanesLow+uint8(half), lanesLow+half, b, r(b), 0)
		e.vec(x86.VPADDD, t, b, operand(e.Literal(1<<32-1)))
		e.vec(x86.VPANDD, b, b, r(t)) // one bit less
	}
	e.a.V(x86.Ins{Op: x86.KORTESTW, D: lanesLow, RM: x86.K(lanesHigh)})
	e.a.Jcc(x86.NE, each)
	e.a.Jmp(done)

	e.a.Bind(shared)
	e.a.Bind(next)
	for half, n := range stepsOf {
		e.oneStep(half, n)
		t, w, lanes := addr0+vector.Vec(half), word+vector.Vec(half), lanesLow+half
		e.broadcastLowest(t, w, lanes)
		e.compare(x86.VPCMPEQD, test0, lanes, w, r(t), 0)
		e.vec(x86.VPBROADCASTD, t, 0, x86.R(regWork0))
		e.compare(x86.VPTESTNMD, test1, lanes, earlier+vector.Vec(half), r(t), 0)
		e.a.V(x86.Ins{Op: x86.KORW, D: test0, S: test0, RM: x86.K(test1)})
		e.a.V(x86.Ins{Op: x86.KANDNW, D: uint8(lanes), S: test0, RM: x86.K(uint8(lanes))})
	}
	e.a.V(x86.Ins{Op: x86.KORTESTW, D: lanesLow, RM: x86.K(lanesHigh)})
	e.a.Jcc(x86.NE, next)
	e.a.Bind(done)
}

// oneStep adds a step if lanes of a half-warp wait, and puts these in regWork0.
func (e accessor512) oneStep(half int, steps x86.Reg) {
	e.toGeneral(regWork0, uint8(lanesLow+half))
	e.a.Cmp(32, x86.R(regWork0), x86.Imm(1)) // carry: none
	e.a.Sbb(32, x86.R(steps), x86.Imm(-1))
}

// countBoth counts the accesses of words of the half-warps, whose steps are in stepsOf: those
// without lanes have none.
func (e accessor512) countBoth(words int64) {
	at := func(field uintptr) uintptr { return atShared + field }
	e.halvesOf(x86.R(regLanes), regWork0, regWork1)
	e.addTimes(at(unsafe.Offsetof(mem.Steps{}.Accesses)), regWork0, words)
	for _, n := range stepsOf {
		e.a.Xor(32, x86.R(regWork0), x86.R(regWork0))
		e.a.Cmp(32, x86.R(n), x86.Imm(1))
		e.a.Setcc(x86.E, x86.R(regWork0))
		e.addTimes(at(unsafe.Offsetof(mem.Steps{}.Single)), regWork0, words)
		e.addTimes(at(unsafe.Offsetof(mem.Steps{}.Steps)), n, words)
	}
}

// addTimes adds a number, so many times, to a field of the counts of the instruction's accesses.
func (e accessor512) addTimes(field uintptr, n x86.Reg, times int64) {
	if times > 1 {
		e.a.ImulImm(32, n, x86.R(n), int32(times))
	}
	e.addCount(field, x86.R(n))
}
