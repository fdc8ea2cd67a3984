package translate

import (
	"unsafe"

	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/lane"
	"jacquard/simt/program"
)

// pattern is what a whole warp's access by an instruction looked like, what it cost, and how it
// moves. Warps of a block, and rounds of a loop, mostly access memory in the same pattern from
// different bases, and the base does not change the cost: see costStep. Code compares before it
// counts.
type pattern struct {
	offsets lane.Row  // of the addresses from the base
	counts  [8]uint64 // what the access adds to counters: see eachCount

	// How words move, if those of each half-warp are in a window of 32 words from its first lane's
	// word on.
	places [2][lane.Width / 2]uint32 // by half: where in the window the lanes' words are
	lanes  [2][lane.Width]uint32     // by half: the lanes whose words the window gets
	used   [2]uint32                 // by half: the words of the window that are accessed
	state  uint32                    // patternFresh and patternNear
	wait   uint32                    // accesses until the instruction looks at patterns again
	_      [12]uint32                // patterns are whole cache lines
}

const (
	patternBytes = int64(unsafe.Sizeof(pattern{}))
	// mostWait is how many accesses go by without a look once two patterns in a row were met
	// only once: addresses then depend on data.
	mostWait = 32

	patternFresh = 1 // not met since it was learned
	patternNear  = 2 // words are in windows
)

// newPatterns returns patterns that no access has.
func newPatterns(n int) []pattern {
	list := make([]pattern, n)
	for i := range list {
		list[i].offsets[0] = 1<<32 - 1
	}
	return list
}

// costStep is a number of bytes by which the base of a pattern may move at no cost. Segments of
// device memory count from multiples of 128 bytes, or of 16 elements. Banks of shared memory follow
// each other, so those of all words move alike.
func costStep(k kind) uint32 {
	if k.space == program.SpaceGlobal {
		return max(segment, 16*k.size())
	}
	return 4
}

// patterned reports whether accesses of a kind have patterns.
func patterned(k kind) bool { return k.space == program.SpaceShared || k.space == program.SpaceGlobal }

// windows reports whether patterns of accesses of a kind may have windows.
func windows(k kind) bool { return k.size() == 4 && patterned(k) }

// regPattern is the pattern of the present instruction.
const regPattern = regWork1

// patternAt returns the operand of a field of the pattern.
func patternAt(field uintptr) x86.Operand { return x86.At(regPattern, int32(field)) }

var (
	patternPlaces = patternAt(unsafe.Offsetof(pattern{}.places))
	patternLanes  = patternAt(unsafe.Offsetof(pattern{}.lanes))
	patternUsed   = patternAt(unsafe.Offsetof(pattern{}.used))
	patternState  = patternAt(unsafe.Offsetof(pattern{}.state))
	patternWait   = patternAt(unsafe.Offsetof(pattern{}.wait))
)

func (e accessor512) findPattern() {
	e.a.Mov(32, x86.R(regPattern), frPattern)
	e.a.Add(64, x86.R(regPattern), frPatterns)
}

// unlessPattern jumps if a whole warp accesses memory in another pattern. It leaves the base in
// work0+2, and what check left.
func (e accessor512) unlessPattern(k kind, other x86.Label) {
	const base, offsets = work0 + 2, work0 + 3
	e.vec(x86.VPBROADCASTD, base, 0, r(addr0))
	e.vec(x86.VPANDD, base, base, operand(e.Literal(-costStep(k))))
	for half := range 2 {
		e.vec(x86.VPSUBD, offsets, addr0+vector.Vec(half), r(base))
		e.compare(x86.VPCMPD, test0+uint8(half), 0, offsets, patternAt(64*uintptr(half)), x86.CmpNE)
	}
	e.a.V(x86.Ins{Op: x86.KORTESTW, D: test0, RM: x86.K(test1)})
	e.a.Jcc(x86.NE, other)
}

// moveNear emits the way for whole warps whose words are in windows. The offsets are those of
// check.
func (e accessor512) moveNear(k kind) {
	if !windows(k) {
		return
	}
	over := e.a.NewLabel()
	e.a.Cmp(32, x86.R(regLanes), x86.Imm(-1))
	e.a.Jcc(x86.NE, over)
	e.findPattern()
	e.a.Cmp(32, patternState, x86.Imm(patternNear))
	e.a.Jcc(x86.NE, over)
	e.unlessPattern(k, over)
	if k.space == program.SpaceGlobal {
		e.aheadOfHalves(k)
	}
	e.offset(0, regWork0)
	e.offset(1, regWork2)
	for half, at := range []x86.Reg{regWork0, regWork2} {
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
	e.countKnown(k)
	e.succeed()
	e.a.Bind(over)
}

// ifKnown emits the way round count, which counts the cost of an access of a kind, for whole warps
// that access memory in the pattern that the instruction learned last. It learns others.
func (e accessor512) ifKnown(k kind, count func()) {
	plain, other, learn := e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel()
	e.a.Cmp(32, x86.R(regLanes), x86.Imm(-1))
	e.a.Jcc(x86.NE, plain)
	e.findPattern()
	e.a.Sub(32, patternWait, x86.Imm(1))
	e.a.Jcc(x86.AE, plain)
	e.a.Mov(32, patternWait, x86.Imm(0))
	e.unlessPattern(k, other)
	e.a.And(32, patternState, x86.Imm(patternNear))
	e.countKnown(k)
	e.a.Ret()

	e.a.Bind(other)
	for half := range 2 {
		e.vec(x86.VPSUBD, work0, addr0+vector.Vec(half), r(work0+2))
		e.vec(x86.VMOVDQU32Store, work0, 0, patternAt(64*uintptr(half)))
	}
	e.a.Test(32, patternState, x86.Imm(patternFresh))
	e.a.Mov(32, patternState, x86.Imm(patternFresh))
	e.a.Jcc(x86.E, learn)
	e.a.Mov(32, patternWait, x86.Imm(mostWait))
	e.a.Bind(learn)
	if windows(k) {
		e.learnWindows()
	}
	e.eachCount(k, func(count, known x86.Operand) {
		e.a.Mov(64, x86.R(regWork0), count)
		e.a.Mov(64, known, x86.R(regWork0))
	})
	e.a.Call(plain)
	e.findPattern()
	e.eachCount(k, func(count, known x86.Operand) {
		e.a.Mov(64, x86.R(regWork0), count)
		e.a.Sub(64, x86.R(regWork0), known)
		e.a.Mov(64, known, x86.R(regWork0))
	})
	e.a.Ret()
	e.a.Bind(plain)
	count()
}

// learnWindows fills in how words move. A scatter of the lanes' numbers tells whose a word is: of
// lanes with one word it is the highest's, as in a scatter of their words.
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
	}
	e.a.Mov(32, patternState, x86.Imm(patternFresh|patternNear))
	e.a.Bind(far)
}

// countKnown counts an access in the pattern.
func (e accessor512) countKnown(k kind) {
	e.eachCount(k, func(count, known x86.Operand) {
		e.a.Mov(64, x86.R(regWork0), known)
		e.a.Add(64, count, x86.R(regWork0))
	})
}

// eachCount emits code for the counters that accesses of a kind may add to: where they are, and
// where the pattern has what they add.
func (e accessor512) eachCount(k kind, f func(count, known x86.Operand)) {
	from, to := atDevice, atShared
	if k.space == program.SpaceShared {
		from, to = atShared, atConst
	}
	for i := from; i < to; i += 8 {
		f(x86.At(regCount, int32(i)), patternAt(unsafe.Offsetof(pattern{}.counts)+i-from))
	}
}
