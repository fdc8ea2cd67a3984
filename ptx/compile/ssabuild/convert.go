package ssabuild

import (
	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
	"jacquard/tesla"
)

func isFloat(t ptx.Type) bool { return t >= ptx.F16 && t <= ptx.F64 }

// convert builds cvt.
func (b *builder) convert(in *ptx.Instr) {
	if in.Mods&ptx.Pack != 0 {
		b.cvtPack(in)
		return
	}
	to, from := b.typeOf(in.Type), b.typeOf(in.From)
	switch {
	case halfOf(to) != nil:
		b.toHalf(in)
		return
	case isFloat(to) || isFloat(from):
		b.convertFloat(in, to, from)
		return
	}
	lo, hi := b.both(&in.Args[1], from)
	if in.Mods&ptx.Sat != 0 && (to.Bits() < 64 && from.Bits() < 64) {
		v := b.typed(ir.Clamp, to, b.extend(lo, from))
		v.From = container(from)
		b.assign(&in.Args[0], to, v, nil)
		return
	}
	if in.Mods&ptx.Sat != 0 {
		b.missing(in)
		return
	}
	if from.Bits() < to.Bits() {
		lo = b.extend(lo, from)
	}
	if to.Bits() == 64 && from.Bits() < 64 {
		hi = b.word(0)
		if ir.Signed(from) {
			hi = b.do(ir.ShrS, lo, b.word(31))
		}
	}
	b.assign(&in.Args[0], to, lo, hi)
}

// container returns the type of a Word that a type is extended to.
func container(t ptx.Type) ptx.Type {
	if ir.Signed(t) {
		return ptx.S32
	}
	return ptx.U32
}

// convertFloat builds a conversion from a float, or to one of 32 or 64 bits.
func (b *builder) convertFloat(in *ptx.Instr, to, from ptx.Type) {
	long := to.Bits() == 64 || from.Bits() == 64
	byLibrary := long && b.target.Arch < tesla.SM13 // the first with a converter of 64 bits
	switch {
	case byLibrary && !isFloat(to) && (halfOf(from) != nil || matters(in, from) && !b.flushes(in)):
		x := b.whole(from, b.value(&in.Args[1], in.From))
		name := "cvt_" + b.rounding(in, to, from).String() + "_" + to.String() + "_f32"
		out := b.call(name, []*ir.Value{x}, 2)
		b.assign(&in.Args[0], to, out[0], out[1])
		return
	case byLibrary:
		b.missing(in)
		return
	case to == ptx.F32 && b.keeps(in) &&
		(from == ptx.BF16 || from == ptx.F32 && b.rounding(in, to, from) == ptx.NoRound):
		x := b.value(&in.Args[1], in.From) // whose bits stay, as those of subnormal numbers must
		if from == ptx.BF16 {
			x = b.single16(brain16, x)
		}
		b.assign(&in.Args[0], to, b.bounded(in, binary32, x), nil)
		return
	}
	v := b.conversion(in, to, from)
	if from == ptx.BF16 { // which is an f32 by now
		from = ptx.F32
	}
	if to == ptx.F32 && from == ptx.F64 && b.flushes(in) {
		v = b.cvt(to, to, ptx.NoRound, v)
	}
	if isFloat(to) && in.Mods&ptx.Sat != 0 && from != ptx.F64 { // clamped before, as integers always are
		v = b.saturated(in, v, to)
	}
	if kindOf(to) == ir.Long {
		b.resultLong(in, v)
		return
	}
	if narrow(to, from) {
		x := v.Args[0]
		v = b.typed(ir.Clamp, to, v)
		v.From = container(to)
		if from == ptx.F64 && !ir.Signed(to) { // the highest bit alone, as of the wider types
			isNaN := b.add(ir.DCmp, ir.Pred, x, x)
			isNaN.Cmp = ptx.Nan
			v = b.do(ir.Select, isNaN, b.word(1<<(to.Bits()-1)), v)
		}
	}
	b.assign(&in.Args[0], to, v, nil)
}

// conversion converts the operand of cvt. Where the machine has no such conversion it takes a step
// by way of a type with all numbers of the operand, or as many as the result needs.
func (b *builder) conversion(in *ptx.Instr, to, from ptx.Type) *ir.Value {
	var x *ir.Value
	switch {
	case from.Bits() == 64:
		x = b.long(&in.Args[1], from)
	case isFloat(from):
		x = b.value(&in.Args[1], in.From)
	default:
		x = b.extend(b.value(&in.Args[1], from), from)
		from = container(from)
	}
	round := b.rounding(in, to, from)
	lift := to.Bits() < 64 && matters(in, from) && b.keeps(in)
	if isFloat(to) && in.Mods&ptx.Sat != 0 && from == ptx.F64 {
		x = b.saturated(in, x, from)
	}
	if from == ptx.BF16 || from == ptx.F16 && to.Bits() == 64 {
		if isFloat(to) {
			x = b.single16(halfOf(from), x)
		} else {
			x = b.whole(from, x)
		}
		from = ptx.F32
	}
	switch {
	case from == ptx.F32 && to.Bits() == 64 && b.flushes(in):
		x = b.cvt(ptx.F32, from, ptx.NoRound, x)
	case lift:
		x = b.lifted(x)
	}
	if narrow(to, from) {
		to = container(to)
	}
	return b.cvt(to, from, round, x)
}

// cvt adds a conversion.
func (b *builder) cvt(to, from ptx.Type, round ptx.Round, x *ir.Value) *ir.Value {
	v := b.add(ir.Cvt, kindOf(to), x)
	v.Sub, v.From, v.Round = to, from, round
	return v
}

// flushes reports whether a conversion of f32 to 64 bits takes subnormal numbers for zeros, which
// the converter of sm_13 does not. PTX up to 1.4 wants it only with .ftz.
func (b *builder) flushes(in *ptx.Instr) bool {
	v := b.m.Version
	legacy := v.Major < 1 || v.Major == 1 && v.Minor <= 4
	return in.Mods&ptx.Ftz != 0 || !legacy && b.m.Target.Arch < 20
}

// keeps reports whether an instruction keeps subnormal numbers of f32, which the machine takes for
// zeros where it is told to round, negate or drop the sign: in PTX of sm_20 and later, which the
// library is not.
func (b *builder) keeps(in *ptx.Instr) bool {
	return in.Mods&ptx.Ftz == 0 && b.m.Target.Arch >= 20 && b.inLibrary == 0
}

// matters reports whether a subnormal f32 rounds to something other than 0.
func matters(in *ptx.Instr, from ptx.Type) bool {
	return from == ptx.F32 && (in.Round == ptx.RMI || in.Round == ptx.RPI)
}

// lifted returns an f32 without subnormal numbers that rounds to an integer as the bits of another do.
func (b *builder) lifted(x *ir.Value) *ir.Value { return b.call("lifted_f32", []*ir.Value{x}, 1)[0] }

// whole returns an f32 that rounds to an integer as a float of at most 32 bits does.
func (b *builder) whole(t ptx.Type, v *ir.Value) *ir.Value {
	switch t {
	case ptx.BF16:
		return b.lifted(b.do(ir.Shl, v, b.word(16)))
	case ptx.F16:
		return b.single16(halfOf(t), v)
	}
	return b.lifted(v)
}

// zeroOfNaN returns the f32 that .sat makes: the machine leaves a NaN, PTX for sm_20 and later says
// +0, which the machine's maximum takes. PTX for devices before that is as the machine
// (docs/compiler.md, "Not as PTX defines it").
func (b *builder) zeroOfNaN(in *ptx.Instr, v *ir.Value) *ir.Value {
	if b.m.Target.Arch < 20 && b.typeOf(in.Type) == ptx.F32 && b.typeOf(in.From) != ptx.F64 {
		return v
	}
	return b.do(ir.FMax, v, b.word(0))
}

// saturated clamps an f32 or an f64 to 0 to 1.
func (b *builder) saturated(in *ptx.Instr, v *ir.Value, t ptx.Type) *ir.Value {
	switch {
	case t == ptx.F64:
		zero := b.pack(b.word(0), b.word(0))
		one := b.pack(b.word(0), b.word(0x3ff00000))
		return b.add(ir.DMin, ir.Long, b.add(ir.DMax, ir.Long, v, zero), one)
	case v.Op == ir.Cvt && v.Args[0].Kind == ir.Word:
		v.Sat = true
	default:
		v = b.do(ir.FSat, v)
	}
	return b.zeroOfNaN(in, v)
}

// narrow reports whether the machine converts a float to a Word only, which is clamped then: to 8
// bits, or of 64 bits to 16.
func narrow(to, from ptx.Type) bool {
	return !isFloat(to) && (to.Bits() == 8 || to.Bits() == 16 && from == ptx.F64)
}

// rounding returns the rounding of a conversion, explicit in the text or implied by PTX.
func (b *builder) rounding(in *ptx.Instr, to, from ptx.Type) ptx.Round {
	switch {
	case to == from && in.Round <= ptx.RP: // of f64 that stands for f32
		return ptx.NoRound
	case in.Round != ptx.NoRound:
		return in.Round
	case isFloat(to):
		return ptx.NoRound
	}
	return ptx.RZI
}

func kindOf(t ptx.Type) ir.Kind {
	switch {
	case t == ptx.Pred:
		return ir.Pred
	case t.Bits() == 64:
		return ir.Long
	}
	return ir.Word
}

// cvta builds conversions between generic addresses and addresses of a space. The generic address
// of a global variable is its address.
func (b *builder) cvta(in *ptx.Instr) {
	lo, hi := b.both(&in.Args[1], in.Type)
	op := ir.Generic
	if in.Mods&ptx.To != 0 {
		op = ir.Specific
	}
	if in.Space != ptx.Global {
		lo = b.do(op, lo)
		lo.Space = b.holder(in.Space)
	}
	b.assign(&in.Args[0], in.Type, lo, hi)
}

// windowSize is the size of the windows that the spaces but global memory have in generic addresses.
const windowSize = 1 << 24

// isspacep builds the test whether a generic address lies in a space: for global memory, in no
// window.
func (b *builder) isspacep(in *ptx.Instr) {
	address, _ := b.both(&in.Args[1], ptx.B64)
	inside := func(s ptx.Space) *ir.Value {
		at := b.do(ir.Specific, address)
		at.Space = s
		return b.compare(ptx.Lt, ptx.U32, at, b.word(windowSize))
	}
	var p *ir.Value
	switch in.Space {
	case ptx.Param: // parameters have no window of their own
		b.fail("isspacep.param is not supported on %s", b.target.Arch)
		return
	case ptx.Global:
		p = b.add(ir.Or, ir.Pred, inside(ptx.Shared), inside(ptx.Local))
		p = b.add(ir.Not, ir.Pred, b.add(ir.Or, ir.Pred, p, inside(ptx.Const)))
	default:
		p = inside(in.Space)
	}
	b.set(b.first(in.Args[0].Var), p)
}
