package translate

import (
	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
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

// earlier has the lower lanes that use the same bank, for each lane of a half-warp.
const earlier = work0 + 1

func (e accessor512) ifConflict(half int, some x86.Label) {
	const word = work0
	lanes := lanesLow + half
	apart := e.constantRow(func(i int) uint32 { return uint32(16 + i) })
	e.shiftBy(x86.VPSRLDi, word, addr0+vector.Vec(half), 2)
	e.vec(x86.VMOVDQU32, earlier, 0, apart) // idle lanes have no bank
	e.a.V(x86.Ins{Op: x86.VPANDD, L: x86.Z, D: uint8(earlier), S: uint8(word), RM: operand(e.Literal(15)), K: uint8(lanes)})
	e.vec(x86.VPCONFLICTD, earlier, 0, r(earlier))
	e.compare(x86.VPTESTMD, test0, lanes, earlier, r(earlier), 0)
	e.a.V(x86.Ins{Op: x86.KORTESTW, D: test0, RM: x86.K(test0)})
	e.a.Jcc(x86.NE, some)
}

func (e accessor512) steps(half int) {
	const word, shared, waiting = work0, work0 + 2, work0 + 3
	lanes := lanesLow + half
	some, next, done := e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel()
	e.vec(x86.VPCONFLICTD, shared, 0, r(word))
	e.compare(x86.VPTESTMD, test0, lanes, shared, r(shared), 0)
	e.a.V(x86.Ins{Op: x86.KORTESTW, D: test0, RM: x86.K(test0)})
	e.a.Jcc(x86.NE, some)
	// All words differ, so each step serves one lane of every bank.
	each := e.a.NewLabel()
	e.a.Mov(32, x86.R(regHost), x86.Imm(1))
	e.a.Bind(each)
	e.a.Inc(32, x86.R(regHost))
	e.vec(x86.VPADDD, waiting, earlier, operand(e.Literal(1<<32-1)))
	e.vec(x86.VPANDD, earlier, earlier, r(waiting)) // one bit less
	e.compare(x86.VPTESTMD, test0, lanes, earlier, r(earlier), 0)
	e.a.V(x86.Ins{Op: x86.KORTESTW, D: test0, RM: x86.K(test0)})
	e.a.Jcc(x86.NE, each)
	e.a.Jmp(done)

	e.a.Bind(some)
	e.vec(x86.VMOVDQU32Store, word, 0, scratchAt(0, 0))
	e.a.Xor(32, x86.R(regHost), x86.R(regHost))
	e.a.Bind(next)
	e.a.Inc(32, x86.R(regHost))
	e.a.Tzcnt(32, regWork0, x86.R(regWork2))
	e.vec(x86.VPBROADCASTD, shared, 0, scratchAt(0, 0).Index(regWork0, 4))
	e.compare(x86.VPCMPEQD, test0, lanes, word, r(shared), 0)
	e.vec(x86.VPBROADCASTD, waiting, 0, x86.R(regWork2))
	e.compare(x86.VPTESTNMD, test1, lanes, earlier, r(waiting), 0)
	e.a.V(x86.Ins{Op: x86.KORW, D: test0, S: test0, RM: x86.K(test1)})
	e.toGeneral(regWork0, test0)
	e.a.Andn(32, regWork2, regWork0, x86.R(regWork2))
	e.a.Jcc(x86.NE, next)
	e.a.Bind(done)
}
