package translate

import (
	"unsafe"

	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/simt/program"
)

// moveHalves moves words half-warp by half-warp: at once if the words are consecutive or all the
// same. It counts the known costs of such half-warps. Whole warps were tried before.
func (e accessor512) moveHalves(k kind) {
	whole, moved := e.a.NewLabel(), e.a.NewLabel()
	e.a.Cmp(32, x86.R(regLanes), x86.Imm(-1))
	e.a.Jcc(x86.E, whole)
	e.a.Xor(32, x86.R(regKnown), x86.R(regKnown))
	e.eachHalf(func(half int) {
		apart, scattered, done := e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel()
		e.moveConsecutive(k, half, apart, done)
		e.a.Jmp(done)
		e.a.Bind(apart)
		if !k.store {
			e.ifEqual(work0+vector.Vec(half), half, scattered)
			e.loadPart(half, x86.At(regHost, 0).Index(regWork0, 1))
			e.knownHalf(k, half, new(lane.Row), done)
			e.a.Jmp(done)
		}
		e.a.Bind(scattered)
		e.moveWord(k, half, 0, work0+vector.Vec(half))
		e.a.Bind(done)
	})
	e.a.Andn(32, regLanes, regKnown, x86.R(regLanes))
	e.a.Jmp(moved)
	e.a.Bind(whole)
	e.moveWords(k)
	e.a.Bind(moved)
}

// regKnown has the lanes whose costs moveHalves has counted.
const regKnown = regSite

func (e accessor512) loadPart(part int, from x86.Operand) {
	e.vec(x86.VPBROADCASTD, data0+vector.Vec(part), 0, from)
}

// moveConsecutive moves the words of a half-warp if they are consecutive; otherwise it jumps.
func (e accessor512) moveConsecutive(k kind, half int, apart, done x86.Label) {
	const near = work0 + 3
	e.vec(x86.VPSUBD, near, work0+vector.Vec(half), e.elementOffsets(4))
	e.ifEqual(near, half, apart)
	e.a.MovSX(64, regWork0, 32, x86.R(regWork0)) // lane 0 may lie before the memory
	move := x86.Ins{Op: x86.VMOVDQU32, L: x86.Z, Zero: true, K: uint8(lanesLow + half)}
	if k.store {
		move.Op, move.Zero = x86.VMOVDQU32Store, false
	}
	move.D, move.RM = uint8(data0)+uint8(half), x86.At(regHost, 0).Index(regWork0, 1)
	e.a.V(move)
	if k.space == program.SpaceGlobal { // allocations begin at whole pages
		e.a.Test(32, x86.R(regWork0), x86.Imm(63))
		e.a.Jcc(x86.NE, done)
	}
	e.knownHalf(k, half, elements(4), done)
}

// ifEqual puts in regWork0 the word that the lanes of a half-warp, which are in regWork2, have in
// common. If words differ, it jumps.
func (e accessor512) ifEqual(v vector.Vec, half int, not x86.Label) {
	const lowest = work0 + 2
	lanes := lanesLow + half
	e.broadcastLowest(lowest, v, lanes)
	e.a.V(x86.Ins{Op: x86.VMOVDR, D: uint8(regWork0), RM: r(lowest)})
	e.compare(x86.VPCMPD, test0, lanes, v, r(lowest), x86.CmpNE)
	e.a.V(x86.Ins{Op: x86.KORTESTW, D: test0, RM: x86.K(test0)})
	e.a.Jcc(x86.NE, not)
}

// knownHalf counts the access of a half-warp to words that lie like the words of a row. It jumps to
// unknown if the cost depends on the lanes.
func (e accessor512) knownHalf(k kind, half int, row *lane.Row, unknown x86.Label) {
	lanes := lane.Mask(0xffff) << (16 * half)
	if k.space == program.SpaceShared {
		e.addCount(unsafe.Offsetof(mem.Access{}.Singles), x86.Imm(1))
	} else {
		e.a.Cmp(32, x86.R(regWork2), x86.Imm(0xffff))
		e.a.Jcc(x86.NE, unknown)
		var c mem.Traffic
		c.Count(row, lanes, k.size())
		e.addTraffic(c)
	}
	e.a.Or(32, x86.R(regKnown), x86.Imm(int64(lanes)))
}
