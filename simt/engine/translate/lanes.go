package translate

import (
	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/program"
)

// The code of accesses is the same at both levels, but for the places of rows and lanes. With
// AVX512 each part of addresses, data and offsets has a register, and the lanes that access are in
// mask registers. With AVX2 rows are in the frame and lanes in a general register; a part is loaded
// where it is needed. Elements of several words are in the frame at both levels.

// The vector registers of accesses. With AVX512 the cache never keeps rows of the warp in these
// registers; with AVX2 they are only scratch, which instructions claim for a call.
const (
	addr0, addr1 vector.Vec = 24, 25 // addresses
	data0        vector.Vec = 26     // and the next: elements of up to a word
	work0        vector.Vec = 28     // to work0+3: scratch, the first two also offsets
	firstAccess             = 24
)

const (
	vec0     vector.Vec = 11 + iota // offsets of a part, and scratch
	vec1                            // data of a part, and scratch
	vec2                            // a mask of a part, and scratch
	laneBits                        // the lanes that access, in each word, and scratch
	vec3     = laneBits
)

// The mask registers of accesses: the halves of the lanes that access, and scratch.
const (
	lanesLow, lanesHigh = 3, 4
	test0, test1        = 5, 6
)

// lanewise emits what differs between levels in code that is the same otherwise.
type lanewise struct{ *emitter }

// row is the place of a row of an access: with AVX512 registers from one on, with AVX2 memory. A
// row without a register is in memory at both levels.
type row struct {
	first  vector.Vec
	memory x86.Operand
}

// The rows of accesses. Offsets are of elements from regHost, after a check.
var (
	addresses = row{addr0, addressesAt(0)}
	offsets   = row{work0, scratchAt(0, 0)}
)

// data is the row of a word of the elements.
func (k kind) data(word int) row {
	if k.words() > 1 {
		return row{memory: dataAt(word, 0)}
	}
	return row{data0, dataAt(0, 0)}
}

// wide reports whether the level has mask registers and scatters.
func (e *emitter) wide() bool { return e.Level == vector.AVX512 }

// work returns one of four scratch registers.
func (e lanewise) work(i int) vector.Vec {
	if e.wide() {
		return work0 + vector.Vec(i)
	}
	return vec0 + vector.Vec(i)
}

// data returns the register for a part of a word of the elements.
func (e lanewise) data(part int) vector.Vec {
	if e.wide() {
		return data0 + vector.Vec(part)
	}
	return vec1
}

// partOf returns a part of a row for the last operand.
func (e lanewise) partOf(x row, part int) x86.Operand {
	if e.wide() && x.first != 0 {
		return r(x.first + vector.Vec(part))
	}
	return x.memory.Disp(e.bytes * int32(part))
}

// load returns the register of a part of a row: tmp if the row is in memory.
func (e lanewise) load(tmp vector.Vec, x row, part int) vector.Vec {
	if e.wide() && x.first != 0 {
		return x.first + vector.Vec(part)
	}
	e.vec(x86.VMOVDQU, tmp, 0, e.partOf(x, part))
	return tmp
}

// put makes a vector a part of a row.
func (e lanewise) put(x row, part int, v vector.Vec) {
	if to := x.first + vector.Vec(part); !e.wide() || x.first == 0 {
		e.Store(e.partOf(x, part), v)
	} else if to != v {
		e.moveTo(to, v)
	}
}

// first puts the word of a half-warp's first lane in a general register.
func (e lanewise) first(to x86.Reg, x row, half int) {
	at := e.partOf(x, half*e.Level.Parts()/2)
	if e.wide() {
		e.a.V(x86.Ins{Op: x86.VMOVDR, D: uint8(to), RM: at})
	} else {
		e.a.Mov(32, x86.R(to), at)
	}
}

// loaded returns a register with a part of the loaded word. The register is valid until the end of
// the part, and must not be changed.
func (e lanewise) loaded(part int) vector.Vec {
	if e.wide() {
		return e.data(part)
	}
	return e.temporary(e.Load(dataAt(0, e.bytes*int32(part))))
}

// toMemory copies rows that have registers to memory, for code that goes lane by lane.
func (e lanewise) toMemory(rows ...row) {
	for _, x := range rows {
		for part := range e.Level.Parts() {
			if e.wide() && x.first != 0 {
				e.Store(x.memory.Disp(e.bytes*int32(part)), x.first+vector.Vec(part))
			}
		}
	}
}

// takeLanes makes mask registers of the lanes of an access, with AVX512.
func (e lanewise) takeLanes() {
	if e.wide() {
		e.a.V(x86.Ins{Op: x86.KMOVD, D: lanesLow, RM: x86.R(regLanes)})
		e.a.V(x86.Ins{Op: x86.KSHIFTRD, D: lanesHigh, RM: x86.K(lanesLow), Imm: 16})
	}
}

// ifSomeIdle jumps unless the whole warp accesses.
func (e lanewise) ifSomeIdle(some x86.Label) {
	e.a.Cmp(32, x86.R(regLanes), x86.Imm(-1))
	e.a.Jcc(x86.NE, some)
}

// fillLanes makes laneBits, which gather and storeUnder need, with AVX2.
func (e lanewise) fillLanes() {
	if !e.wide() {
		e.fill(laneBits, regLanes)
	}
}

// fill puts a general register in every lane of a vector.
func (e lanewise) fill(v vector.Vec, from x86.Reg) {
	source := x86.R(from)
	if !e.wide() {
		e.a.V(x86.Ins{Op: x86.VMOVD, D: uint8(v), RM: source})
		source = r(v)
	}
	e.vec(x86.VPBROADCASTD, v, 0, source)
}

// findOffsets computes the offsets of the elements part by part, for f. With AVX2 it changes
// work(1).
func (e lanewise) findOffsets(k kind, f func(part int, off vector.Vec)) {
	low := r(vec1)
	switch {
	case e.wide():
		low = siteLow.Bcst()
	case k.space == program.SpaceGlobal:
		e.vec(x86.VPBROADCASTD, vec1, 0, siteLow)
	}
	for part := range e.Level.Parts() {
		off := vec0
		if e.wide() {
			off = work0 + vector.Vec(part)
		}
		at := e.load(off, addresses, part)
		if k.space == program.SpaceGlobal {
			e.vec(x86.VPSUBD, off, at, low)
		} else if at != off {
			e.moveTo(off, at)
		}
		f(part, off)
	}
}

// differ compares a part of the lanes that access, or of a whole warp, for anyDiffers. It changes
// tmp, and with AVX2 work(1) for a whole warp, else regWork1 and regWork2.
func (e lanewise) differ(part int, whole bool, tmp, v vector.Vec, rm x86.Operand) {
	if e.wide() {
		lanes := lanesLow + part
		if whole {
			lanes = 0
		}
		e.compare(x86.VPCMPD, test0+uint8(part), lanes, v, rm, x86.CmpNE)
		return
	}
	to := regWork1
	if part == 0 {
		to = regWork2
		if whole {
			tmp = vec1
		}
	}
	e.vec(x86.VPCMPEQD, tmp, v, rm)
	switch {
	case whole && part > 0:
		e.vec(x86.VPAND, vec1, vec1, r(tmp))
	case !whole:
		e.signs(to, tmp)
		if part > 0 {
			e.a.Shl(32, x86.R(regWork1), x86.Imm(int64(8*part)))
			e.a.Or(32, x86.R(regWork2), x86.R(regWork1))
		}
	}
}

// anyDiffers sets the condition NE if a lane differs.
func (e lanewise) anyDiffers(whole bool) {
	switch {
	case e.wide():
		e.a.V(x86.Ins{Op: x86.KORTESTW, D: test0, RM: x86.K(test1)})
	case whole:
		e.signs(regWork2, vec1)
		e.a.Cmp(32, x86.R(regWork2), x86.Imm(0xff))
	default:
		e.a.Andn(32, regWork2, regWork2, x86.R(regLanes))
	}
}

// compare emits a comparison into a mask register, for the lanes of another.
func (e lanewise) compare(op x86.VOp, d uint8, k int, s vector.Vec, rm x86.Operand, relation uint8) {
	e.a.V(x86.Ins{Op: op, L: x86.Z, D: d, S: uint8(s), RM: rm, K: uint8(k), Imm: relation})
}

// signs collects the signs of a vector, with AVX2.
func (e lanewise) signs(to x86.Reg, v vector.Vec) {
	e.a.V(x86.Ins{Op: x86.VMOVMSKPS, L: x86.Y, D: uint8(to), RM: r(v)})
}

// mask makes a mask vector for a part, from a set of lanes that each word of bits repeats.
func (e lanewise) mask(m, bits vector.Vec, part int32) {
	own := e.constantRow(func(i int) uint32 { return 1 << i }).Disp(32 * part)
	e.vec(x86.VPAND, m, bits, own)
	e.vec(x86.VPCMPEQD, m, m, own)
}

// gather loads a part of the data from the places of the lanes that access.
func (e lanewise) gather(part int, at x86.Operand) {
	d := e.data(part)
	move := x86.Ins{Op: x86.VPGATHERDD, L: e.width, D: uint8(d), RM: at} // the gather clears its mask
	if e.wide() {
		move.K = test0
		e.a.V(x86.Ins{Op: x86.KMOVW, D: test0, RM: x86.K(uint8(lanesLow + part))})
	} else {
		move.S = uint8(vec2)
		e.mask(vec2, laneBits, int32(part))
	}
	e.vec(x86.VPXOR, d, d, r(d))
	e.a.V(move)
}

// storeUnder stores a part of the data, in the lanes that access.
func (e lanewise) storeUnder(part int, d vector.Vec, at x86.Operand) {
	if e.wide() {
		e.a.V(x86.Ins{Op: x86.VMOVDQUStore, L: x86.Z, D: uint8(d), RM: at, K: uint8(lanesLow + part)})
		return
	}
	e.mask(vec2, laneBits, int32(part))
	e.a.V(x86.Ins{Op: x86.VPMASKMOVDStore, L: x86.Y, D: uint8(d), S: uint8(vec2), RM: at})
}
