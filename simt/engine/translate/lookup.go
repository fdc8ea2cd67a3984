package translate

import (
	"unsafe"

	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/mem/texture"
)

// reader emits the code of a lookup. The code takes the lanes in regLanes, the view in regSite and
// the coordinates on the desk. It puts texels on the desk, or does nothing but set the carry if the
// interpreter must execute the instruction. It computes what package texture computes, whose
// comments give the reasons.
//
// Each part of the warp has its own control flow. The code changes the vector registers from
// firstAccess on; with AVX2 it may change all.
type reader struct {
	*x86.Assembler
	lookup
	level vector.Level
	fail  x86.Label
	cold  [mostParts][]func() // by part
	part  int                 // of the warp: the lanes of a vector
}

// The vector registers of a lookup, as AVX512 numbers them: see reader.register.
const (
	texelAt  vector.Vec = firstAccess + iota // bytes from the first texel
	texelOut                                 // sign bit: the texel is at the border
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
func (l lookup) emit(level vector.Level) []byte {
	r := &reader{Assembler: x86.New(level == vector.AVX512), lookup: l, level: level}
	r.fail = r.NewLabel()
	r.mode(vector.ModeDouble)
	r.start()
	r.Mov(64, x86.R(regTexels), viewAt(unsafe.Offsetof(view{}.host)))
	for r.part = range level.Parts() {
		idle := r.NewLabel()
		r.startPart()
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
	for r.part = range level.Parts() {
		for i := 0; i < len(r.cold[r.part]); i++ { // cold code may add cold code
			r.cold[r.part][i]()
		}
	}
	r.Bind(r.fail)
	r.mode(vector.ModeFloat)
	r.Cmp(32, x86.R(x86.RSP), x86.Imm(-1)) // carry
	r.Ret()
	return r.Finish()
}

// aside moves code out of the main line.
func (r *reader) aside(f func()) { r.cold[r.part] = append(r.cold[r.part], f) }

// mode changes the mode if denormal texels are blended.
func (r *reader) mode(m vector.Mode) {
	if r.Filter && r.format == texture.FormatF32 {
		r.V(x86.Ins{Op: x86.VLDMXCSR, RM: r.word(uint32(m))})
	}
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
			r.floor(index)
		}
		r.move(k, index)
		r.place(k, index)
		if k == 0 {
			r.op(x86.VMOVDQA32, texelAt, 0, r.v(index))
			r.op(x86.VMOVDQA32, texelOut, 0, r.v(index))
			continue
		}
		r.op(x86.VPADDD, texelAt, texelAt, r.v(index))
		if r.borders() {
			r.op(x86.VPORD, texelOut, texelOut, r.v(index))
		}
	}
	r.addLayer(texelAt, temp0)
	r.findInside()
	for _, word := range r.words() {
		r.gather(temp0, word)
		for n, c := range r.components() {
			if c < int(r.channels) && r.wordOf(c) == word {
				r.component(temp0+1, temp0, c)
				r.store(r.deskRow(unsafe.Offsetof(desk{}.texels), n), temp0+1)
			}
		}
	}
	r.zeros()
}
