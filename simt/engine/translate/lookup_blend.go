package translate

import (
	"unsafe"

	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/mem/texture"
)

// blend writes the weighted sums of the texels around each lane's coordinates: see image.blend of
// package texture. Weights are whole numbers here, 256 in each dimension: the sums are scaled at
// the end.
func (r *reader) blend() {
	for k := range int(r.rank) {
		r.between(k)
	}
	if list := r.components(); len(list) == 1 && list[0] < int(r.channels) {
		r.once(func(careful bool) { r.sumOne(list[0], careful) })
		r.store(r.deskRow(unsafe.Offsetof(desk{}.texels), 0), sumLow)
		return
	}
	for corner := range 1 << r.rank {
		r.corner(corner)
		r.store(r.weightAt(corner, 0), weightLow)
		r.store(r.weightAt(corner, 1), weightHigh)
		for _, word := range r.words() {
			r.gather(texelLow, word)
			r.store(r.wordAt(corner, word), texelLow)
		}
	}
	for n, c := range r.components() {
		if c < int(r.channels) {
			r.once(func(careful bool) { r.sum(c, careful) })
			r.store(r.deskRow(unsafe.Offsetof(desk{}.texels), n), sumLow)
		}
	}
	r.zeros()
}

// The vector registers of a blend: f64 words of the lower and the upper lanes.
const (
	sumLow = temp0 + iota
	sumHigh
	weightLow
	weightHigh
	texelLow
	texelHigh
)

// The desk's vectors for a blend.
func (r *reader) offsetAt(k, side int) x86.Operand {
	return deskAt(unsafe.Offsetof(desk{}.offsets), 2*k+side)
}

func (r *reader) shareAt(k, side int) x86.Operand {
	return deskAt(unsafe.Offsetof(desk{}.shares), 2*k+side)
}

func (r *reader) weightAt(corner, half int) x86.Operand {
	return deskAt(unsafe.Offsetof(desk{}.weights), 2*corner+half)
}

func (r *reader) wordAt(corner, word int) x86.Operand {
	return deskAt(unsafe.Offsetof(desk{}.words), 4*corner+word)
}

// between finds the texels before and after coordinate k, and their weights.
func (r *reader) between(k int) {
	const fixed, low, high, scale = temp0, temp0 + 1, temp0 + 2, temp0 + 3
	r.coordinate(k, fixed)
	r.doubles(x86.VCVTPS2PD, low, high, fixed)
	r.op(x86.VPBROADCASTQ, scale, 0, viewAt(unsafe.Offsetof(view{}.scale)+uintptr(8*k)))
	r.op(x86.VFMADD213PD, low, scale, r.double(0.5)) // the product is exact
	r.op(x86.VFMADD213PD, high, scale, r.double(0.5))
	r.floors(fixed, low, high)
	r.op(x86.VPSUBD, fixed, fixed, r.bcst(128))
	r.op(x86.VPANDD, low, fixed, r.bcst(255))
	r.store(r.shareAt(k, 1), low)
	r.op(x86.VPBROADCASTD, high, 0, r.word(256))
	r.op(x86.VPSUBD, high, high, r.v(low))
	r.store(r.shareAt(k, 0), high)

	r.shift(x86.VPSRADi, fixed, fixed, 8)
	r.move(k, fixed)
	const after = temp0 + 1
	r.op(x86.VPADDD, after, fixed, r.bcst(1))
	for side, index := range [...]vector.Vec{fixed, after} {
		r.place(k, index)
		if k == 0 {
			r.addLayer(index, temp0+2)
		}
		r.store(r.offsetAt(k, side), index)
	}
}

// corner finds one of the texels around the coordinates, and its weight. Bit k of the corner's
// number is its side in dimension k.
func (r *reader) corner(corner int) {
	const weight = texelLow
	r.load(texelAt, r.offsetAt(0, corner&1))
	r.load(weight, r.shareAt(0, corner&1))
	if r.borders() {
		r.op(x86.VMOVDQA32, texelOut, 0, r.v(texelAt))
	}
	for k := 1; k < int(r.rank); k++ {
		side := corner >> k & 1
		if r.borders() {
			r.op(x86.VPORD, texelOut, texelOut, r.offsetAt(k, side))
		}
		r.op(x86.VPADDD, texelAt, texelAt, r.offsetAt(k, side))
		r.op(x86.VPMULLD, weight, weight, r.shareAt(k, side))
	}
	r.doubles(x86.VCVTDQ2PD, weightLow, weightHigh, weight)
	r.findInside()
}

// once blends a component by a function, and turns the sums into registers. Texels of weight 0 do
// not count, because they may be infinite or NaN. The function looks at weights only if careful is
// set. If a sum is NaN, the blend runs again with careful set; other sums are the same either way.
func (r *reader) once(blend func(careful bool)) {
	unit := r.double(1 / float64(int(1)<<(8*r.rank)))
	finish := func() {
		for _, v := range [...]vector.Vec{sumLow, sumHigh} {
			r.op(x86.VMULPD, v, v, unit)
			r.op(x86.VCVTPD2PS, v, 0, r.v(v))
		}
		r.join(sumLow, sumLow, sumHigh)
	}
	blend(false)
	finish()
	if r.format != texture.FormatF32 {
		return
	}
	again, done := r.NewLabel(), r.NewLabel()
	r.undefined(maskScratch, r.lanes(), sumLow)
	r.count(maskScratch)
	r.Jcc(x86.NE, again)
	r.Bind(done)
	r.aside(func() {
		r.Bind(again)
		blend(true)
		finish()
		r.undefined(maskScratch, r.lanes(), sumLow)
		r.under(maskScratch, x86.VPBROADCASTD, sumLow, 0, r.word(0x7fffffff))
		r.Jmp(done)
	})
}

// sumOne blends the only component that is wanted.
func (r *reader) sumOne(c int, careful bool) {
	for corner := range 1 << r.rank {
		r.corner(corner)
		r.gather(texelLow, r.wordOf(c))
		r.component(texelLow, texelLow, c)
		r.doubles(x86.VCVTPS2PD, texelLow, texelHigh, texelLow)
		r.accumulate(corner == 0, careful, r.v(weightLow), r.v(weightHigh))
	}
}

// sum blends a component of texels on the desk.
func (r *reader) sum(c int, careful bool) {
	for corner := range 1 << r.rank {
		word := r.wordAt(corner, r.wordOf(c))
		if r.format == texture.FormatF32 {
			r.op(x86.VCVTPS2PD, texelLow, 0, word)
			r.op(x86.VCVTPS2PD, texelHigh, 0, word.Disp(int32(r.bytes()/2)))
		} else {
			r.load(texelLow, word)
			r.component(texelLow, texelLow, c)
			r.doubles(x86.VCVTPS2PD, texelLow, texelHigh, texelLow)
		}
		low, high := r.weightAt(corner, 0), r.weightAt(corner, 1)
		if careful {
			r.load(weightLow, low)
			r.load(weightHigh, high)
		}
		r.accumulate(corner == 0, careful, low, high)
	}
}

// accumulate adds the weighted texels to the sums. The products are exact. With careful set, the
// weights must also be in registers.
func (r *reader) accumulate(first, careful bool, low, high x86.Operand) {
	for half, weight := range [...]x86.Operand{low, high} {
		sum, texel, k := sumLow+vector.Vec(half), texelLow+vector.Vec(half), uint8(0)
		if careful {
			k = maskScratch
			w := weightLow + vector.Vec(half)
			r.someDouble(maskScratch, w)
		}
		if first {
			r.zero(sum)
		}
		r.under(k, x86.VFMADD231PD, sum, texel, weight)
	}
}
