package translate

import (
	"encoding/binary"
	"math"
	"unsafe"

	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/mem/texture"
)

// reader emits the code of a lookup. The code takes the lanes in regLanes, the view in regSite and
// the coordinates on the desk. It puts texels on the desk, or does nothing but set the carry if the
// interpreter must execute the instruction. It computes what package texture does: see there for
// reasons.
//
// Each half-warp goes its own way. The code changes the vector registers from firstAccess on.
//
// Many methods: each emits one step of a lookup.
type reader struct {
	*x86.Assembler
	lookup
	fail x86.Label
	cold [2][]func() // by half-warp
	part int         // the half-warp
}

// The vector registers of a lookup.
const (
	texelAt  vector.Vec = firstAccess + iota // bytes from the first texel
	texelOut                                 // its sign: the texel is at the border
	temp0                                    // to temp0+5: scratch
)

// Mask registers of a lookup, besides lanesLow and lanesHigh.
const (
	maskInside  = 5 // the lanes with texels
	maskScratch = 6
)

// regTexels is the first texel in the host.
const regTexels = regHost

// emit returns the code of a lookup.
func (l lookup) emit() []byte {
	r := &reader{Assembler: x86.New(true), lookup: l}
	r.fail = r.NewLabel()
	r.mode(vector.ModeDouble)
	r.V(x86.Ins{Op: x86.KMOVD, D: lanesLow, RM: x86.R(regLanes)})
	r.V(x86.Ins{Op: x86.KSHIFTRD, D: lanesHigh, RM: x86.K(lanesLow), Imm: 16})
	r.Mov(64, x86.R(regTexels), viewAt(unsafe.Offsetof(view{}.host)))
	for r.part = range 2 {
		idle := r.NewLabel()
		r.count(r.lanes())
		r.Jcc(x86.E, idle)
		if r.Filter {
			r.blend()
		} else {
			r.nearest()
		}
		r.Bind(idle)
	}
	r.mode(vector.ModeFloat)
	r.Test(32, x86.R(regLanes), x86.R(regLanes)) // no carry
	r.Ret()
	for r.part = range 2 {
		for i := 0; i < len(r.cold[r.part]); i++ { // they add others
			r.cold[r.part][i]()
		}
	}
	r.Bind(r.fail)
	r.mode(vector.ModeFloat)
	r.Cmp(32, x86.R(x86.RSP), x86.Imm(-1)) // carry
	r.Ret()
	return r.Finish()
}

// aside has code emitted after the main line.
func (r *reader) aside(f func()) { r.cold[r.part] = append(r.cold[r.part], f) }

// mode changes the mode if denormal texels are blended.
func (r *reader) mode(m vector.Mode) {
	if r.Filter && r.format == texture.FormatF32 {
		r.V(x86.Ins{Op: x86.VLDMXCSR, RM: r.word(uint32(m))})
	}
}

func (r *reader) lanes() uint8 { return uint8(lanesLow + r.part) }

// word is a word in memory; bcst is one for all lanes.
func (r *reader) word(v uint32) x86.Operand {
	return r.Const(binary.LittleEndian.AppendUint32(nil, v), 4)
}

func (r *reader) bcst(v uint32) x86.Operand { return r.word(v).Bcst() }

// double is an f64 for all lanes.
func (r *reader) double(v float64) x86.Operand {
	return r.Const(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)), 8).Bcst()
}

// of is a number of dimension k in the view, for all lanes.
func (r *reader) of(field uintptr, size, k int) x86.Operand {
	return viewAt(field + uintptr(size*k)).Bcst()
}

func (r *reader) op(op x86.VOp, d, s vector.Vec, rm x86.Operand) {
	r.V(x86.Ins{Op: op, L: x86.Z, D: uint8(d), S: uint8(s), RM: rm})
}

// under is op in the lanes of a mask; the others stay.
func (r *reader) under(k uint8, op x86.VOp, d, s vector.Vec, rm x86.Operand) {
	r.V(x86.Ins{Op: op, L: x86.Z, D: uint8(d), S: uint8(s), RM: rm, K: k})
}

func (r *reader) shift(op x86.VOp, d, s vector.Vec, n int) {
	r.V(x86.Ins{Op: op, L: x86.Z, D: uint8(d), RM: x86.V(uint8(s)), Imm: uint8(n)})
}

// test compares into a mask, in the lanes of another, 0 for all.
func (r *reader) test(op x86.VOp, d, k uint8, s vector.Vec, rm x86.Operand, predicate uint8) {
	r.V(x86.Ins{Op: op, L: x86.Z, D: d, S: uint8(s), RM: rm, K: k, Imm: predicate})
}

// count sets the flags by a mask: E if it has no lane, B if it has all.
func (r *reader) count(k uint8) { r.V(x86.Ins{Op: x86.KORTESTW, D: k, RM: x86.K(k)}) }

func (r *reader) zero(v vector.Vec) { r.op(x86.VPXORD, v, v, x86.V(uint8(v))) }

func (r *reader) load(v vector.Vec, from x86.Operand) { r.op(x86.VMOVDQU32, v, 0, from) }

func (r *reader) store(to x86.Operand, v vector.Vec) { r.op(x86.VMOVDQU32Store, v, 0, to) }

// upper is the upper half of a vector.
func (r *reader) upper(d, s vector.Vec) {
	r.V(x86.Ins{Op: x86.VEXTRACTF64X4, L: x86.Z, D: uint8(d), RM: x86.V(uint8(s)), Imm: 1})
}

// join is a vector of two halves.
func (r *reader) join(d, low, high vector.Vec) {
	r.V(x86.Ins{Op: x86.VINSERTF64X4, L: x86.Z, D: uint8(d), S: uint8(low), RM: x86.V(uint8(high)), Imm: 1})
}

// doubles widens f32 to f64: of the lower lanes to a, of the upper to b, which is not s.
func (r *reader) doubles(op x86.VOp, a, b, s vector.Vec) {
	r.upper(b, s)
	r.op(op, a, 0, x86.V(uint8(s)))
	r.op(op, b, 0, x86.V(uint8(b)))
}

// floors rounds f64 down to the integers in d: the lower lanes are in a, the upper in b.
func (r *reader) floors(d, a, b vector.Vec) {
	for _, v := range [...]vector.Vec{a, b} {
		r.V(x86.Ins{Op: x86.VCVTPD2DQ, L: x86.Z, D: uint8(v), RM: x86.V(uint8(v)), Round: x86.RD})
	}
	r.join(d, a, b)
}

// nearest reads the texel at each lane's coordinates.
func (r *reader) nearest() {
	const index = temp0
	for k := range int(r.rank) {
		r.coordinate(k, index)
		switch {
		case r.fetch:
		case r.Normalized:
			r.doubles(x86.VCVTPS2PD, temp0+1, temp0+2, index)
			r.op(x86.VMULPD, temp0+1, temp0+1, r.of(unsafe.Offsetof(view{}.scale), 8, k))
			r.op(x86.VMULPD, temp0+2, temp0+2, r.of(unsafe.Offsetof(view{}.scale), 8, k))
			r.floors(index, temp0+1, temp0+2)
		default:
			r.V(x86.Ins{Op: x86.VCVTPS2DQ, L: x86.Z, D: uint8(index), RM: x86.V(uint8(index)), Round: x86.RD})
		}
		r.move(k, index)
		r.place(k, index)
		if k == 0 {
			r.op(x86.VMOVDQA32, texelAt, 0, x86.V(uint8(index)))
			r.op(x86.VMOVDQA32, texelOut, 0, x86.V(uint8(index)))
			continue
		}
		r.op(x86.VPADDD, texelAt, texelAt, x86.V(uint8(index)))
		if r.borders() {
			r.op(x86.VPORD, texelOut, texelOut, x86.V(uint8(index)))
		}
	}
	r.addLayer(texelAt, temp0)
	r.findInside()
	for _, word := range r.words() {
		r.gather(temp0, word)
		for n, c := range r.components() {
			if c < int(r.channels) && r.wordOf(c) == word {
				r.component(temp0+1, temp0, c)
				r.store(deskAt(unsafe.Offsetof(desk{}.texels), 2*n+r.part), temp0+1)
			}
		}
	}
	r.zeros()
}
