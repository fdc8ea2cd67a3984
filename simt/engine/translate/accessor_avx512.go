package translate

import (
	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
)

// accessor512 implements ownWays with AVX512.
type accessor512 struct{ accessor }

// toGeneral moves a mask register to a general one.
func (e accessor512) toGeneral(to x86.Reg, k uint8) {
	e.a.V(x86.Ins{Op: x86.KMOVWR, D: uint8(to), RM: x86.K(k)})
}

// broadcastLowest puts the word of the lowest of some lanes in all lanes of d.
func (e accessor512) broadcastLowest(d, from vector.Vec, lanes int) {
	e.a.V(x86.Ins{Op: x86.VPCOMPRESSD, L: x86.Z, D: uint8(d), RM: r(from), K: uint8(lanes), Zero: true})
	e.vec(x86.VPBROADCASTD, d, 0, r(d))
}

func (e accessor512) storeNarrow(k kind, part int, at x86.Operand) {
	op := x86.VPMOVDWStore
	if k.size() == 1 {
		op = x86.VPMOVDBStore
	}
	e.vec(op, e.data(part), 0, at)
}

func (e accessor512) moveElements(k kind, part int, at x86.Operand) {
	if k.size() == 8 {
		e.movePairs(k, part, at)
	} else {
		e.moveFours(k, part, at)
	}
}

// pick puts words of two vectors in d, in an order in which 16 is the second vector's first word.
func (e accessor512) pick(d, a vector.Vec, b x86.Operand, order func(i int) uint32) {
	e.vec(x86.VMOVDQU32, d, 0, e.constantRow(order))
	e.vec(x86.VPERMI2D, d, a, b)
}

// movePairs moves a part of a run of elements of two words.
func (e accessor512) movePairs(k kind, part int, at x86.Operand) {
	const a, b, d = work0, work0 + 1, work0 + 2
	row := 64 * int32(part)
	if k.store {
		for i := range 2 {
			e.lanePairs(d, a, row, i)
			e.vec(x86.VMOVDQU32Store, d, 0, at.Disp(64*int32(i)))
		}
		return
	}
	e.vec(x86.VMOVDQU32, a, 0, at)
	e.vec(x86.VMOVDQU32, b, 0, at.Disp(64))
	e.wordsOfPairs(d, a, b, row)
}

// lanePairs makes the elements of two words of lanes 8i to 8i+7 of a half-warp.
func (e accessor512) lanePairs(d, tmp vector.Vec, row int32, i int) {
	e.vec(x86.VMOVDQU32, tmp, 0, dataAt(0, row))
	e.pick(d, tmp, dataAt(1, row), func(n int) uint32 { return uint32(8*i + n%16/2 + n%2*16) })
}

// wordsOfPairs makes data of the elements of two words of the lanes of a half-warp.
func (e accessor512) wordsOfPairs(tmp, low, high vector.Vec, row int32) {
	for i := range 2 {
		e.pick(tmp, low, r(high), func(n int) uint32 { return uint32(2*(n%16) + i) })
		e.vec(x86.VMOVDQU32Store, tmp, 0, dataAt(i, row))
	}
}

// moveFours moves a part of a run of elements of four words.
func (e accessor512) moveFours(k kind, part int, at x86.Operand) {
	const order = data0
	row := 64 * int32(part)
	quarters := func() { // lanes 4*i+j from vector i, quarter j, to vector j, quarter i, or back
		e.vec(x86.VMOVDQU32, order, 0, e.constantRow(func(n int) uint32 { return uint32(n%4*4 + n%16/4) }))
	}
	if k.store {
		for i := range 4 {
			e.vec(x86.VMOVDQU32, data0+1, 0, dataAt(i, row))
			quarters()
			e.vec(x86.VPERMD, work0+vector.Vec(i), order, r(data0+1))
		}
		e.transpose()
		for i := range int32(4) {
			e.vec(x86.VMOVDQU32Store, work0+vector.Vec(i), 0, at.Disp(64*i))
		}
		return
	}
	for i := range int32(4) {
		e.vec(x86.VMOVDQU32, work0+vector.Vec(i), 0, at.Disp(64*i))
	}
	e.transpose()
	quarters()
	for i := range 4 {
		e.vec(x86.VPERMD, data0+1, order, r(work0+vector.Vec(i)))
		e.vec(x86.VMOVDQU32Store, data0+1, 0, dataAt(i, row))
	}
}

// transpose makes words of elements of four words from quarters of vectors, or the reverse: lane
// 4*i+j of a half-warp has its words in quarter i of vector j. Input and output are in work0 to
// work0+3, word by word or j by j. It changes the data.
func (e accessor512) transpose() {
	const low, high = data0, data0 + 1
	e.vec(x86.VPUNPCKLDQ, low, work0, r(work0+1))
	e.vec(x86.VPUNPCKHDQ, high, work0, r(work0+1))
	e.vec(x86.VPUNPCKLDQ, work0, work0+2, r(work0+3))
	e.vec(x86.VPUNPCKHDQ, work0+3, work0+2, r(work0+3))
	e.vec(x86.VPUNPCKHQDQ, work0+1, low, r(work0))
	e.vec(x86.VPUNPCKLQDQ, work0, low, r(work0))
	e.vec(x86.VPUNPCKLQDQ, work0+2, high, r(work0+3))
	e.vec(x86.VPUNPCKHQDQ, work0+3, high, r(work0+3))
}

// moveWarp moves elements of four words.
func (e accessor512) moveWarp(k kind) {
	for half := range int32(2) {
		if k.store {
			for word := range 4 {
				e.vec(x86.VMOVDQU32, work0+vector.Vec(word), 0, dataAt(word, 64*half))
			}
			e.transpose()
		}
		for n := range int32(16) {
			e.moveQuarter(k, uint8(work0)+uint8(n%4), uint8(n/4), e.placeOf(16*half+n))
		}
		if !k.store {
			e.transpose()
			for word := range 4 {
				e.vec(x86.VMOVDQU32Store, work0+vector.Vec(word), 0, dataAt(word, 64*half))
			}
		}
	}
}

// moveQuarter loads or stores a quarter of a vector.
func (e accessor512) moveQuarter(k kind, v, quarter uint8, at x86.Operand) {
	switch {
	case k.store && quarter == 0:
		e.a.V(x86.Ins{Op: x86.VMOVDQU32Store, L: x86.X, D: v, RM: at})
	case k.store:
		e.a.V(x86.Ins{Op: x86.VEXTRACTI32X4Store, L: x86.Z, D: v, RM: at, Imm: quarter})
	case quarter == 0:
		e.a.V(x86.Ins{Op: x86.VMOVDQU32, L: x86.X, D: v, RM: at})
	default:
		e.a.V(x86.Ins{Op: x86.VINSERTI32X4, L: x86.Z, D: v, S: v, RM: at, Imm: quarter})
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

// loadParts loads elements that are parts of words: the words that hold them, shifted.
func (e accessor512) loadParts(k kind) {
	for part := range 2 {
		d, at, shift := e.data(part), e.work(part), e.work(2)
		e.vec(x86.VPAND, at, at, operand(e.Literal(^uint32(3))))
		e.gather(part, x86.At(regHost, 0).Gather(uint8(at), 1))
		e.vec(x86.VPAND, shift, addr0+vector.Vec(part), operand(e.Literal(3)))
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
