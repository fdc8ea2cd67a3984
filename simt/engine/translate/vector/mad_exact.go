package vector

import (
	"math"

	"jacquard/simt/engine/translate/x86"
)

// routine is a subroutine of out-of-line code.
type routine struct {
	label          x86.Label
	called, placed bool
}

// The parts of Scratch: operands and result of the exact multiply-add, and the registers that it
// destroys.
const (
	scratchResult = 3 * 64
	scratchSaved  = 4 * 64
	exactVectors  = 6
)

func (b *Builder) scratch(at int) x86.Operand {
	if b.Scratch == (x86.Operand{}) {
		panic("vector: a builder without scratch memory")
	}
	return b.Scratch.Disp(int32(at))
}

// callExact makes d the exact multiply-add of x, y and z.
func (b *Builder) callExact(form madForm, d, x, y, z Vec) {
	r := &b.madExact[form]
	if !r.called {
		*r = routine{label: b.a.NewLabel(), called: true}
	}
	for i, v := range []Vec{x, y, z} {
		b.Store(b.scratch(64*i), v)
	}
	b.a.Call(r.label)
	b.two(x86.VMOVDQU, d, Mem(b.scratch(scratchResult)))
}

// flushRoutines emits the subroutines that are called and not yet there.
func (b *Builder) flushRoutines() {
	for form := range b.madExact {
		if r := &b.madExact[form]; r.called && !r.placed {
			r.placed = true
			b.a.Bind(r.label)
			b.exactRoutine(madForm(form))
		}
	}
}

// exactRoutine saves the registers that it destroys, except RAX and RCX.
func (b *Builder) exactRoutine(form madForm) {
	b.vectors, b.masks = ^uint32(1<<exactVectors-1), ^uint8(3<<FirstMask)
	for i := range Vec(exactVectors) {
		b.Store(b.scratch(scratchSaved+64*int(i)), i)
	}
	saved := []x86.Reg{x86.RAX, x86.RCX}
	if b.Level == AVX512 {
		for i, r := range saved {
			b.a.V(x86.Ins{Op: x86.KMOVQR, D: uint8(r), RM: x86.K(FirstMask + uint8(i))})
		}
	}
	b.mode = ModeFloat
	b.Mode(ModeDouble)
	b.exact(form)
	b.Mode(ModeFloat)
	if b.Level == AVX512 {
		for i, r := range saved {
			b.a.V(x86.Ins{Op: x86.KMOVQ, D: FirstMask + uint8(i), RM: x86.R(r)})
		}
	}
	for i := range Vec(exactVectors) {
		b.two(x86.VMOVDQU, i, Mem(b.scratch(scratchSaved+64*int(i))))
	}
	b.a.Ret()
}

const (
	// lost are the bits of an f64 that do not fit in an f32.
	lost = 1<<29 - 1
	// leastRounded is the least f64 that 24 bits round to 2^-126 or more.
	leastRounded = 0x1.ffffffp-127
)

// exact computes fpu.Mad for any numbers in scratch memory, by way of f64, in which products are
// exact. A product with a zero addend is not truncated; it becomes zero if it rounds to less than
// 2^-126.
func (b *Builder) exact(form madForm) {
	for i := range 3 {
		v := b.Load(b.scratch(64 * i))
		f := b.flush(v)
		b.Store(b.scratch(64*i), f)
		b.Free(v, f)
	}
	half := b.bytes() / 2
	for h := range 2 {
		var v [3]Vec
		for i := range v {
			v[i] = b.op1(x86.VCVTPS2PD, Mem(b.scratch(64*i+h*half)))
		}
		x, y, z := v[0], v[1], v[2]
		b.in(x86.VMULPD, x, y)
		b.three(x86.VPANDQ, y, x, b.Literal64(1<<63-1))
		tiny := b.compareDouble(predicateLess, y, b.Literal64(math.Float64bits(leastRounded)))
		cut := b.compareDouble(predicateUnequal, z, b.Literal64(0))
		b.without(tiny, cut)
		b.maskBits64(x, cut, ^uint64(lost))
		b.maskBits64(x, tiny, 1<<63)
		b.addend(form, x86.VADDPD, x86.VSUBPD, x, x, z)
		b.two(x86.VCVTPD2PS, x, x)
		b.a.V(x86.Ins{Op: x86.VMOVDQUStore, L: b.Level.width() - 1, D: uint8(x),
			RM: b.scratch(scratchResult + h*half)})
		b.Free(x, y, z)
	}
	v := b.Load(b.scratch(scratchResult))
	d := b.canonical(b.flush(v))
	b.Store(b.scratch(scratchResult), d)
	b.Free(v, d)
}

// compareDouble compares f64 by a predicate of VCMPPD.
func (b *Builder) compareDouble(predicate int, x Vec, y Source) Mask {
	return b.compare(x86.VCMPPD, x, y, predicate)
}

// maskBits64 keeps certain bits of x in the lanes of m, in place, and frees m.
func (b *Builder) maskBits64(x Vec, m Mask, keep uint64) {
	if b.Level == AVX512 {
		b.under(m, x86.VPANDQ, x, x, b.Literal64(keep))
		b.FreeMask(m)
		return
	}
	v := b.op(x86.VPANDQ, x, b.Literal64(keep))
	b.replace64(x, m, v)
	b.Free(v)
}

// replace64 puts y in the lanes of 64 bits of x that m selects, and frees m.
func (b *Builder) replace64(x Vec, m Mask, y Source) {
	if b.Level == AVX512 {
		b.under(m, x86.VPBLENDMQ, x, x, y)
	} else {
		b.a.V(x86.Ins{Op: x86.VBLENDVPD, L: x86.Y, D: uint8(x), S: uint8(x), RM: operand(y), M: uint8(m)})
	}
	b.FreeMask(m)
}
