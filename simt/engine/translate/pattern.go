package translate

import (
	"unsafe"

	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/simt/program"
)

// pattern is what a whole warp's access by an instruction looked like, what it cost, and how it
// moves. Warps of a block, and rounds of a loop, mostly access memory in the same pattern from
// different bases, and the base does not change the cost: see costStep. Code compares before it
// counts.
type pattern struct {
	offsets lane.Row  // of the addresses from the base
	counts  [8]uint64 // what the access adds to counters

	// How words move, if those of each half-warp are in a window of 32 words from its first lane's
	// word on.
	places [2][lane.Width / 2]uint32 // by half: where in the window the lanes' words are
	lanes  [2][lane.Width]uint32     // by half: the lanes whose words the window gets
	used   [2]uint32                 // by half: the words of the window that are accessed
	ends   [2]uint32                 // by half: the bytes from its first lane's word to the end of the last
	state  uint32                    // patternFresh and the next
	wait   uint32                    // accesses until the instruction looks at patterns again
	pause  uint32                    // how many it will wait next time
	_      [9]uint32                 // patterns are whole cache lines
}

const (
	patternBytes = int64(unsafe.Sizeof(pattern{}))
	// leastPause accesses go by without a look once two patterns in a row were met only once, then
	// twice as many, and at last mostPause: addresses then depend on data.
	leastPause, mostPause = 32, 4096

	patternFresh = 1 // not met since it was learned
	patternNear  = 2 // words are in windows
	patternMet   = 4 // the last access was in it, and it is not fresh
)

// newPatterns returns patterns that no access has.
func newPatterns(n int) []pattern {
	list := make([]pattern, n)
	for i := range list {
		list[i].offsets[0], list[i].pause = 1<<32-1, leastPause
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
	patternEnds   = patternAt(unsafe.Offsetof(pattern{}.ends))
	patternCounts = patternAt(unsafe.Offsetof(pattern{}.counts))
	patternState  = patternAt(unsafe.Offsetof(pattern{}.state))
	patternWait   = patternAt(unsafe.Offsetof(pattern{}.wait))
	patternPause  = patternAt(unsafe.Offsetof(pattern{}.pause))
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

// moveKnown emits the way for whole warps that access words in the pattern that the instruction met
// last.
func (e accessor512) moveKnown(k kind, fail x86.Label) {
	if !windows(k) {
		return
	}
	over, other, far := e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel()
	e.a.Cmp(32, x86.R(regLanes), x86.Imm(-1))
	e.a.Jcc(x86.NE, over)
	e.findPattern()
	e.a.Test(32, patternState, x86.Imm(patternMet))
	e.a.Jcc(x86.E, over)
	e.unlessPattern(k, other)
	e.a.Test(32, patternState, x86.Imm(patternNear))
	e.a.Jcc(x86.E, far)
	e.moveNear(k, over)
	e.countKnown(k)
	e.succeed()

	e.a.Bind(far)
	e.moveAny(k, fail)
	e.findPattern()
	e.countKnown(k)
	e.succeed()

	e.a.Bind(other) // other code may be faster from here on
	e.a.And(32, patternState, x86.Imm(patternNear))
	e.a.Bind(over)
}

// moveNear moves the words of half-warps that are in windows, unless one begins outside the memory or
// ends there.
func (e accessor512) moveNear(k kind, outside x86.Label) {
	size, host := frSharedSize, x86.R(regShared)
	if k.space == program.SpaceGlobal {
		size, host = siteAt(unsafe.Offsetof(site{}.size)), siteAt(unsafe.Offsetof(site{}.host))
	}
	for half := range vector.Vec(2) {
		if k.space == program.SpaceGlobal {
			e.vec(x86.VPSUBD, work0+half, addr0+half, siteLow.Bcst())
		} else {
			e.moveTo(work0+half, addr0+half)
		}
	}
	places := [2]x86.Reg{regWork0, regWork2}
	for half, at := range places {
		e.offset(half, at)
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
			e.offset(half, at)
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
	e.a.Or(32, patternState, x86.Imm(patternMet))
	e.a.Mov(32, patternPause, x86.Imm(leastPause))
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
	e.a.Mov(32, x86.R(regWork0), patternPause)
	e.a.Mov(32, patternWait, x86.R(regWork0))
	e.a.Cmp(32, x86.R(regWork0), x86.Imm(mostPause))
	e.a.Jcc(x86.AE, learn)
	e.a.Shl(32, patternPause, x86.Imm(1))
	e.a.Bind(learn)
	if windows(k) {
		e.learnWindows()
	}
	e.vec(x86.VMOVDQU32, work0, 0, counters(k))
	e.vec(x86.VMOVDQU32Store, work0, 0, patternCounts)
	e.a.Call(plain)
	e.findPattern()
	e.vec(x86.VMOVDQU32, work0, 0, counters(k))
	e.vec(x86.VPSUBQ, work0, work0, patternCounts)
	e.vec(x86.VMOVDQU32Store, work0, 0, patternCounts)
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
		e.a.Lzcnt(32, regWork0, patternUsed.Disp(4*half))
		e.a.Shl(32, x86.R(regWork0), x86.Imm(2))
		e.a.Neg(32, x86.R(regWork0))
		e.a.Add(32, x86.R(regWork0), x86.Imm(4*lane.Width))
		e.a.Mov(32, patternEnds.Disp(4*half), x86.R(regWork0))
	}
	e.a.Mov(32, patternState, x86.Imm(patternFresh|patternNear))
	e.a.Bind(far)
}

// countKnown counts an access in the pattern.
func (e accessor512) countKnown(k kind) {
	for _, at := range ownCounters(k) {
		e.a.Mov(64, x86.R(regWork0), patternCounts.Disp(at))
		e.a.Add(64, counters(k).Disp(at), x86.R(regWork0))
	}
}

// counters returns where the eight words are among which accesses of a kind have their counters.
func counters(k kind) x86.Operand {
	at := atDevice
	if k.space == program.SpaceShared {
		at = atShared
	}
	return x86.At(regCount, int32(at))
}

// ownCounters returns the places of the kind's counters from there: those of mem.Traffic, or of
// mem.Steps and mem.Access.Singles.
func ownCounters(k kind) []int32 {
	if k.space == program.SpaceShared {
		return []int32{0, 8, 16, int32(unsafe.Offsetof(mem.Access{}.Singles) - atShared)}
	}
	return []int32{0, 8, 16, 24, 32, 40, 48}
}
