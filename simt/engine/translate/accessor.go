package translate

import (
	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
)

// accessor emits the parts of accesses that differ between levels. An instruction hands addresses
// and data over, part by part, and calls a routine. With AVX512 they are in vector registers that
// rows never occupy; with AVX2 they are in the frame. Elements of several words are in frame.data
// at both levels.
//
// In routines the lanes are in regLanes. Costs are counted for one half-warp at a time, whose lanes
// are the low bits of regWork2; a mask of lanes in a general register is of the half-warp.
type accessor interface {
	// claim reserves the vector registers of routines; release gives them back.
	claim()
	release()
	setAddress(part int, v vector.Vec)
	// setData hands over a part of a word to store.
	setData(part int, v vector.Vec)
	// loaded returns a part of the word that was loaded, until the end of the part. It must not be
	// changed.
	loaded(part int) vector.Vec

	// start prepares the lanes of an access.
	start()
	// ifRun jumps if all lanes access consecutive elements, or words within each half-warp.
	ifRun(k kind, run x86.Label)
	// first and second compute the addresses of the first lanes of the half-warps.
	first(to x86.Reg)
	second(to x86.Reg)
	// moveRun loads or stores consecutive elements, from an operand on, each by one access of memory.
	// It leaves general registers.
	moveRun(k kind, at x86.Operand)
	// copyElement copies an element of several words by one access of each place. It may change
	// regWork1.
	copyElement(k kind, to, from x86.Operand)
	// moveWarp loads or stores elements of several words that lie apart, for a whole warp.
	moveWarp(k kind)
	// moveRuns loads or stores consecutive words of the half-warps at regHost + regWork0 and at
	// regHost + regWork2.
	moveRuns(k kind)
	// ifSame jumps if all lanes that access have one address, and leaves the address in regWork2.
	ifSame(same x86.Label)
	// ifOne may jump if a whole warp has one address.
	ifOne(one x86.Label)
	// ifHalvesSame may jump if the lanes of each half-warp have one address. Then sameAddresses puts
	// the addresses in regWork0 and regWork2, and loadSame loads a word for each half-warp.
	ifHalvesSame(same x86.Label)
	sameAddresses()
	loadSame(low, high x86.Operand)
	// moveRows loads or stores elements whose words are rows, from regHost on.
	moveRows(k kind)
	// check computes the offsets of the elements from regHost. It fails if a lane's element is not
	// aligned, or begins after the offset in regWork1. It leaves regHost.
	check(k kind, fail x86.Label)
	// offset computes the offset of the first lane of a half-warp, after a check.
	offset(half int, to x86.Reg)
	// move loads or stores the elements at their offsets from regHost. It may count the cost for a
	// half-warp: regLanes then has the other lanes.
	move(k kind)

	// spreadAddresses turns addresses in local memory into addresses in the memory's rows.
	spreadAddresses()
	// unlessPattern jumps if a whole warp accesses memory in another pattern than the
	// instruction's. Then learnOffsets makes it the pattern.
	unlessPattern(k kind, other x86.Label)
	learnOffsets()
	// lowest computes the address of the lowest lane of regWork2 in regWork1.
	lowest(half int)
	// inOrder computes in regWork0 which lanes of regWork2 have their element in the array of
	// elements at regWork1.
	inOrder(half int, size uint32)
	// segments counts by the rule of compute capability 1.2 and 1.3, with segments of 1<<log bytes:
	// see mem.Transactions12. It changes regWork0 to 2, regHost and regSite.
	segments(half, log int)
	// distinct computes in regHost how many addresses the lanes of regWork2 have. It changes
	// regWork2.
	distinct(half int)
	// sharedCost counts an access to shared memory: see mem.SharedSteps.
	sharedCost(k kind)
}

func (e *emitter) accessor() accessor {
	if e.Level == vector.AVX512 {
		return accessor512{e}
	}
	return accessor2{e}
}
