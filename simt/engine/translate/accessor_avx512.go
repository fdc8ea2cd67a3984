package translate

import (
	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/program"
)

// accessor512 is the accessor for AVX512.
type accessor512 struct{ *emitter }

// The vector registers of accesses; rows are never kept in these.
const (
	addr0, addr1 vector.Vec = 24, 25 // addresses
	data0        vector.Vec = 26     // and the next: elements of up to a word
	work0        vector.Vec = 28     // to work0+3: scratch
	firstAccess             = 24
)

// The mask registers of accesses: the halves of the lanes that access, and scratch.
const (
	lanesLow, lanesHigh = 3, 4
	test0, test1        = 5, 6
)

func (e accessor512) claim()   {}
func (e accessor512) release() {}

func (e accessor512) setAddress(part int, v vector.Vec) { e.moveTo(addr0+vector.Vec(part), v) }
func (e accessor512) setData(part int, v vector.Vec)    { e.moveTo(data0+vector.Vec(part), v) }
func (e accessor512) loaded(part int) vector.Vec        { return data0 + vector.Vec(part) }

func (e accessor512) start() {
	e.a.V(x86.Ins{Op: x86.KMOVD, D: lanesLow, RM: x86.R(regLanes)})
	e.a.V(x86.Ins{Op: x86.KSHIFTRD, D: lanesHigh, RM: x86.K(lanesLow), Imm: 16})
}

// compare emits a comparison into a mask register, for the lanes of another.
func (e accessor512) compare(op x86.VOp, d uint8, k int, s vector.Vec, rm x86.Operand, relation uint8) {
	e.a.V(x86.Ins{Op: op, L: x86.Z, D: d, S: uint8(s), RM: rm, K: uint8(k), Imm: relation})
}

// toGeneral moves a mask register to a general one.
func (e accessor512) toGeneral(to x86.Reg, k uint8) {
	e.a.V(x86.Ins{Op: x86.KMOVWR, D: uint8(to), RM: x86.K(k)})
}

func (e accessor512) first(to x86.Reg) {
	e.a.V(x86.Ins{Op: x86.VMOVDR, D: uint8(to), RM: r(addr0)})
}

func (e accessor512) second(to x86.Reg) {
	e.a.V(x86.Ins{Op: x86.VMOVDR, D: uint8(to), RM: r(addr1)})
}

func (e accessor512) ifRun(k kind, run x86.Label) {
	size := k.size()
	order := e.elementOffsets(size)
	low, high := work0, work0+1
	e.vec(x86.VPBROADCASTD, low, 0, r(addr0))
	if size == 4 {
		e.vec(x86.VPBROADCASTD, high, 0, r(addr1))
		e.vec(x86.VPADDD, high, high, order)
	} else {
		e.vec(x86.VPADDD, high, low, order.Disp(64))
	}
	e.vec(x86.VPADDD, low, low, order)
	e.compare(x86.VPCMPEQD, test0, lanesLow, low, r(addr0), 0)
	e.compare(x86.VPCMPEQD, test1, lanesHigh, high, r(addr1), 0)
	e.a.V(x86.Ins{Op: x86.KUNPCKWD, D: test0, S: test1, RM: x86.K(test0)})
	e.a.V(x86.Ins{Op: x86.KORTESTD, D: test0, RM: x86.K(test0)})
	e.a.Jcc(x86.B, run) // all ones
}

func (e accessor512) ifSame(same x86.Label) {
	e.vec(x86.VMOVDQU32Store, addr0, 0, scratchAt(0, 0))
	e.vec(x86.VMOVDQU32Store, addr1, 0, scratchAt(0, 64))
	e.a.Tzcnt(32, regWork2, x86.R(regLanes))
	e.a.Mov(32, x86.R(regWork2), scratchAt(0, 0).Index(regWork2, 4))
	e.vec(x86.VPBROADCASTD, work0, 0, x86.R(regWork2))
	e.compare(x86.VPCMPD, test0, lanesLow, work0, r(addr0), x86.CmpNE)
	e.compare(x86.VPCMPD, test1, lanesHigh, work0, r(addr1), x86.CmpNE)
	e.a.V(x86.Ins{Op: x86.KORTESTW, D: test0, RM: x86.K(test1)})
	e.a.Jcc(x86.E, same)
}

func (e accessor512) ifOne(one x86.Label) {
	some := e.a.NewLabel()
	e.a.Cmp(32, x86.R(regLanes), x86.Imm(-1))
	e.a.Jcc(x86.NE, some)
	e.vec(x86.VPBROADCASTD, work0, 0, r(addr0))
	e.compare(x86.VPCMPD, test0, 0, work0, r(addr0), x86.CmpNE)
	e.compare(x86.VPCMPD, test1, 0, work0, r(addr1), x86.CmpNE)
	e.a.V(x86.Ins{Op: x86.KORTESTW, D: test0, RM: x86.K(test1)})
	e.a.Jcc(x86.E, one)
	e.a.Bind(some)
}

// ifHalvesSame leaves the addresses in work0 and work0+1. Both half-warps must have lanes.
func (e accessor512) ifHalvesSame(same x86.Label) {
	not := e.a.NewLabel()
	e.a.Test(32, x86.R(regLanes), x86.Imm(0xffff))
	e.a.Jcc(x86.E, not)
	e.a.Cmp(32, x86.R(regLanes), x86.Imm(0xffff))
	e.a.Jcc(x86.BE, not)
	for half := range 2 {
		at, lanes := work0+vector.Vec(half), lanesLow+half
		e.broadcastLowest(at, addr0+vector.Vec(half), lanes)
		e.compare(x86.VPCMPD, test0+uint8(half), lanes, at, r(addr0+vector.Vec(half)), x86.CmpNE)
	}
	e.a.V(x86.Ins{Op: x86.KORTESTW, D: test0, RM: x86.K(test1)})
	e.a.Jcc(x86.E, same)
	e.a.Bind(not)
}

func (e accessor512) sameAddresses() {
	e.a.V(x86.Ins{Op: x86.VMOVDR, D: uint8(regWork0), RM: r(work0)})
	e.a.V(x86.Ins{Op: x86.VMOVDR, D: uint8(regWork2), RM: r(work0 + 1)})
}

func (e accessor512) loadSame(low, high x86.Operand) {
	e.loadPart(0, low)
	e.loadPart(1, high)
}

// broadcastLowest puts the word of the lowest of some lanes in all lanes of d.
func (e accessor512) broadcastLowest(d, from vector.Vec, lanes int) {
	e.a.V(x86.Ins{Op: x86.VPCOMPRESSD, L: x86.Z, D: uint8(d), RM: r(from), K: uint8(lanes), Zero: true})
	e.vec(x86.VPBROADCASTD, d, 0, r(d))
}

func (e accessor512) moveRows(k kind) {
	for i := range k.words() {
		for part := range 2 {
			d, at := data0+vector.Vec(part), x86.At(regHost, int32(i)*rowBytes+64*int32(part))
			wide := dataAt(i, 64*int32(part))
			if k.store {
				if k.words() > 1 {
					e.vec(x86.VMOVDQU32, d, 0, wide)
				}
				e.a.V(x86.Ins{Op: x86.VMOVDQU32Store, L: x86.Z, D: uint8(d), RM: at, K: uint8(lanesLow + part)})
				continue
			}
			e.vec(x86.VMOVDQU32, d, 0, at)
			if k.words() > 1 {
				e.vec(x86.VMOVDQU32Store, d, 0, wide)
			}
		}
	}
}

// check leaves the offsets in work0 and work0+1; for local memory, the offsets of the words.
func (e accessor512) check(k kind, fail x86.Label) {
	const last, fit = work0 + 2, work0 + 3
	e.vec(x86.VPBROADCASTD, last, 0, x86.R(regWork1))
	for part := range 2 {
		off, addr := work0+vector.Vec(part), addr0+vector.Vec(part)
		if k.space == program.SpaceGlobal {
			e.vec(x86.VPSUBD, off, addr, siteLow.Bcst())
		} else {
			e.moveTo(off, addr)
		}
		// The offset of an element that fits, the same for one that is there.
		e.vec(x86.VPANDD, fit, off, operand(e.Literal(-k.size())))
		e.vec(x86.VPMINUD, fit, fit, r(last))
		e.compare(x86.VPCMPD, test0+uint8(part), lanesLow+part, fit, r(off), x86.CmpNE)
		if k.space == program.SpaceLocal {
			e.spread(off, off, part)
		}
	}
	e.a.V(x86.Ins{Op: x86.KORTESTW, D: test0, RM: x86.K(test1)})
	e.a.Jcc(x86.NE, fail)
}

func (e accessor512) offset(half int, to x86.Reg) {
	e.a.V(x86.Ins{Op: x86.VMOVDR, D: uint8(to), RM: r(work0 + vector.Vec(half))})
}

// spread turns offsets in local memory into offsets of words in its rows.
func (e accessor512) spread(to, from vector.Vec, part int) {
	e.shiftBy(x86.VPSRLDi, to, from, 2)
	e.shiftBy(x86.VPSLLDi, to, to, 7)
	e.vec(x86.VPADDD, to, to, e.elementOffsets(4).Disp(64*int32(part)))
}

func (e accessor512) move(k kind) {
	switch {
	case k.size() == 4 && (k.space == program.SpaceGlobal || k.space == program.SpaceShared):
		e.moveHalves(k)
	case k.size() == 8 && k.space == program.SpaceGlobal:
		e.pairsApart(k)
	case k.size() == 16 && k.space == program.SpaceGlobal:
		for half := range 2 {
			e.vec(x86.VMOVDQU32Store, work0+vector.Vec(half), 0, scratchAt(0, 64*int32(half)))
		}
		e.moveApart(k)
	case k.size() >= 4:
		e.moveWords(k)
	case k.store:
		e.storeParts(k)
	default:
		e.loadParts(k)
	}
}

// pairsApart moves elements of two words that lie apart, eight at once.
func (e accessor512) pairsApart(k kind) {
	const off, elements, tmp = work0 + 2, data0, work0 + 3
	for half := range 2 {
		row := 64 * int32(half)
		for i := range 2 {
			e.a.V(x86.Ins{Op: x86.VEXTRACTI64X4, L: x86.Z, D: uint8(off), RM: r(work0 + vector.Vec(half)), Imm: uint8(i)})
			e.a.V(x86.Ins{Op: x86.KSHIFTRW, D: test0, RM: x86.K(uint8(lanesLow + half)), Imm: uint8(8 * i)})
			d, at := elements+vector.Vec(i), x86.At(regHost, 0).Gather(uint8(off), 1)
			if k.store {
				e.lanePairs(d, tmp, row, i)
				e.a.V(x86.Ins{Op: x86.VPSCATTERDQ, L: x86.Z, D: uint8(d), RM: at, K: test0})
				continue
			}
			e.vec(x86.VPXORD, d, d, r(d))
			e.a.V(x86.Ins{Op: x86.VPGATHERDQ, L: x86.Z, D: uint8(d), RM: at, K: test0})
		}
		if !k.store {
			e.wordsOfPairs(tmp, elements, elements+1, row)
		}
	}
}

// copyElement copies an element of four words.
func (e accessor512) copyElement(_ kind, to, from x86.Operand) {
	e.a.V(x86.Ins{Op: x86.VMOVDQU32, L: x86.X, D: uint8(work0), RM: from})
	e.a.V(x86.Ins{Op: x86.VMOVDQU32Store, L: x86.X, D: uint8(work0), RM: to})
}

// moveWords loads or stores words, or elements of several words in local memory.
func (e accessor512) moveWords(k kind) {
	for part := range 2 {
		for i := range k.words() {
			e.moveWord(k, part, i)
		}
	}
}

// moveWord loads or stores a word of the elements of a half-warp.
func (e accessor512) moveWord(k kind, half, word int) {
	d := data0 + vector.Vec(half)
	at := x86.At(regHost, rowBytes*int32(word)).Gather(uint8(work0)+uint8(half), 1)
	wide := dataAt(word, 64*int32(half))
	if k.store {
		if k.words() > 1 {
			e.vec(x86.VMOVDQU32, d, 0, wide)
		}
		e.a.V(x86.Ins{Op: x86.KMOVW, D: test0, RM: x86.K(uint8(lanesLow + half))})
		e.a.V(x86.Ins{Op: x86.VPSCATTERDD, L: x86.Z, D: uint8(d), RM: at, K: test0})
		return
	}
	e.gather(half, at)
	if k.words() > 1 {
		e.vec(x86.VMOVDQU32Store, d, 0, wide)
	}
}

func (e accessor512) gather(half int, at x86.Operand) {
	d := data0 + vector.Vec(half)
	e.a.V(x86.Ins{Op: x86.KMOVW, D: test0, RM: x86.K(uint8(lanesLow + half))})
	e.vec(x86.VPXORD, d, d, r(d))
	e.a.V(x86.Ins{Op: x86.VPGATHERDD, L: x86.Z, D: uint8(d), RM: at, K: test0})
}

// loadParts loads elements that are parts of words: the words that hold them, shifted.
func (e accessor512) loadParts(k kind) {
	for part := range 2 {
		d, at, shift := data0+vector.Vec(part), work0+vector.Vec(part), work0+2
		if k.space != program.SpaceLocal {
			e.vec(x86.VPANDD, at, at, operand(e.Literal(^uint32(3))))
		}
		e.gather(part, x86.At(regHost, 0).Gather(uint8(at), 1))
		e.vec(x86.VPANDD, shift, addr0+vector.Vec(part), operand(e.Literal(3)))
		e.shiftBy(x86.VPSLLDi, shift, shift, 3)
		e.vec(x86.VPSRLVD, d, d, r(shift))
		up := int(32 - 8*k.size())
		e.shiftBy(x86.VPSLLDi, d, d, up)
		if k.signed() {
			e.shiftBy(x86.VPSRADi, d, d, up)
		} else {
			e.shiftBy(x86.VPSRLDi, d, d, up)
		}
	}
}

// storeParts stores elements that are parts of words, one after the other.
func (e accessor512) storeParts(k kind) {
	for part := range 2 {
		at := work0 + vector.Vec(part)
		if k.space == program.SpaceLocal { // the place in the word
			e.vec(x86.VPANDD, work0+2, addr0+vector.Vec(part), operand(e.Literal(3)))
			e.vec(x86.VPADDD, at, at, r(work0+2))
		}
		e.vec(x86.VMOVDQU32Store, at, 0, scratchAt(0, 64*int32(part)))
		e.vec(x86.VMOVDQU32Store, data0+vector.Vec(part), 0, dataAt(0, 64*int32(part)))
	}
	e.storeLaneByLane(k)
}
