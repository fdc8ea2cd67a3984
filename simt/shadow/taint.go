package shadow

import (
	"jacquard/fpu"
	"jacquard/tesla"
)

// operation is an instruction that computes a value from its sources, in one thread.
type operation struct {
	in    *tesla.Instruction
	src   [3]value // before modifiers
	carry value    // the flags of CarryIn
}

// free returns the bits of the result and of the flags that the free bits of the sources may change.
func (o *operation) free() outcome {
	if o.src[0].free|o.src[1].free|o.src[2].free|o.carry.free == 0 {
		return outcome{}
	}
	switch o.in.Op.Class() {
	case tesla.ClassMove:
		return o.move()
	case tesla.ClassInteger:
		return o.integer()
	case tesla.ClassConvert:
		return o.convert()
	}
	return o.anything()
}

// anything is the outcome of operations all of whose bits depend on all bits of the sources.
func (o *operation) anything() outcome { return outcome{^uint64(0), allFlags} }

// move is the outcome of docs/isa/operations.md, Moves.
func (o *operation) move() outcome {
	a := o.src[0].free
	switch o.in.Op {
	case tesla.OpMovToCond:
		return outcome{flags: uint8(a & 15)}
	case tesla.OpSlct:
		return o.choose()
	}
	return outcome{free: a}
}

// choose is the outcome of docs/isa/operations.md, Slct.
func (o *operation) choose() outcome {
	a, b, c := o.src[0], o.src[1], o.src[2]
	x := either(a, b, 0)
	if c.free == 0 {
		f := uint32(c.v)
		if o.in.Src[2].Abs {
			f &^= 1 << 31
		}
		if o.in.Src[2].Neg {
			f ^= 1 << 31
		}
		x = a
		if fpu.Select(0, 1, f) != 0 {
			x = b
		}
	}
	flags := uint8(0)
	if x.low(32).free != 0 {
		flags = allFlags
	}
	return outcome{x.free, flags}
}

// integers are the types of integers that conversions know: bits, and the sign.
var integers = map[tesla.Type]struct {
	bits   int
	signed bool
}{
	tesla.U8: {8, false}, tesla.S8: {8, true}, tesla.U8W: {8, false}, tesla.S8W: {8, true},
	tesla.U16: {16, false}, tesla.S16: {16, true}, tesla.U32: {32, false}, tesla.S32: {32, true},
}

// convert is the outcome of docs/isa/operations.md, Cvt. Only conversions of integers that never
// clamp keep bits apart.
func (o *operation) convert() outcome {
	in, x := o.in, o.src[0]
	from, whole := integers[in.From]
	to, fits := integers[in.Type]
	fits = fits && (to.bits > from.bits && (to.signed || !from.signed) || to == from)
	if whole && x.low(from.bits).free == 0 {
		return outcome{}
	}
	if !whole || !fits || in.Src[0].Abs || in.Src[0].Neg {
		return o.anything()
	}
	return outcome{x.extended(from.bits, from.signed).free, allFlags}
}
