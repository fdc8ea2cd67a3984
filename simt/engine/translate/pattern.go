package translate

import (
	"unsafe"

	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/simt/program"
)

// pattern is the addresses of a whole warp's access by an instruction, with the cost and the way
// that words move. Warps of a block, and iterations of a loop, mostly access memory in the same
// pattern from different bases, and the base does not change the cost: see costStep. Code compares
// patterns before it counts.
type pattern struct {
	offsets lane.Row  // of the addresses from the base
	counts  [8]uint64 // what the access adds to counters

	// How words move with AVX-512, if the words of each half-warp are in a window of 32 words from
	// its first lane's word on.
	places [2][lane.Width / 2]uint32 // by half: places of the lanes' words in the window
	lanes  [2][lane.Width]uint32     // by half: lanes whose words the window gets
	used   [2]uint32                 // by half: words of the window that are accessed
	ends   [2]uint32                 // by half: bytes from the window's start to the last word's end
	state  uint32                    // a set of patternFresh, patternNear and patternMet
	wait   uint32                    // accesses until the instruction looks at patterns again
	pause  uint32                    // length of the next wait
	_      [9]uint32                 // patterns are whole cache lines
}

const (
	patternBytes = int64(unsafe.Sizeof(pattern{}))
	// After two patterns in a row that were met only once, an instruction skips leastPause
	// accesses, then twice as many, and at last mostPause: its addresses depend on data.
	leastPause, mostPause = 32, 4096

	patternFresh = 1 // not met since it was learned
	patternNear  = 2 // words are in windows
	patternMet   = 4 // the last access was in it, and it is not fresh
)

// newPatterns returns patterns that match no access.
func newPatterns(n int) []pattern {
	list := make([]pattern, n)
	for i := range list {
		list[i].offsets[0], list[i].pause = 1<<32-1, leastPause
	}
	return list
}

// costStep is a number of bytes by which the base of a pattern may move at no cost. Segments of
// device memory count from multiples of 128 bytes, or of 16 elements. Banks of shared memory follow
// each other, so the banks of all words move alike.
func costStep(k kind) uint32 {
	if k.space == program.SpaceGlobal {
		return max(segment, 16*k.size())
	}
	return 4
}

// patterned reports whether accesses of a kind have patterns. Bytes in shared memory are mostly
// counters, whose addresses depend on data.
func patterned(k kind) bool {
	return k.space == program.SpaceGlobal || k.space == program.SpaceShared && k.size() >= 4
}

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

// patternMoves reports whether there is code that moves elements of a kind by their pattern.
func patternMoves(k kind) bool { return k.size() == 4 && patterned(k) }

// findPattern computes the address of the pattern of the present instruction.
func (e *emitter) findPattern() {
	e.a.Mov(32, x86.R(regPattern), frPattern)
	e.a.Add(64, x86.R(regPattern), frPatterns)
}

// moveKnown emits the fast path for whole warps that access words in the pattern that the
// instruction met last.
func (e accessor) moveKnown(k kind, fail x86.Label) {
	if !patternMoves(k) {
		return
	}
	over, other := e.a.NewLabel(), e.a.NewLabel()
	e.ifSomeIdle(over)
	e.findPattern()
	e.a.Test(32, patternState, x86.Imm(patternMet))
	e.a.Jcc(x86.E, over)
	e.unlessPattern(k, other)
	if e.wide() {
		far := e.a.NewLabel()
		e.a.Test(32, patternState, x86.Imm(patternNear))
		e.a.Jcc(x86.E, far)
		accessor512{e}.moveNear(k, over)
		e.countKnown(k)
		e.succeed()
		e.a.Bind(far)
	}
	e.moveAny(k, fail)
	e.findPattern()
	e.countKnown(k)
	e.succeed()

	e.a.Bind(other) // other code may be faster from here on
	e.a.And(32, patternState, x86.Imm(patternNear))
	e.a.Bind(over)
}

// ifKnown emits a shortcut past count, which counts the cost of an access of a kind, for whole
// warps that access memory in the pattern that the instruction learned last. The code learns other
// patterns.
func (e accessor) ifKnown(k kind, count func()) {
	if !patterned(k) {
		count()
		return
	}
	plain, other, learn := e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel()
	e.ifSomeIdle(plain)
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
	e.learnOffsets()
	e.a.Test(32, patternState, x86.Imm(patternFresh))
	e.a.Mov(32, patternState, x86.Imm(patternFresh))
	e.a.Jcc(x86.E, learn)
	e.a.Mov(32, x86.R(regWork0), patternPause)
	e.a.Mov(32, patternWait, x86.R(regWork0))
	e.a.Cmp(32, x86.R(regWork0), x86.Imm(mostPause))
	e.a.Jcc(x86.AE, learn)
	e.a.Shl(32, patternPause, x86.Imm(1))
	e.a.Bind(learn)
	if e.wide() && patternMoves(k) {
		accessor512{e}.learnWindows()
	}
	for _, at := range ownCounters(k) {
		e.a.Mov(64, x86.R(regWork0), counters(k).Disp(at))
		e.a.Mov(64, patternCounts.Disp(at), x86.R(regWork0))
	}
	e.a.Call(plain)
	e.findPattern()
	for _, at := range ownCounters(k) {
		e.a.Mov(64, x86.R(regWork0), counters(k).Disp(at))
		e.a.Sub(64, x86.R(regWork0), patternCounts.Disp(at))
		e.a.Mov(64, patternCounts.Disp(at), x86.R(regWork0))
	}
	e.a.Ret()
	e.a.Bind(plain)
	count()
}

// unlessPattern jumps if a whole warp accesses memory in another pattern than the instruction's.
// Then learnOffsets makes the other pattern the instruction's, from the base in work(2).
func (e lanewise) unlessPattern(k kind, other x86.Label) {
	off, base := e.work(0), e.work(2)
	e.vec(x86.VPBROADCASTD, base, 0, e.partOf(addresses, 0))
	e.vec(x86.VPAND, base, base, operand(e.Literal(-costStep(k))))
	for part := range e.Level.Parts() {
		e.vec(x86.VPSUBD, off, e.load(off, addresses, part), r(base))
		e.differ(part, true, off, off, patternAt(uintptr(e.bytes)*uintptr(part)))
	}
	e.anyDiffers(true)
	e.a.Jcc(x86.NE, other)
}

func (e lanewise) learnOffsets() {
	off, base := e.work(0), e.work(2)
	for part := range e.Level.Parts() {
		e.vec(x86.VPSUBD, off, e.load(off, addresses, part), r(base))
		e.vec(x86.VMOVDQUStore, off, 0, patternAt(uintptr(e.bytes)*uintptr(part)))
	}
}

// countKnown counts an access in the pattern.
func (e *emitter) countKnown(k kind) {
	for _, at := range ownCounters(k) {
		e.a.Mov(64, x86.R(regWork0), patternCounts.Disp(at))
		e.a.Add(64, counters(k).Disp(at), x86.R(regWork0))
	}
}

// counters returns the place of the eight counters of accesses of a kind.
func counters(k kind) x86.Operand {
	at := atDevice
	if k.space == program.SpaceShared {
		at = atShared
	}
	return x86.At(regCount, int32(at))
}

// ownCounters returns the places of the kind's counters from there, in mem.Traffic, or in mem.Steps
// and mem.Access.Singles.
func ownCounters(k kind) []int32 {
	if k.space == program.SpaceShared {
		return []int32{0, 8, 16, int32(unsafe.Offsetof(mem.Access{}.Singles) - atShared)}
	}
	return []int32{0, 8, 16, 24, 32, 40, 48}
}
