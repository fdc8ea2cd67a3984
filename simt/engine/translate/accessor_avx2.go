package translate

import (
	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
)

// accessor2 implements ownWays with AVX2.
type accessor2 struct{ accessor }

// storeNarrow puts the elements side by side in one half of a vector.
func (e accessor2) storeNarrow(k kind, part int, at x86.Operand) {
	size, d, upper := int(k.size()), e.load(e.data(part), k.data(0), part), e.work(0)
	e.vec(x86.VPSHUFB, d, d, e.firstBytes(size))
	e.a.V(x86.Ins{Op: x86.VEXTRACTI128, L: x86.Y, D: uint8(upper), RM: r(d), Imm: 1})
	unpack, store := x86.VPUNPCKLQDQ, x86.VMOVDQUStore
	if size == 1 {
		unpack, store = x86.VPUNPCKLDQ, x86.VMOVQStore
	}
	e.a.V(x86.Ins{Op: unpack, L: x86.X, D: uint8(d), S: uint8(d), RM: r(upper)})
	e.a.V(x86.Ins{Op: store, L: x86.X, D: uint8(d), RM: at})
}

// firstBytes is an order of bytes: the first bytes of each word in a half of a vector, side by
// side.
func (e accessor2) firstBytes(size int) x86.Operand {
	var order [32]byte
	for i := range order {
		order[i] = 0x80 // zero
		if i%16 < 4*size {
			order[i] = byte(i%16/size*4 + i%size)
		}
	}
	return e.a.Const(order[:], 32)
}

func (e accessor2) moveElements(k kind, part int, at x86.Operand) {
	switch n := int32(part); {
	case k.size() == 8:
		e.movePairs(k, n, at)
	case k.store:
		e.storeFours(n, at)
	default:
		e.loadFours(n, func(lane int32) x86.Operand { return at.Disp(16 * lane) })
	}
}

// movePairs moves a part of consecutive elements of two words. In between, lanes 2 and 3 change
// places with 4 and 5.
func (e accessor2) movePairs(k kind, part int32, at x86.Operand) {
	const quarters = 0xd8 // 0, 2, 1, 3
	swapped := func(d vector.Vec, from x86.Operand) {
		e.a.V(x86.Ins{Op: x86.VPERMQi, L: x86.Y, D: uint8(d), RM: from, Imm: quarters})
	}
	if k.store {
		swapped(vec0, dataAt(0, 32*part))
		swapped(vec1, dataAt(1, 32*part))
		e.vec(x86.VPUNPCKLDQ, vec2, vec0, r(vec1))
		e.vec(x86.VPUNPCKHDQ, vec3, vec0, r(vec1))
		e.vec(x86.VMOVDQUStore, vec2, 0, at)
		e.vec(x86.VMOVDQUStore, vec3, 0, at.Disp(32))
		return
	}
	e.vec(x86.VMOVDQU, vec0, 0, at)
	e.vec(x86.VMOVDQU, vec2, 0, at.Disp(32))
	for i, words := range []uint8{0x88, 0xdd} { // of pairs
		e.a.V(x86.Ins{Op: x86.VSHUFPS, L: x86.Y, D: uint8(vec1), S: uint8(vec0), RM: r(vec2), Imm: words})
		swapped(vec1, r(vec1))
		e.vec(x86.VMOVDQUStore, vec1, 0, dataAt(i, 32*part))
	}
}

// loadFours loads a part of elements of four words from the places of its lanes: it transposes
// lanes 0 to 3 and 4 to 7, in the halves of vectors. low and high are words 0 and 1, or 2 and 3, of
// two lanes of each half.
func (e accessor2) loadFours(part int32, at func(lane int32) x86.Operand) {
	const low, high, a, b = vec0, vec1, vec2, vec3
	load := func(d vector.Vec, lane int32) {
		e.a.V(x86.Ins{Op: x86.VMOVDQU, L: x86.X, D: uint8(d), RM: at(lane)})
		e.a.V(x86.Ins{Op: x86.VINSERTI128, L: x86.Y, D: uint8(d), S: uint8(d), RM: at(lane + 4), Imm: 1})
	}
	keep := func(word int, op x86.VOp, d, s, t vector.Vec) {
		e.vec(op, d, s, r(t))
		e.vec(x86.VMOVDQUStore, d, 0, dataAt(word, 32*part))
	}
	load(a, 0)
	load(b, 1)
	e.vec(x86.VPUNPCKLDQ, low, a, r(b))
	keep(2, x86.VPUNPCKHDQ, high, a, b) // temporarily
	load(a, 2)
	load(b, 3)
	e.vec(x86.VPUNPCKLDQ, high, a, r(b))
	e.vec(x86.VPUNPCKHDQ, b, a, r(b))
	keep(0, x86.VPUNPCKLQDQ, a, low, high)
	keep(1, x86.VPUNPCKHQDQ, a, low, high)
	e.vec(x86.VMOVDQU, low, 0, dataAt(2, 32*part))
	keep(2, x86.VPUNPCKLQDQ, a, low, b)
	keep(3, x86.VPUNPCKHQDQ, a, low, b)
}

// storeFours stores a part of consecutive elements of four words. Each iteration makes two lanes
// of each half.
func (e accessor2) storeFours(part int32, at x86.Operand) {
	for i, unpack := range []x86.VOp{x86.VPUNPCKLDQ, x86.VPUNPCKHDQ} {
		for n := range 2 {
			e.vec(x86.VMOVDQU, vec0, 0, dataAt(2*n, 32*part))
			e.vec(unpack, vec1+vector.Vec(n), vec0, dataAt(2*n+1, 32*part))
		}
		for n, op := range []x86.VOp{x86.VPUNPCKLQDQ, x86.VPUNPCKHQDQ} {
			lane := int32(16 * (2*i + n))
			e.vec(op, vec0, vec1, r(vec2))
			e.a.V(x86.Ins{Op: x86.VMOVDQUStore, L: x86.X, D: uint8(vec0), RM: at.Disp(lane)})
			e.a.V(x86.Ins{Op: x86.VEXTRACTI128, L: x86.Y, D: uint8(vec0), RM: at.Disp(lane + 64), Imm: 1})
		}
	}
}

// loadPairs loads a part of elements of two words from the places of its lanes: 0, 1, 4, 5 in one
// vector, 2, 3, 6, 7 in the other.
func (e accessor2) loadPairs(part int32, at func(lane int32) x86.Operand) {
	two := func(d vector.Vec, lane int32) {
		e.a.V(x86.Ins{Op: x86.VMOVQ, D: uint8(d), RM: at(lane)})
		e.a.V(x86.Ins{Op: x86.VPINSRQ, D: uint8(d), S: uint8(d), RM: at(lane + 1), Imm: 1})
	}
	for n := range vector.Vec(2) {
		two(vec0+n, 2*int32(n))
		two(vec2, 2*int32(n)+4)
		e.a.V(x86.Ins{Op: x86.VINSERTI128, L: x86.Y, D: uint8(vec0 + n), S: uint8(vec0 + n), RM: r(vec2), Imm: 1})
	}
	for i, words := range []uint8{0x88, 0xdd} { // of pairs
		e.a.V(x86.Ins{Op: x86.VSHUFPS, L: x86.Y, D: uint8(vec2), S: uint8(vec0), RM: r(vec1), Imm: words})
		e.vec(x86.VMOVDQUStore, vec2, 0, dataAt(i, 32*part))
	}
}

func (e accessor2) moveWarp(k kind) {
	if k.store {
		e.moveRun(k, nearAt(0))
	}
	for part := range int32(4) {
		at := func(lane int32) x86.Operand { return e.placeOf(8*part + lane) }
		switch {
		case k.store:
			for lane := range int32(8) {
				e.copyElement(k, at(lane), nearAt(int32(k.size())*(8*part+lane)))
			}
		case k.size() == 8:
			e.loadPairs(part, at)
		default:
			e.loadFours(part, at)
		}
	}
}
