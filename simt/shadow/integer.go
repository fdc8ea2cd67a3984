package shadow

import (
	"jacquard/simt/engine/reference/alu"
	"jacquard/tesla"
)

// Flags of a result that may be free, as bits.
const allFlags = alu.Z | alu.S | alu.C | alu.O

// outcome is the free bits of a result and of its flags.
type outcome struct {
	free  uint64
	flags uint8
}

// result returns the outcome of the low width bits of a value, with more free flags.
func result(r value, width int, flags uint8) outcome {
	r = r.low(width)
	if r.free != 0 && r.v&^r.free == 0 {
		flags |= alu.Z
	}
	if r.free>>(width-1) != 0 {
		flags |= alu.S
	}
	return outcome{r.free, flags}
}

// integerType returns the width and sign of the operands of an integer operation.
func integerType(t tesla.Type) (width int, signed bool) {
	switch t {
	case tesla.B16, tesla.U16:
		return 16, false
	case tesla.S16:
		return 16, true
	case tesla.S24, tesla.S32:
		return 32, true
	}
	return 32, false
}

// integer is the outcome of an integer operation (docs/isa/operations.md, Integer operations).
func (o *operation) integer() outcome {
	in := o.in
	width, signed := integerType(in.Type)
	sat, high := in.Mods&tesla.Sat != 0, in.Mods&tesla.High != 0
	a, b, c := o.src[0], o.src[1], o.src[2]
	switch in.Op {
	case tesla.OpIAdd:
		return o.add(a, b, width, sat)
	case tesla.OpIMul:
		return result(o.product(high), 32, 0)
	case tesla.OpIMad:
		return o.add(o.product(high).low(32), c, 32, sat)
	case tesla.OpISad:
		d := int64(a.extended(width, signed).v) - int64(b.extended(width, signed).v)
		return o.sum(all(32, uint64(max(d, -d)), a.low(width), b.low(width)).low(32), c.low(32), value{}, 32, false)
	case tesla.OpISet:
		return truth(sure(a, b, uint8(in.Cmp), width, signed), 32, width)
	case tesla.OpIMax, tesla.OpIMin:
		return result(extreme(a, b, width, signed, in.Op == tesla.OpIMax), width, 0)
	case tesla.OpShl, tesla.OpShr:
		return o.shift(a, b, width, signed)
	case tesla.OpLogic:
		return result(o.logic(a, b), width, 0)
	case tesla.OpShlToAddr:
		return outcome{free: all(16, 0, b).free | a.free<<min(b.v, 63)&ones(16)}
	case tesla.OpAddAddr:
		return outcome{free: a.plus(b).free & ones(16)}
	}
	return o.anything()
}

// add is the adder in the variant of the instruction.
func (o *operation) add(a, b value, width int, sat bool) outcome {
	carry := value{}
	switch o.in.Arith {
	case tesla.Sub:
		b, carry.v = b.not(), 1
	case tesla.SubR:
		a, carry.v = a.not(), 1
	case tesla.AddC:
		carry = value{uint64(o.carry.v >> 2 & 1), uint64(o.carry.free >> 2 & 1)}
	}
	return o.sum(a.low(width), b.low(width), carry, width, sat)
}

// sum adds p, q and a carry.
func (o *operation) sum(p, q, carry value, width int, sat bool) outcome {
	t := p.plus(q).plus(carry)
	d := t.low(width)
	var flags uint8
	if t.free>>width != 0 {
		flags |= alu.C
	}
	top := func(x value) value { return value{x.v >> (width - 1) & 1, x.free >> (width - 1) & 1} }
	a, b, r := top(p), top(q), top(d)
	switch {
	case a.free == 0 && b.free == 0 && a.v != b.v: // no overflow, whatever the sum
	case a.free|b.free|r.free != 0:
		flags |= alu.O
		if sat {
			d.free = ones(width)
		}
	case sat && a.v == b.v && r.v != a.v: // clamped
		d = value{ones(width) >> (1 - a.v), 0}
		d.v += a.v
	}
	return result(d, width, flags)
}

// product is the product of the factors of a multiplication.
func (o *operation) product(high bool) value {
	a, b := o.src[0], o.src[1]
	t := o.in.Type
	if width, signed := integerType(t); width == 16 {
		signedA, signedB := signed, signed
		if o.in.Op == tesla.OpIMul {
			signedA, signedB = o.in.Src[0].As == tesla.S16, o.in.Src[1].As == tesla.S16
		}
		return a.extended(16, signedA).times(b.extended(16, signedB))
	}
	p := a.extended(24, t == tesla.S24).times(b.extended(24, t == tesla.S24))
	if high {
		p = value{uint64(int64(p.v) >> 16), uint64(int64(p.free) >> 16)}
	}
	return p
}

// shift shifts left or right by the whole of n.
func (o *operation) shift(a, n value, width int, signed bool) outcome {
	if n.free != 0 {
		return outcome{ones(width), allFlags}
	}
	by := min(n.v, 63)
	x := a.extended(width, signed && o.in.Op == tesla.OpShr)
	r, out := value{x.v << by, x.free << by}, value{}
	if o.in.Op == tesla.OpShr {
		r = value{uint64(int64(x.v) >> by), uint64(int64(x.free) >> by)}
		if by > 0 {
			out.free = x.free >> (by - 1) & 1
		}
	} else if by > 0 && by < uint64(width) {
		out.free = x.free >> (uint64(width) - by) & 1
	}
	var flags uint8
	if out.free != 0 && by < uint64(width) {
		flags |= alu.C
	}
	if by == 1 && (r.free|a.free)>>(width-1)&1 != 0 {
		flags |= alu.O
	}
	return result(r, width, flags)
}

// logic combines bits: a bit that the other operand decides alone is defined.
func (o *operation) logic(a, b value) value {
	if o.in.Src[0].Not {
		a = a.not()
	}
	if o.in.Src[1].Not {
		b = b.not()
	}
	switch o.in.Logic {
	case tesla.And:
		return value{a.v & b.v, a.free&b.free | a.free&b.v | b.free&a.v}
	case tesla.Or:
		return value{a.v | b.v, a.free&b.free | a.free&^b.v | b.free&^a.v}
	case tesla.Xor:
		return value{a.v ^ b.v, a.free | b.free}
	}
	return b
}

// sure reports whether a comparison has the same answer whatever the free bits are. Relations are
// those of alu.Compare.
func sure(a, b value, relations uint8, width int, signed bool) bool {
	a, b = a.low(width), b.low(width)
	var possible uint8
	if a.least(width, signed) < b.greatest(width, signed) {
		possible |= 1
	}
	if (a.v^b.v)&^(a.free|b.free) == 0 {
		possible |= 2
	}
	if a.greatest(width, signed) > b.least(width, signed) {
		possible |= 4
	}
	return possible&relations == 0 || possible&^relations == 0
}

// truth is the outcome of a comparison, of some bits.
func truth(sure bool, n, width int) outcome {
	if sure {
		return outcome{}
	}
	return outcome{ones(min(n, width)), alu.Z | alu.S}
}

// extreme is the outcome of a maximum or minimum.
func extreme(a, b value, width int, signed, greatest bool) value {
	a, b = a.low(width), b.low(width)
	above := a.least(width, signed) >= b.greatest(width, signed)
	switch {
	case above == greatest && (above || b.least(width, signed) >= a.greatest(width, signed)):
		return a
	case above || b.least(width, signed) >= a.greatest(width, signed):
		return b
	}
	return either(a, b, 0).low(width)
}
