package ptxreference

import (
	"math/bits"

	"jacquard/ptx"
)

// wordType is how integer operations see a type.
type wordType struct {
	t      ptx.Type
	bits   int
	signed bool
}

func wordOf(t ptx.Type) wordType { return wordType{t, width(t), signed(t)} }

func (w wordType) int(x uint64) int64 { return signExtend(x, w.bits) }

func (w wordType) negative(x uint64) bool { return w.signed && w.int(x) < 0 }

func (w wordType) less(a, b uint64) bool {
	if w.signed {
		return w.int(a) < w.int(b)
	}
	return a < b
}

// lowest and highest return the ends of the range.
func (w wordType) lowest() uint64 {
	if w.signed {
		return 1 << (w.bits - 1)
	}
	return 0
}

func (w wordType) highest() uint64 {
	if w.signed {
		return ones(w.bits - 1)
	}
	return ones(w.bits)
}

// integer returns the arithmetic operations on integers.
func (b *binder) integer() operation {
	in, w := b.in, wordOf(b.in.Type)
	sat := in.Mods&ptx.Sat != 0
	relu := func(r uint64) uint64 {
		if in.Mods&ptx.Relu != 0 && w.negative(r) {
			return 0
		}
		return r
	}
	switch in.Op {
	case ptx.OpAdd:
		return binary(in.Type, func(a, c uint64) uint64 { return w.sum(w.int(a), w.int(c), sat) })
	case ptx.OpSub:
		return binary(in.Type, func(a, c uint64) uint64 { return w.sum(w.int(a), -w.int(c), sat) })
	case ptx.OpNeg:
		return unary(in.Type, func(a uint64) uint64 { return -a })
	case ptx.OpAbs:
		return unary(in.Type, func(a uint64) uint64 {
			if w.negative(a) {
				return -a
			}
			return a
		})
	case ptx.OpMin:
		return binary(in.Type, func(a, c uint64) uint64 { return relu(w.pick(a, c, w.less(a, c))) })
	case ptx.OpMax:
		return binary(in.Type, func(a, c uint64) uint64 { return relu(w.pick(a, c, w.less(c, a))) })
	case ptx.OpDiv:
		return binary(in.Type, w.quotient)
	case ptx.OpRem:
		return binary(in.Type, w.remainder)
	case ptx.OpSad:
		return ternary(in.Type, func(a, x, c uint64) uint64 {
			if w.less(a, x) {
				a, x = x, a
			}
			return c + a - x
		})
	case ptx.OpMul, ptx.OpMad:
		return b.product(w, in.Op == ptx.OpMad)
	case ptx.OpMul24, ptx.OpMad24:
		return b.product24(w, in.Op == ptx.OpMad24)
	}
	return operation{}
}

// sum adds 32-bit numbers; with sat it clamps to the range of s32. Wider ones wrap.
func (w wordType) sum(a, b int64, sat bool) uint64 {
	if sat && w.t == ptx.S32 {
		return uint64(min(max(a+b, -1<<31), 1<<31-1))
	}
	return uint64(a + b)
}

func (w wordType) pick(a, b uint64, first bool) uint64 {
	if first {
		return a
	}
	return b
}

// quotient divides; the quotient of 0 as divisor has all bits set. PTX leaves it open.
func (w wordType) quotient(a, b uint64) uint64 {
	switch {
	case b == 0:
		return ^uint64(0)
	case w.signed:
		return uint64(w.int(a) / w.int(b))
	}
	return a / b
}

// remainder of 0 as divisor is the dividend. PTX leaves it open.
func (w wordType) remainder(a, b uint64) uint64 {
	switch {
	case b == 0:
		return a
	case w.signed:
		return uint64(w.int(a) % w.int(b))
	}
	return a % b
}

// wide returns the product in two words of 64 bits.
func (w wordType) wide(a, b uint64) (hi, lo uint64) {
	if w.signed {
		a, b = uint64(w.int(a)), uint64(w.int(b))
	}
	hi, lo = bits.Mul64(a, b)
	if w.negative(a) {
		hi -= b
	}
	if w.negative(b) {
		hi -= a
	}
	return hi, lo
}

// upper returns the bits of a product above the operands' width.
func (w wordType) upper(a, b uint64) uint64 {
	hi, lo := w.wide(a, b)
	if w.bits == 64 {
		return hi
	}
	return lo >> w.bits
}

func (b *binder) product(w wordType, add bool) operation {
	in := b.in
	r, f := in.Type, func(a, x uint64) uint64 { return a * x }
	switch {
	case in.Mods&ptx.Wide != 0:
		r = twice(in.Type)
		f = func(a, x uint64) uint64 { _, lo := w.wide(a, x); return lo }
		if r == ptx.NoType {
			return operation{}
		}
	case in.Mods&ptx.HiHalf != 0:
		f = w.upper
	}
	return sumOf(r, in.Type, f, add, in.Mods&ptx.Sat != 0)
}

// product24 multiplies the lower 24 bits; hi returns bits 47 to 16 of the product.
func (b *binder) product24(w wordType, add bool) operation {
	narrow := func(x uint64) uint64 {
		if w.signed {
			return uint64(signExtend(x, 24))
		}
		return x & ones(24)
	}
	shift := 0
	if b.in.Mods&ptx.HiHalf != 0 {
		shift = 16
	}
	f := func(a, x uint64) uint64 { return uint64(int64(narrow(a)*narrow(x)) >> shift) }
	return sumOf(b.in.Type, b.in.Type, f, add, b.in.Mods&ptx.Sat != 0)
}

// sumOf makes an operation of a product, with an addend of the result's type if add is set. sat
// clamps the sum to the range of s32.
func sumOf(r, t ptx.Type, f func(a, b uint64) uint64, add, sat bool) operation {
	if !add {
		return operation{r, []ptx.Type{t, t}, func(a, b, _, _ uint64) uint64 { return f(a, b) }}
	}
	w := wordOf(r)
	return operation{r, []ptx.Type{t, t, r}, func(a, b, c, _ uint64) uint64 {
		return w.sum(w.int(f(a, b)), w.int(c), sat)
	}}
}

// twice returns the integer type of twice the width, NoType if there is none.
func twice(t ptx.Type) ptx.Type {
	switch t {
	case ptx.U16:
		return ptx.U32
	case ptx.S16:
		return ptx.S32
	case ptx.U32:
		return ptx.U64
	case ptx.S32:
		return ptx.S64
	}
	return ptx.NoType
}
