package ptxreference

import (
	"math/bits"

	"jacquard/ptx"
)

// width returns the bits of a value, 0 if the type has no size that registers hold.
func width(t ptx.Type) int {
	switch t {
	case ptx.Pred:
		return 1
	case ptx.U2, ptx.S2:
		return 2
	case ptx.U4, ptx.S4:
		return 4
	case ptx.B8, ptx.U8, ptx.S8:
		return 8
	case ptx.B16, ptx.U16, ptx.S16, ptx.F16, ptx.BF16:
		return 16
	case ptx.B32, ptx.U32, ptx.S32, ptx.F32, ptx.F16x2, ptx.BF16x2, ptx.U16x2,
		ptx.S16x2:
		return 32
	case ptx.B64, ptx.U64, ptx.S64, ptx.F64, ptx.TexRef, ptx.SamplerRef, ptx.SurfRef:
		return 64
	}
	return 0
}

func signed(t ptx.Type) bool {
	return t == ptx.S2 || t == ptx.S4 || t == ptx.S8 || t == ptx.S16 || t == ptx.S32 || t == ptx.S64
}

func unsigned(t ptx.Type) bool {
	return t == ptx.U2 || t == ptx.U4 || t == ptx.U8 || t == ptx.U16 || t == ptx.U32 || t == ptx.U64
}

func untyped(t ptx.Type) bool {
	return t == ptx.B8 || t == ptx.B16 || t == ptx.B32 || t == ptx.B64
}

func integer(t ptx.Type) bool { return signed(t) || unsigned(t) || untyped(t) }

// ones returns a mask of n bits, 0 to 64.
func ones(n int) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<n - 1
}

// signExtend returns the low n bits of x as a signed number, n from 1 to 64.
func signExtend(x uint64, n int) int64 { return int64(x<<(64-n)) >> (64 - n) }

// extend returns x as a register holds it that is wider than the type.
func extend(x uint64, t ptx.Type) uint64 {
	if signed(t) {
		return uint64(signExtend(x, width(t)))
	}
	return x & ones(width(t))
}

// mostBytes bounds a variable, so that a module cannot ask for all of the host's memory.
const mostBytes = 1 << 28

// sizeOf returns the bytes of a variable; ok is false if there are too many.
func sizeOf(v *ptx.Var) (n int, ok bool) {
	size := uint64((width(v.Type) + 7) / 8)
	if v.Type == ptx.B128 {
		size = 16
	}
	for _, d := range append([]int{max(v.Vector, 1)}, v.Dims...) {
		if d < 0 {
			return 0, false
		}
		hi, lo := bits.Mul64(size, uint64(d))
		if hi != 0 || lo > mostBytes {
			return 0, false
		}
		size = lo
	}
	return int(size), true
}

// alignOf returns the alignment of a variable; ok is false if it is no power of two or too great.
func alignOf(v *ptx.Var) (n int, ok bool) {
	n = max(v.Align, 1)
	return n, n&(n-1) == 0 && n <= 1<<16
}

func roundUp(n, align int) int { return (n + align - 1) &^ (align - 1) }

// area hands out the bytes of a memory one variable after the other.
type area struct{ size int }

// place returns the offset of a variable. ok is false if the variable does not fit.
func (a *area) place(v *ptx.Var) (offset int, ok bool) {
	size, ok := sizeOf(v)
	align, fine := alignOf(v)
	if !ok || !fine || a.size > mostBytes {
		return 0, false
	}
	offset = roundUp(a.size, align)
	a.size = offset + size
	return offset, true
}
