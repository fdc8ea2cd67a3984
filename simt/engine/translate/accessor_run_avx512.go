package translate

import (
	"unsafe"

	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/simt/program"
)

// moveRun moves rows of memory. Elements of several words are words of neighbours there, and rows of
// words in the frame.
func (e accessor512) moveRun(k kind, at x86.Operand) {
	for part := range 2 {
		d, at := data0+vector.Vec(part), at.Disp(16*int32(k.size())*int32(part))
		switch k.size() {
		case 1, 2:
			op := widened(k)
			if k.store {
				op = narrowed(k)
			}
			e.vec(op, d, 0, at)
		case 4:
			op := x86.VMOVDQU32
			if k.store {
				op = x86.VMOVDQU32Store
			}
			e.vec(op, d, 0, at)
		case 8:
			e.movePairs(k, part, at)
		default:
			e.moveFours(k, part, at)
		}
	}
}

func (e accessor512) moveRuns(k kind) {
	op := x86.VMOVDQU32
	if k.store {
		op = x86.VMOVDQU32Store
	}
	e.vec(op, data0, 0, x86.At(regHost, 0).Index(regWork0, 1))
	e.vec(op, data0+1, 0, x86.At(regHost, 0).Index(regWork2, 1))
}

// narrowed is the operation that stores words as elements of a kind.
func narrowed(k kind) x86.VOp {
	if k.size() == 1 {
		return x86.VPMOVDBStore
	}
	return x86.VPMOVDWStore
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
	quarters := func() { // lanes 4*i+j from vector i, quarter j, to vector j, quarter i, or the reverse
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
// 4*i+j of a half-warp has its words in quarter i of vector j. It takes and leaves these in
// work0 to work0+3, word by word or j by j, and changes the data.
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

// moveHalves moves words half-warp by half-warp: at once if they are consecutive, or all the same.
// Of these it counts the known costs. Whole warps were tried before.
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
		e.moveWord(k, half, 0)
		e.a.Bind(done)
	})
	e.a.Andn(32, regLanes, regKnown, x86.R(regLanes))
	e.a.Jmp(moved)
	e.a.Bind(whole)
	e.moveWords(k)
	e.a.Bind(moved)
}

// regKnown is the lanes of moveHalves whose costs are counted.
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

// ifEqual goes on if the lanes of a half-warp, which are in regWork2, have one word, and puts the
// word in regWork0. Otherwise it jumps.
func (e accessor512) ifEqual(v vector.Vec, half int, not x86.Label) {
	const lowest = work0 + 2
	lanes := lanesLow + half
	e.broadcastLowest(lowest, v, lanes)
	e.a.V(x86.Ins{Op: x86.VMOVDR, D: uint8(regWork0), RM: r(lowest)})
	e.compare(x86.VPCMPD, test0, lanes, v, r(lowest), x86.CmpNE)
	e.a.V(x86.Ins{Op: x86.KORTESTW, D: test0, RM: x86.K(test0)})
	e.a.Jcc(x86.NE, not)
}

// knownHalf counts the access of a half-warp to words that lie like the words of a row. It goes on
// at unknown if the cost depends on its lanes.
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
