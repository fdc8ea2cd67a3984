package translate

import (
	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/program"
)

// accessor emits accesses. In routines regLanes has the lanes. Costs are counted for one half-warp
// at a time, with its lanes in the low bits of regWork2; lane masks in general registers are of
// that half-warp.
type accessor struct{ lanewise }

func (e *emitter) accessor() accessor { return accessor{lanewise{e}} }

// ownWays is what each level implements in its own way: elements that are not words, which are
// permuted, and costs.
type ownWays interface {
	// storeNarrow stores a part of consecutive elements of less than a word.
	storeNarrow(k kind, part int, at x86.Operand)
	// moveElements loads or stores a part of consecutive elements of several words, each by one
	// access of memory. It preserves general registers.
	moveElements(k kind, part int, at x86.Operand)
	// moveWarp loads or stores elements of several words that lie apart, for a whole warp.
	moveWarp(k kind)
	// segments counts by the rule of compute capability 1.2 and 1.3, with segments of 1<<log bytes:
	// see mem.Transactions12. It changes regWork0 to 2, regHost and regSite.
	segments(half, log int)
	// distinct computes in regHost how many addresses the lanes of regWork2 have. It changes
	// regWork2.
	distinct(half int)
	// sharedCost counts an access to shared memory: see mem.SharedSteps.
	sharedCost(k kind)
}

func (e accessor) own() ownWays {
	if e.wide() {
		return accessor512{e}
	}
	return accessor2{e}
}

// ifRun jumps if all lanes access consecutive elements, or words within each half-warp.
func (e accessor) ifRun(k kind, run x86.Label) {
	base, place, not := e.work(0), e.work(2), e.a.NewLabel()
	e.ifSomeIdle(not)
	order := e.elementOffsets(k.size())
	for part := range e.Level.Parts() {
		at := e.bytes * int32(part)
		if k.size() == 4 {
			at %= 64
		}
		if at == 0 { // the warp or a half-warp begins
			e.vec(x86.VPBROADCASTD, base, 0, e.partOf(addresses, part))
		}
		e.vec(x86.VPADDD, place, base, order.Disp(at))
		e.differ(part, true, place, place, e.partOf(addresses, part))
	}
	e.anyDiffers(true)
	e.a.Jcc(x86.E, run)
	e.a.Bind(not)
}

// ifOne jumps if a whole warp has one address.
func (e accessor) ifOne(one x86.Label) {
	some, same := e.a.NewLabel(), e.work(0)
	e.ifSomeIdle(some)
	e.vec(x86.VPBROADCASTD, same, 0, e.partOf(addresses, 0))
	for part := range e.Level.Parts() {
		e.differ(part, true, e.work(2), same, e.partOf(addresses, part))
	}
	e.anyDiffers(true)
	e.a.Jcc(x86.E, one)
	e.a.Bind(some)
}

// ifSame jumps if all lanes that access have one address, and leaves the address in regWork2.
func (e accessor) ifSame(same x86.Label) {
	v := e.work(0)
	e.toMemory(addresses)
	e.a.Tzcnt(32, regWork2, x86.R(regLanes))
	e.vec(x86.VPBROADCASTD, v, 0, addressesAt(0).Index(regWork2, 4))
	for part := range e.Level.Parts() {
		e.differ(part, false, e.work(1), v, e.partOf(addresses, part))
	}
	e.anyDiffers(false)
	e.a.V(x86.Ins{Op: x86.VMOVDR, D: uint8(regWork2), RM: r(v)}) // flags stay
	e.a.Jcc(x86.E, same)
}

// ifHalvesSame jumps if the lanes of each half-warp have one address; with AVX2, only if all lanes
// have one. Then sameAddresses puts the addresses in regWork0 and regWork2.
func (e accessor) ifHalvesSame(same x86.Label) {
	if !e.wide() {
		e.ifSame(same)
		return
	}
	not := e.a.NewLabel()
	e.a.Test(32, x86.R(regLanes), x86.Imm(0xffff))
	e.a.Jcc(x86.E, not)
	e.a.Cmp(32, x86.R(regLanes), x86.Imm(0xffff))
	e.a.Jcc(x86.BE, not)
	for half := range 2 {
		accessor512{e}.broadcastLowest(e.work(half), addr0+vector.Vec(half), lanesLow+half)
		e.differ(half, false, 0, e.work(half), e.partOf(addresses, half))
	}
	e.anyDiffers(false)
	e.a.Jcc(x86.E, same)
	e.a.Bind(not)
}

func (e accessor) sameAddresses() {
	if !e.wide() {
		e.a.Mov(32, x86.R(regWork0), x86.R(regWork2))
		return
	}
	e.first(regWork0, offsets, 0)
	e.first(regWork2, offsets, 1)
}

// loadSame loads one word for each half-warp.
func (e accessor) loadSame(k kind, words ...x86.Operand) {
	for part := range e.Level.Parts() {
		if e.wide() || part == 0 {
			e.vec(x86.VPBROADCASTD, e.data(part), 0, words[part])
		}
		e.put(k.data(0), part, e.data(part))
	}
}

// moveRows loads or stores elements whose words are rows, from regHost on.
func (e accessor) moveRows(k kind) {
	if k.store {
		e.fillLanes()
	}
	for part := range e.Level.Parts() {
		for i := range k.words() {
			row := x86.At(regHost, int32(i)*rowBytes+e.bytes*int32(part))
			if k.store {
				e.storeUnder(part, e.load(e.data(part), k.data(i), part), row)
				continue
			}
			e.vec(x86.VMOVDQU, e.data(part), 0, row)
			e.put(k.data(i), part, e.data(part))
		}
	}
}

// moveRun loads or stores consecutive elements, from an operand on.
func (e accessor) moveRun(k kind, at x86.Operand) {
	for part := range e.Level.Parts() {
		at := at.Disp(e.bytes / 4 * int32(k.size()) * int32(part))
		switch {
		case k.words() > 1:
			e.own().moveElements(k, part, at)
		case k.size() < 4 && k.store:
			e.own().storeNarrow(k, part, at)
		default:
			e.movePart(k, part, at)
		}
	}
}

// moveRuns loads or stores consecutive words of the half-warps at regHost + regWork0 and at
// regHost + regWork2.
func (e accessor) moveRuns(k kind) {
	for part := range e.Level.Parts() {
		at, half := e.bytes*int32(part), regWork0
		if at >= 64 {
			half = regWork2
		}
		e.movePart(k, part, x86.At(regHost, at%64).Index(half, 1))
	}
}

// movePart loads a part of consecutive elements of up to a word, or stores words.
func (e accessor) movePart(k kind, part int, at x86.Operand) {
	if k.store {
		e.vec(x86.VMOVDQUStore, e.load(e.data(part), k.data(0), part), 0, at)
		return
	}
	op := x86.VMOVDQU
	if k.size() < 4 {
		op = widened(k)
	}
	e.vec(op, e.data(part), 0, at)
	e.put(k.data(0), part, e.data(part))
}

// check computes the offsets of the elements from regHost. It fails if a lane's element is not
// aligned, or begins after the offset in regWork1. It preserves regHost.
func (e accessor) check(k kind, fail x86.Label) {
	last, fit := e.work(2), e.work(3)
	e.fill(last, regWork1)
	e.findOffsets(k, func(part int, off vector.Vec) {
		// An offset that fits; it equals the offset of an element that is inside.
		e.vec(x86.VPAND, fit, off, operand(e.Literal(-k.size())))
		e.vec(x86.VPMINUD, fit, fit, r(last))
		e.differ(part, false, fit, fit, r(off))
		if k.space == program.SpaceLocal {
			e.spread(k, off, fit, part)
		}
		e.put(offsets, part, off)
	})
	e.anyDiffers(false)
	e.a.Jcc(x86.NE, fail)
}

// spread turns offsets of elements in local memory into offsets in its rows. It changes place.
func (e accessor) spread(k kind, v, place vector.Vec, part int) {
	if k.size() < 4 {
		e.vec(x86.VPAND, place, v, operand(e.Literal(3)))
	}
	e.shiftBy(x86.VPSRLDi, v, v, 2)
	e.shiftBy(x86.VPSLLDi, v, v, 7)
	e.vec(x86.VPADDD, v, v, e.elementOffsets(4).Disp(e.bytes*int32(part)))
	if k.size() < 4 {
		e.vec(x86.VPADDD, v, v, r(place))
	}
}

// spreadAddresses turns addresses in local memory into addresses in the memory's rows.
func (e accessor) spreadAddresses(k kind) {
	for part := range e.Level.Parts() {
		v := e.load(e.work(0), addresses, part)
		e.spread(k, v, e.work(1), part)
		e.put(addresses, part, v)
	}
}

// moveAt loads or stores the elements at their offsets from regHost. It may count the cost for a
// half-warp: regLanes then has the other lanes.
func (e accessor) moveAt(k kind) {
	device := k.space == program.SpaceGlobal
	switch {
	case e.wide() && k.size() == 4 && (device || k.space == program.SpaceShared):
		accessor512{e}.moveHalves(k)
	case e.wide() && k.size() == 8 && device:
		accessor512{e}.pairsApart(k)
	case k.words() > 1 && device:
		e.toMemory(offsets)
		e.moveApart(k)
	case k.size() >= 4 && (e.wide() || !k.store):
		e.moveWords(k)
	case e.wide() && !k.store:
		accessor512{e}.loadParts(k)
	default: // with AVX2 a gather takes longer
		e.toMemory(offsets, k.data(0))
		e.moveLaneByLane(k)
	}
}

// moveWords loads words, or elements of several words in local memory; with AVX512 it also stores.
func (e accessor) moveWords(k kind) {
	e.fillLanes()
	for part := range e.Level.Parts() {
		off := e.load(e.work(0), offsets, part)
		for i := range k.words() {
			e.moveWord(k, part, i, off)
		}
	}
}

// moveWord loads or stores a word of a part of the elements.
func (e accessor) moveWord(k kind, part, word int, off vector.Vec) {
	at := x86.At(regHost, rowBytes*int32(word)).Gather(uint8(off), 1)
	if !k.store {
		e.gather(part, at)
		e.put(k.data(word), part, e.data(part))
		return
	}
	d := e.load(e.data(part), k.data(word), part)
	e.a.V(x86.Ins{Op: x86.KMOVW, D: test0, RM: x86.K(uint8(lanesLow + part))})
	e.a.V(x86.Ins{Op: x86.VPSCATTERDD, L: x86.Z, D: uint8(d), RM: at, K: test0})
}

// copyElement copies an element of several words by one access of each place. It may change
// regWork1.
func (e accessor) copyElement(k kind, to, from x86.Operand) {
	if k.size() == 8 {
		e.a.Mov(64, x86.R(regWork1), from)
		e.a.Mov(64, to, x86.R(regWork1))
		return
	}
	tmp := uint8(e.work(0))
	e.a.V(x86.Ins{Op: x86.VMOVDQU, L: x86.X, D: tmp, RM: from})
	e.a.V(x86.Ins{Op: x86.VMOVDQUStore, L: x86.X, D: tmp, RM: to})
}

// lowest computes the address of the lowest lane of regWork2 in regWork1.
func (e accessor) lowest(half int) {
	if e.wide() {
		lanes := uint8(lanesLow + half)
		e.a.V(x86.Ins{Op: x86.VPCOMPRESSD, L: x86.Z, D: uint8(work0), RM: e.partOf(addresses, half), K: lanes, Zero: true})
		e.first(regWork1, offsets, 0)
		return
	}
	e.a.Tzcnt(32, regWork0, x86.R(regWork2))
	e.a.Mov(32, x86.R(regWork1), addressesAt(64*int32(half)).Index(regWork0, 4))
}

// inOrder computes in regWork0 which lanes of regWork2 have their element in the array of elements
// at regWork1.
func (e accessor) inOrder(half int, size uint32) {
	order, first := e.elementOffsets(size), e.work(0)
	e.fill(first, regWork1)
	if e.wide() {
		e.vec(x86.VPADDD, first, first, order)
		e.compare(x86.VPCMPEQD, test0, lanesLow+half, first, e.partOf(addresses, half), 0)
		accessor512{e}.toGeneral(regWork0, test0)
		return
	}
	eachPart(func(part, at int32) {
		equal := vec1 + vector.Vec(part)
		e.vec(x86.VPADDD, equal, first, order.Disp(at))
		e.vec(x86.VPCMPEQD, equal, equal, addressesAt(64*int32(half)+at))
	})
	accessor2{e}.signsOfHalf(regWork0, regWork1, vec1, vec2)
	e.a.And(32, x86.R(regWork0), x86.R(regWork2))
}
