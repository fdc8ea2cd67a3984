package translate

import (
	"unsafe"

	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/lane"
	"jacquard/simt/program"
)

// Only AVX-512 moves words in windows: with AVX2, permutations of eight words are no faster than a
// gather.

// moveNear moves the words of half-warps in their windows. It jumps if a window begins outside the
// memory or ends there.
func (e accessor512) moveNear(k kind, outside x86.Label) {
	size, host := frSharedSize, x86.R(regShared)
	if k.space == program.SpaceGlobal {
		size, host = siteAt(unsafe.Offsetof(site{}.size)), siteAt(unsafe.Offsetof(site{}.host))
	}
	e.findOffsets(k, func(int, vector.Vec) {})
	places := [2]x86.Reg{regWork0, regWork2}
	for half, at := range places {
		e.first(at, offsets, half)
		e.a.Mov(32, x86.R(regHost), size)
		e.a.Sub(32, x86.R(regHost), patternEnds.Disp(4*int32(half)))
		e.a.Jcc(x86.B, outside)
		e.a.Cmp(32, x86.R(at), x86.R(regHost))
		e.a.Jcc(x86.A, outside)
	}
	e.a.Mov(64, x86.R(regHost), host)
	if k.space == program.SpaceGlobal {
		e.aheadOfHalves(k)
		for half, at := range places {
			e.first(at, offsets, half)
		}
	}
	for half, at := range places {
		d := data0 + vector.Vec(half)
		window := func(n int32) x86.Operand { return x86.At(regHost, 64*n).Index(at, 1) }
		for n := range int32(2) {
			e.a.V(x86.Ins{Op: x86.KMOVW, D: test0 + uint8(n), RM: patternUsed.Disp(4*int32(half) + 2*n)})
		}
		if k.store {
			for n := range int32(2) {
				e.vec(x86.VMOVDQU32, work0, 0, patternLanes.Disp(128*int32(half)+64*n))
				e.vec(x86.VPERMD, work0, work0, r(d))
				e.a.V(x86.Ins{Op: x86.VMOVDQU32Store, L: x86.Z, D: uint8(work0), RM: window(n), K: test0 + uint8(n)})
			}
			continue
		}
		for n := range int32(2) { // masks keep loads inside the memory
			e.a.V(x86.Ins{Op: x86.VMOVDQU32, L: x86.Z, D: uint8(work0) + uint8(n), RM: window(n), K: test0 + uint8(n), Zero: true})
		}
		e.vec(x86.VMOVDQU32, d, 0, patternPlaces.Disp(64*int32(half)))
		e.vec(x86.VPERMI2D, d, work0, r(work0+1))
	}
}

// learnWindows fills in how words move. It scatters the lanes' numbers to find the lane of a word:
// of several lanes with one word the highest, as in a scatter of their words.
func (e accessor512) learnWindows() {
	const place, lanes, none = work0, work0 + 1, work0 + 2
	far, window := e.a.NewLabel(), scratchAt(0, 0)
	for half := range int32(2) {
		at := addr0 + vector.Vec(half)
		e.vec(x86.VPBROADCASTD, place, 0, r(at))
		e.vec(x86.VPSUBD, place, at, r(place))
		e.shiftBy(x86.VPSRLDi, place, place, 2)
		e.compare(x86.VPCMPUD, test0, 0, place, operand(e.Literal(lane.Width-1)), x86.CmpGT)
		e.a.V(x86.Ins{Op: x86.KORTESTW, D: test0, RM: x86.K(test0)})
		e.a.Jcc(x86.NE, far)
		e.vec(x86.VMOVDQU32Store, place, 0, patternPlaces.Disp(64*half))
		e.vec(x86.VMOVDQU32, none, 0, e.constantRow(func(int) uint32 { return lane.Width }))
		e.vec(x86.VMOVDQU32Store, none, 0, window)
		e.vec(x86.VMOVDQU32Store, none, 0, window.Disp(64))
		e.vec(x86.VMOVDQU32, lanes, 0, e.constantRow(func(i int) uint32 { return uint32(i) }))
		e.a.V(x86.Ins{Op: x86.KXNORW, D: test0, S: test0, RM: x86.K(test0)})
		e.a.Lea(64, regWork0, window)
		e.a.V(x86.Ins{Op: x86.VPSCATTERDD, L: x86.Z, D: uint8(lanes), RM: x86.At(regWork0, 0).Gather(uint8(place), 4), K: test0})
		for n := range int32(2) {
			e.vec(x86.VMOVDQU32, lanes, 0, window.Disp(64*n))
			e.compare(x86.VPCMPD, test0, 0, lanes, r(none), x86.CmpNE)
			e.a.V(x86.Ins{Op: x86.KMOVWStore, D: test0, RM: patternUsed.Disp(4*half + 2*n)})
			e.vec(x86.VMOVDQU32Store, lanes, 0, patternLanes.Disp(128*half+64*n))
		}
		e.a.Lzcnt(32, regWork0, patternUsed.Disp(4*half))
		e.a.Shl(32, x86.R(regWork0), x86.Imm(2))
		e.a.Neg(32, x86.R(regWork0))
		e.a.Add(32, x86.R(regWork0), x86.Imm(4*lane.Width))
		e.a.Mov(32, patternEnds.Disp(4*half), x86.R(regWork0))
	}
	e.a.Mov(32, patternState, x86.Imm(patternFresh|patternNear))
	e.a.Bind(far)
}
