package translate

import (
	"encoding/binary"
	"math"

	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
)

// The instructions of a lookup at the two levels. The code names registers and masks as AVX512
// does. With AVX2 masks are vectors of all ones or zeros, and numbers that AVX512 takes from memory
// for all lanes are rows or go through a register.

// Vector registers that only AVX2 needs; masks are in registers from firstMask on.
const (
	spare vector.Vec = 8 + iota
	numbers
	firstMask
)

// register is the host's register for one of AVX512.
func (r *reader) register(v vector.Vec) uint8 {
	if r.level == vector.AVX2 && v >= firstAccess {
		v -= firstAccess
	}
	return uint8(v)
}

// v is a register as an operand.
func (r *reader) v(v vector.Vec) x86.Operand { return x86.V(r.register(v)) }

// maskAt is the register of AVX2 for a mask.
func (r *reader) maskAt(k uint8) vector.Vec { return firstMask + vector.Vec(k-lanesLow) }

// bytes is the size of a vector.
func (r *reader) bytes() int { return 4 * r.level.Lanes() }

func (r *reader) width() x86.Width {
	if r.level == vector.AVX2 {
		return x86.Y
	}
	return x86.Z
}

// start prepares the lanes of all parts.
func (r *reader) start() {
	if r.level == vector.AVX512 {
		r.V(x86.Ins{Op: x86.KMOVD, D: lanesLow, RM: x86.R(regLanes)})
		r.V(x86.Ins{Op: x86.KSHIFTRD, D: lanesHigh, RM: x86.K(lanesLow), Imm: 16})
	}
}

// startPart prepares the lanes of the present part.
func (r *reader) startPart() {
	if r.level == vector.AVX512 {
		return
	}
	lanes, bits := r.maskAt(r.lanes()), r.row(func(i int) uint32 { return 1 << (8*r.part + i) })
	r.V(x86.Ins{Op: x86.VMOVD, D: uint8(lanes), RM: x86.R(regLanes)})
	r.op(x86.VPBROADCASTD, lanes, 0, r.v(lanes))
	r.op(x86.VPANDD, lanes, lanes, bits)
	r.op(x86.VPCMPEQD, lanes, lanes, bits)
}

// lanes is the mask of the lanes of the part that read.
func (r *reader) lanes() uint8 {
	if r.level == vector.AVX512 {
		return uint8(lanesLow + r.part)
	}
	return lanesLow
}

// word is a word in memory; bcst is one for all lanes.
func (r *reader) word(v uint32) x86.Operand {
	return r.Const(binary.LittleEndian.AppendUint32(nil, v), 4)
}

func (r *reader) bcst(v uint32) x86.Operand {
	if r.level == vector.AVX512 {
		return r.word(v).Bcst()
	}
	return r.row(func(int) uint32 { return v })
}

// double is an f64 for all lanes.
func (r *reader) double(v float64) x86.Operand {
	word := binary.LittleEndian.AppendUint64(nil, math.Float64bits(v))
	if r.level == vector.AVX512 {
		return r.Const(word, 8).Bcst()
	}
	var row []byte
	for range r.bytes() / 8 {
		row = append(row, word...)
	}
	return r.Const(row, 32)
}

// row is a vector in memory.
func (r *reader) row(word func(i int) uint32) x86.Operand {
	var row []byte
	for i := range r.level.Lanes() {
		row = binary.LittleEndian.AppendUint32(row, word(i))
	}
	return r.Const(row, r.bytes())
}

// of returns a number of dimension k of the view, in all lanes. It is valid until the next call.
func (r *reader) of(field uintptr, size, k int) x86.Operand {
	at := viewAt(field + uintptr(size*k))
	if r.level == vector.AVX512 {
		return at.Bcst()
	}
	load := x86.VPBROADCASTD
	if size == 8 {
		load = x86.VPBROADCASTQ
	}
	r.op(load, numbers, 0, at)
	return r.v(numbers)
}

// deskRow returns the operand of the present part of a row of the desk.
func (r *reader) deskRow(rows uintptr, n int) x86.Operand {
	return x86.At(regDesk, int32(rows)+int32(n)*rowBytes+int32(r.part*r.bytes()))
}

func (r *reader) op(op x86.VOp, d, s vector.Vec, rm x86.Operand) {
	r.V(x86.Ins{Op: op, L: r.width(), D: r.register(d), S: r.register(s), RM: rm})
}

// under is op in the lanes of a mask, 0 for all; other lanes of d stay.
func (r *reader) under(k uint8, op x86.VOp, d, s vector.Vec, rm x86.Operand) {
	switch {
	case r.level == vector.AVX512:
		r.V(x86.Ins{Op: op, L: x86.Z, D: uint8(d), S: uint8(s), RM: rm, K: k})
	case k == 0:
		r.op(op, d, s, rm)
	default:
		r.op(x86.VMOVDQA32, spare, 0, r.v(d)) // what op adds to
		r.op(op, spare, s, rm)
		r.V(x86.Ins{Op: x86.VPBLENDVB, L: x86.Y, D: r.register(d), S: r.register(d), RM: r.v(spare), M: uint8(r.maskAt(k))})
	}
}

func (r *reader) shift(op x86.VOp, d, s vector.Vec, n int) {
	r.V(x86.Ins{Op: op, L: r.width(), D: r.register(d), RM: r.v(s), Imm: uint8(n)})
}

// A comparison makes a mask from lanes of another mask, 0 for all.

// atLeast compares unsigned words.
func (r *reader) atLeast(d, k uint8, s vector.Vec, rm x86.Operand) {
	if r.level == vector.AVX512 {
		r.test(x86.VPCMPUD, d, k, s, rm, x86.CmpGE)
		return
	}
	r.op(x86.VPMAXUD, spare, s, rm)
	r.op(x86.VPCMPEQD, spare, spare, r.v(s))
	r.keep(d, k)
}

// none finds the lanes with none of some bits; some finds the others.
func (r *reader) none(d, k uint8, s vector.Vec, rm x86.Operand) {
	if r.level == vector.AVX512 {
		r.test(x86.VPTESTNMD, d, k, s, rm, 0)
		return
	}
	r.op(x86.VPANDD, spare, s, rm)
	r.op(x86.VPCMPEQD, spare, spare, r.bcst(0))
	r.keep(d, k)
}

func (r *reader) some(d, k uint8, s vector.Vec, rm x86.Operand) {
	if r.level == vector.AVX512 {
		r.test(x86.VPTESTMD, d, k, s, rm, 0)
		return
	}
	r.op(x86.VPANDD, spare, s, rm)
	r.op(x86.VPCMPEQD, spare, spare, r.bcst(0))
	r.op(x86.VPXORD, spare, spare, r.bcst(1<<32-1))
	r.keep(d, k)
}

// someDouble finds the words of 64 bits that are not 0.
func (r *reader) someDouble(d uint8, s vector.Vec) {
	if r.level == vector.AVX512 {
		r.test(x86.VPTESTMQ, d, 0, s, r.v(s), 0)
		return
	}
	r.op(x86.VPCMPEQQ, spare, s, r.bcst(0))
	r.op(x86.VPXORD, spare, spare, r.bcst(1<<32-1))
	r.keep(d, 0)
}

func (r *reader) equal(d, k uint8, s vector.Vec, rm x86.Operand) {
	if r.level == vector.AVX512 {
		r.test(x86.VPCMPEQD, d, k, s, rm, 0)
		return
	}
	r.op(x86.VPCMPEQD, spare, s, rm)
	r.keep(d, k)
}

// undefined finds the NaNs among f32.
func (r *reader) undefined(d, k uint8, s vector.Vec) {
	const unordered = 3
	if r.level == vector.AVX512 {
		r.test(x86.VCMPPS, d, k, s, r.v(s), unordered)
		return
	}
	r.V(x86.Ins{Op: x86.VCMPPS, L: x86.Y, D: uint8(spare), S: r.register(s), RM: r.v(s), Imm: unordered})
	r.keep(d, k)
}

// unsigned finds the lanes of k whose sign bit is clear.
func (r *reader) unsigned(d, k uint8, s vector.Vec) {
	if r.level == vector.AVX512 {
		r.op(x86.VPMOVD2M, vector.Vec(d), 0, r.v(s))
		r.V(x86.Ins{Op: x86.KANDNW, D: d, S: d, RM: x86.K(k)})
		return
	}
	r.shift(x86.VPSRADi, spare, s, 31)
	r.op(x86.VPANDND, r.maskAt(d), spare, r.v(r.maskAt(k)))
}

// test is a comparison of AVX512.
func (r *reader) test(op x86.VOp, d, k uint8, s vector.Vec, rm x86.Operand, predicate uint8) {
	r.V(x86.Ins{Op: op, L: x86.Z, D: d, S: uint8(s), RM: rm, K: k, Imm: predicate})
}

// keep makes a mask of the lanes in spare that another has.
func (r *reader) keep(d, k uint8) {
	if k == 0 {
		r.op(x86.VMOVDQA32, r.maskAt(d), 0, r.v(spare))
		return
	}
	r.op(x86.VPANDD, r.maskAt(d), spare, r.v(r.maskAt(k)))
}

func (r *reader) copyMask(d, k uint8) {
	if r.level == vector.AVX512 {
		r.V(x86.Ins{Op: x86.KMOVW, D: d, RM: x86.K(k)})
		return
	}
	r.op(x86.VMOVDQA32, r.maskAt(d), 0, r.v(r.maskAt(k)))
}

// count sets the flags by a mask: E if it has no lane, B if it has all.
func (r *reader) count(k uint8) {
	if r.level == vector.AVX512 {
		r.V(x86.Ins{Op: x86.KORTESTW, D: k, RM: x86.K(k)})
		return
	}
	r.op(x86.VTESTPS, r.maskAt(k), 0, r.bcst(1<<32-1))
}

func (r *reader) zero(v vector.Vec) { r.op(x86.VPXORD, v, v, r.v(v)) }

func (r *reader) load(v vector.Vec, from x86.Operand) { r.op(x86.VMOVDQU32, v, 0, from) }

func (r *reader) store(to x86.Operand, v vector.Vec) { r.op(x86.VMOVDQU32Store, v, 0, to) }

// gatherAt loads words at offsets from the first texel and a distance. Lanes outside maskInside get
// 0. It changes maskScratch.
func (r *reader) gatherAt(d vector.Vec, distance int32, offsets vector.Vec) {
	from := x86.At(regTexels, distance).Gather(r.register(offsets), 1)
	r.copyMask(maskScratch, maskInside)
	r.zero(d)
	if r.level == vector.AVX512 {
		r.under(maskScratch, x86.VPGATHERDD, d, 0, from)
		return
	}
	r.op(x86.VPGATHERDD, d, r.maskAt(maskScratch), from)
}

// upper is the upper half of a vector.
func (r *reader) upper(d, s vector.Vec) {
	op := x86.VEXTRACTF64X4
	if r.level == vector.AVX2 {
		op = x86.VEXTRACTF128
	}
	r.V(x86.Ins{Op: op, L: r.width(), D: r.register(d), RM: r.v(s), Imm: 1})
}

// join is a vector of two halves.
func (r *reader) join(d, low, high vector.Vec) {
	op := x86.VINSERTF64X4
	if r.level == vector.AVX2 {
		op = x86.VINSERTF128
	}
	r.V(x86.Ins{Op: op, L: r.width(), D: r.register(d), S: r.register(low), RM: r.v(high), Imm: 1})
}

// doubles widens f32 to f64: the lower lanes to a, the upper lanes to b, which is not s.
func (r *reader) doubles(op x86.VOp, a, b, s vector.Vec) {
	r.upper(b, s)
	r.op(op, a, 0, r.v(s))
	r.op(op, b, 0, r.v(b))
}

// floors rounds f64 down to the integers in d: a has the lower lanes, b the upper.
func (r *reader) floors(d, a, b vector.Vec) {
	r.down(x86.VROUNDPD, x86.VCVTPD2DQ, a)
	r.down(x86.VROUNDPD, x86.VCVTPD2DQ, b)
	r.join(d, a, b)
}

// floor rounds f32 down to integers.
func (r *reader) floor(v vector.Vec) { r.down(x86.VROUNDPS, x86.VCVTPS2DQ, v) }

// down converts numbers to integers, rounding down: with AVX2 by an instruction of its own.
func (r *reader) down(round, convert x86.VOp, v vector.Vec) {
	const floor = 9 // and no exception
	if r.level == vector.AVX512 {
		r.V(x86.Ins{Op: convert, L: x86.Z, D: uint8(v), RM: r.v(v), Round: x86.RD})
		return
	}
	r.V(x86.Ins{Op: round, L: x86.Y, D: r.register(v), RM: r.v(v), Imm: floor})
	r.op(convert, v, 0, r.v(v))
}
