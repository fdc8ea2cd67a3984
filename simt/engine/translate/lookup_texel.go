package translate

import (
	"math"
	"unsafe"

	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/mem/texture"
)

// A texel is one to four words of memory, or a part of one.

// components returns the components wanted.
func (r *reader) components() (list []int) {
	for c := range 4 {
		if r.wanted>>c&1 != 0 {
			list = append(list, c)
		}
	}
	return list
}

// wordOf returns the word of a texel that holds a component.
func (r *reader) wordOf(c int) int { return c * r.format.Size() / 4 }

// words returns the words of a texel that hold wanted components.
func (r *reader) words() (list []int) {
	for _, c := range r.components() {
		if w := r.wordOf(c); c < int(r.channels) && (len(list) == 0 || list[len(list)-1] != w) {
			list = append(list, w)
		}
	}
	return list
}

// gather loads a word of each texel, 0 for texels outside. Texels of less than a word are in the
// low bits; the bits above are undefined. It changes the register after d.
func (r *reader) gather(d vector.Vec, word int) {
	if r.size() > 4 {
		r.gatherWords(d, word)
		return
	}
	apart, done := r.NewLabel(), r.NewLabel()
	r.inRun(d+1, apart)
	if !r.Filter { // a filter reads several texels in turn
		r.ahead()
	}
	at := x86.At(regTexels, 0).Index(regWork0, 1)
	switch r.size() {
	case 1:
		r.op(x86.VPMOVZXBD, d, 0, at)
	case 2:
		r.op(x86.VPMOVZXWD, d, 0, at)
	default:
		r.load(d, at)
	}
	r.Bind(done)
	r.aside(func() {
		r.Bind(apart)
		if r.size() < 4 {
			r.gatherParts(d)
		} else {
			r.gatherWords(d, 0)
		}
		r.Jmp(done)
	})
}

// inRun jumps to apart unless the lanes read a whole row of texels, one after the other; otherwise
// regWork0 gets the offset of the first texel.
func (r *reader) inRun(t vector.Vec, apart x86.Label) {
	r.op(x86.VPBROADCASTD, t, 0, r.v(texelAt))
	r.op(x86.VPADDD, t, t, r.row(func(i int) uint32 { return uint32(r.size() * i) }))
	r.equal(maskScratch, maskInside, t, r.v(texelAt))
	r.count(maskScratch)
	r.Jcc(x86.AE, apart)
	r.V(x86.Ins{Op: x86.VMOVDR, D: uint8(regWork0), RM: r.v(texelAt)})
}

// gatherWords loads a word of each texel.
func (r *reader) gatherWords(d vector.Vec, word int) {
	r.gatherAt(d, int32(4*word), texelAt)
}

// gatherParts loads the words that hold the texels, and shifts the texels down.
func (r *reader) gatherParts(d vector.Vec) {
	t := d + 1
	r.op(x86.VPANDD, t, texelAt, r.bcst(^uint32(3)))
	r.gatherAt(d, 0, t)
	r.shift(x86.VPSLLDi, t, texelAt, 3)
	r.op(x86.VPANDD, t, t, r.bcst(31))
	r.op(x86.VPSRLVD, d, d, r.v(t))
}

// component takes a component from its word, as the register that it becomes.
func (r *reader) component(d, word vector.Vec, c int) {
	size := 8 * r.format.Size()
	if size == 32 {
		r.op(x86.VMOVDQA32, d, 0, r.v(word))
		return
	}
	greatest := float32(uint32(1)<<size - 1)
	signed := r.format == texture.FormatS8 || r.format == texture.FormatS16
	right := x86.VPSRLDi
	if signed {
		greatest = float32(uint32(1)<<(size-1) - 1)
		right = x86.VPSRADi
	}
	if up := 32 - size - c*size%32; up > 0 {
		r.shift(x86.VPSLLDi, d, word, up)
		word = d
	}
	r.shift(right, d, word, 32-size)
	if r.integer {
		return
	}
	r.op(x86.VCVTDQ2PS, d, 0, r.v(d))
	r.op(x86.VDIVPS, d, d, r.bcst(math.Float32bits(greatest)))
	if signed {
		r.op(x86.VMAXPS, d, d, r.bcst(math.Float32bits(-1)))
	}
}

// zeros are the components that the format lacks.
func (r *reader) zeros() {
	for n, c := range r.components() {
		if c >= int(r.channels) {
			r.zero(temp0)
			r.store(r.deskRow(unsafe.Offsetof(desk{}.texels), n), temp0)
		}
	}
}
