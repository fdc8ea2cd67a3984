package translate

import (
	"math/bits"
	"unsafe"

	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/mem/texture"
)

// Coordinates become texel indices, and indices become offsets in bytes.

// coordinate loads coordinate k, and fails if it is too large. Denormals become normal numbers in
// the same texels, because the host treats denormals as zeros. That is not needed if -1 is clamped
// to 0, nor for a blend.
func (r *reader) coordinate(k int, d vector.Vec) {
	if k >= int(r.coords) {
		r.zero(d)
		return
	}
	r.load(d, r.deskRow(unsafe.Offsetof(desk{}.coords), k))
	if r.fetch {
		return
	}
	const absolute = temp0 + 1
	r.op(x86.VPANDD, absolute, d, r.bcst(1<<31-1))
	r.atLeast(maskScratch, r.lanes(), absolute, r.of(unsafe.Offsetof(view{}.limit), 4, k))
	r.count(maskScratch)
	r.Jcc(x86.NE, r.fail)
	if !r.Filter && (r.Address[k] != texture.Clamp || r.offset[k] != 0) {
		r.none(maskScratch, 0, absolute, r.bcst(0x7f800000))
		r.some(maskScratch, maskScratch, absolute, r.v(absolute))
		r.under(maskScratch, x86.VPORD, d, d, r.bcst(1<<23))
	}
}

// move adds the instruction's offset to indices.
func (r *reader) move(k int, index vector.Vec) {
	if r.offset[k] != 0 {
		r.op(x86.VPADDD, index, index, r.bcst(uint32(int32(r.offset[k]))))
	}
}

// borders reports whether a texel may be at the border.
func (r *reader) borders() bool {
	for _, mode := range r.Address[:r.rank] {
		if mode == texture.Border {
			return true
		}
	}
	return false
}

// place turns indices of dimension k into byte offsets, negative offsets at the border. It changes
// temp0+2 and higher registers.
func (r *reader) place(k int, index vector.Vec) {
	const t = temp0 + 2
	beyond := func(lanes uint8) {
		r.atLeast(maskScratch, lanes, index, r.of(unsafe.Offsetof(view{}.extent), 4, k))
	}
	mode := r.Address[k]
	switch mode {
	case texture.Clamp:
		r.zero(t)
		r.op(x86.VPMAXSD, index, index, r.v(t))
		r.op(x86.VPMINSD, index, index, r.of(unsafe.Offsetof(view{}.last), 4, k))
	case texture.Border:
		beyond(0)
	default:
		again, within := r.NewLabel(), r.NewLabel()
		beyond(r.lanes())
		r.count(maskScratch)
		r.Jcc(x86.NE, again)
		r.Bind(within)
		r.aside(func() {
			r.Bind(again)
			r.repeat(k, index)
			r.Jmp(within)
		})
	}
	if k == 0 {
		if log := bits.TrailingZeros(uint(r.size())); log > 0 {
			r.shift(x86.VPSLLDi, index, index, log)
		}
	} else {
		r.op(x86.VPMULLD, index, index, r.of(unsafe.Offsetof(view{}.step), 4, k))
	}
	if mode == texture.Border {
		r.under(maskScratch, x86.VPBROADCASTD, index, 0, r.word(1<<31))
	}
}

// repeat maps indices outside a texture that repeats to indices inside. The quotient of an exact
// multiple may come out one too low; other quotients are right.
func (r *reader) repeat(k int, index vector.Vec) {
	const low, high = temp0 + 2, temp0 + 3
	inverse := func() x86.Operand { return r.of(unsafe.Offsetof(view{}.inverse), 8, k) }
	period := func() x86.Operand { return r.of(unsafe.Offsetof(view{}.period), 4, k) }
	r.doubles(x86.VCVTDQ2PD, low, high, index)
	r.op(x86.VMULPD, low, low, inverse())
	r.op(x86.VMULPD, high, high, inverse())
	r.floors(low, low, high)
	r.op(x86.VPMULLD, low, low, period())
	r.op(x86.VPSUBD, index, index, r.v(low))
	r.op(x86.VPSUBD, low, index, period())
	r.op(x86.VPMINUD, index, index, r.v(low))
	if r.Address[k] == texture.Mirror {
		r.op(x86.VPBROADCASTD, low, 0, viewAt(unsafe.Offsetof(view{}.turn)+uintptr(4*k)))
		r.op(x86.VPSUBD, low, low, r.v(index))
		r.op(x86.VPMINUD, index, index, r.v(low))
	}
}

// addLayer adds the offset of the layer, which an integer coordinate selects.
func (r *reader) addLayer(to, t vector.Vec) {
	k := int(r.rank)
	if !r.layered || k >= int(r.coords) {
		return
	}
	r.zero(t)
	r.op(x86.VPMAXSD, t, t, r.deskRow(unsafe.Offsetof(desk{}.coords), k))
	r.op(x86.VPMINSD, t, t, r.of(unsafe.Offsetof(view{}.layer), 4, 0))
	r.op(x86.VPMULLD, t, t, r.of(unsafe.Offsetof(view{}.step), 4, k))
	r.op(x86.VPADDD, to, to, r.v(t))
}

// findInside finds the lanes whose texels are not at the border.
func (r *reader) findInside() {
	if !r.borders() {
		r.copyMask(maskInside, r.lanes())
		return
	}
	r.unsigned(maskInside, r.lanes(), texelOut)
}
