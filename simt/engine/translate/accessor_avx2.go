package translate

import (
	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/program"
)

// accessor2 is the accessor for AVX2. Offsets of elements are in scratch row 0.
type accessor2 struct{ *emitter }

// The vector registers of routines, which instructions claim for a call.
const (
	vec0 vector.Vec = 11 + iota
	vec1
	vec2
	vec3
)

func (e accessor2) ifOne(x86.Label) {}

func (e accessor2) claim() {
	for v := vec0; v <= vec3; v++ {
		if e.cells[v].row != noRow {
			e.save(int(v))
			e.drop(int(v))
		}
		e.Take(v)
	}
}

func (e accessor2) release() { e.Free(vec0, vec1, vec2, vec3) }

func (e accessor2) setAddress(part int, v vector.Vec) { e.Store(addressesAt(32*int32(part)), v) }
func (e accessor2) setData(part int, v vector.Vec)    { e.Store(dataAt(0, 32*int32(part)), v) }

func (e accessor2) loaded(part int) vector.Vec {
	return e.temporary(e.Load(dataAt(0, 32*int32(part))))
}

func (e accessor2) start() {}

func (e accessor2) first(to x86.Reg) { e.a.Mov(32, x86.R(to), addressesAt(0)) }

func (e accessor2) second(to x86.Reg) { e.a.Mov(32, x86.R(to), addressesAt(64)) }

func (e accessor2) ifSame(same x86.Label) {
	const bits = vec2
	not := e.a.NewLabel()
	e.a.Tzcnt(32, regWork2, x86.R(regLanes))
	e.vec(x86.VPBROADCASTD, vec0, 0, addressesAt(0).Index(regWork2, 4))
	e.fill(bits, regLanes)
	for part := range int32(4) {
		e.vec(x86.VPCMPEQD, vec1, vec0, addressesAt(32*part))
		e.mask(vec3, bits, part)
		e.vec(x86.VPANDN, vec1, vec1, r(vec3))
		e.signs(regWork2, vec1)
		e.a.Test(32, x86.R(regWork2), x86.R(regWork2))
		e.a.Jcc(x86.NE, not)
	}
	e.a.V(x86.Ins{Op: x86.VMOVDR, D: uint8(regWork2), RM: r(vec0)})
	e.a.Jmp(same)
	e.a.Bind(not)
}

func (e accessor2) ifHalvesSame(same x86.Label) { e.ifSame(same) }

func (e accessor2) sameAddresses() {
	e.a.Mov(32, x86.R(regWork0), x86.R(regWork2))
}

func (e accessor2) loadSame(low, _ x86.Operand) {
	e.vec(x86.VPBROADCASTD, vec0, 0, low)
	for part := range int32(4) {
		e.vec(x86.VMOVDQUStore, vec0, 0, dataAt(0, 32*part))
	}
}

func (e accessor2) moveRows(k kind) {
	const d, m, lanes = vec0, vec1, vec2
	e.fill(lanes, regLanes)
	for part := range int32(4) {
		e.mask(m, lanes, part)
		for i := range k.words() {
			row, data := x86.At(regHost, int32(i)*rowBytes+32*part), dataAt(i, 32*part)
			if k.store {
				e.vec(x86.VMOVDQU, d, 0, data)
				e.a.V(x86.Ins{Op: x86.VPMASKMOVDStore, L: x86.Y, D: uint8(d), S: uint8(m), RM: row})
				continue
			}
			e.vec(x86.VMOVDQU, d, 0, row)
			e.vec(x86.VMOVDQUStore, d, 0, data)
		}
	}
}

// signs collects the signs of a vector.
func (e accessor2) signs(to x86.Reg, v vector.Vec) {
	e.a.V(x86.Ins{Op: x86.VMOVMSKPS, L: x86.Y, D: uint8(to), RM: r(v)})
}

func (e accessor2) check(k kind, fail x86.Label) {
	const off, last, fit, low, tmp = vec0, vec1, vec2, vec3, vec3
	e.fill(last, regWork1)
	if k.space == program.SpaceGlobal {
		e.vec(x86.VPBROADCASTD, low, 0, siteLow)
	}
	e.a.Xor(32, x86.R(regWork2), x86.R(regWork2))
	for part := range int32(4) {
		e.vec(x86.VMOVDQU, off, 0, addressesAt(32*part))
		if k.space == program.SpaceGlobal {
			e.vec(x86.VPSUBD, off, off, r(low))
		}
		// The offset of an element that fits, the same for one that is there.
		e.vec(x86.VPAND, fit, off, operand(e.Literal(-k.size())))
		e.vec(x86.VPMINUD, fit, fit, r(last))
		e.vec(x86.VPCMPEQD, fit, fit, r(off))
		e.signs(regWork0, fit)
		e.a.Shl(32, x86.R(regWork0), x86.Imm(int64(8*part)))
		e.a.Or(32, x86.R(regWork2), x86.R(regWork0))
		if k.space == program.SpaceLocal {
			e.spread(off, tmp, part)
		}
		e.vec(x86.VMOVDQUStore, off, 0, scratchAt(0, 32*part))
	}
	e.a.Andn(32, regWork0, regWork2, x86.R(regLanes))
	e.a.Jcc(x86.NE, fail)
}

func (e accessor2) offset(half int, to x86.Reg) {
	e.a.Mov(32, x86.R(to), scratchAt(0, 64*int32(half)))
}

// spread turns offsets in local memory into offsets in its rows.
func (e accessor2) spread(v, tmp vector.Vec, part int32) {
	e.vec(x86.VPAND, tmp, v, operand(e.Literal(3)))
	e.shiftBy(x86.VPSRLDi, v, v, 2)
	e.shiftBy(x86.VPSLLDi, v, v, 7)
	e.vec(x86.VPADDD, v, v, e.elementOffsets(4).Disp(32*part))
	e.vec(x86.VPADDD, v, v, r(tmp))
}

// fill puts a general register in every lane of a vector.
func (e accessor2) fill(v vector.Vec, from x86.Reg) {
	e.a.V(x86.Ins{Op: x86.VMOVD, D: uint8(v), RM: x86.R(from)})
	e.vec(x86.VPBROADCASTD, v, 0, r(v))
}

// mask sets the lanes of a part whose bits are set in each word of a vector to ones, others to 0.
func (e accessor2) mask(m, bits vector.Vec, part int32) {
	own := e.constantRow(func(i int) uint32 { return 1 << i }).Disp(32 * part)
	e.vec(x86.VPAND, m, bits, own)
	e.vec(x86.VPCMPEQD, m, m, own)
}

func (e accessor2) move(k kind) {
	switch {
	case k.words() > 1 && k.space == program.SpaceGlobal:
		e.moveApart(k)
	case k.store:
		e.storeLaneByLane(k)
	case k.size() >= 4:
		e.loadWords(k)
	default:
		e.loadParts(k)
	}
}

// copyElement copies an element by one access of each place.
func (e accessor2) copyElement(k kind, to, from x86.Operand) {
	if k.size() == 8 {
		e.a.Mov(64, x86.R(regWork1), from)
		e.a.Mov(64, to, x86.R(regWork1))
		return
	}
	e.a.V(x86.Ins{Op: x86.VMOVDQU, L: x86.X, D: uint8(vec0), RM: from})
	e.a.V(x86.Ins{Op: x86.VMOVDQUStore, L: x86.X, D: uint8(vec0), RM: to})
}

// loadWords loads words, or elements of several words in local memory.
func (e accessor2) loadWords(k kind) {
	const off, d, m, lanes = vec0, vec1, vec2, vec3
	e.fill(lanes, regLanes)
	for part := range int32(4) {
		e.vec(x86.VMOVDQU, off, 0, scratchAt(0, 32*part))
		for i := range k.words() {
			at := x86.At(regHost, rowBytes*int32(i)).Gather(uint8(off), 1)
			e.mask(m, lanes, part) // the gather clears it
			e.vec(x86.VPXOR, d, d, r(d))
			e.vec(x86.VPGATHERDD, d, m, at)
			e.vec(x86.VMOVDQUStore, d, 0, dataAt(i, 32*part))
		}
	}
}

// loadParts loads elements that are parts of words, one after the other.
func (e accessor2) loadParts(k kind) {
	e.eachLane(func() {
		from, size := x86.At(regHost, 0).Index(regSite, 1), int(8*k.size())
		if k.signed() {
			e.a.MovSX(32, regWork1, size, from)
		} else {
			e.a.MovZX(32, regWork1, size, from)
		}
		e.a.Mov(32, dataAt(0, 0).Index(regWork0, 4), x86.R(regWork1))
	})
}
