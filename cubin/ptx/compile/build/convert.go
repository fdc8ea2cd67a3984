package build

import (
	"jacquard/cubin/ptx"
	"jacquard/cubin/ptx/compile/ir"
)

func isFloat(t ptx.Type) bool { return t >= ptx.F16 && t <= ptx.F64 }

// convert builds cvt.
func (b *builder) convert(in *ptx.Instr) {
	to, from := b.typeOf(in.Type), b.typeOf(in.From)
	if isFloat(to) || isFloat(from) {
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

// convertFloat builds a conversion from or to a float.
func (b *builder) convertFloat(in *ptx.Instr, to, from ptx.Type) {
	long := to.Bits() == 64 || from.Bits() == 64
	if long && !b.hasLongConvert() {
		b.missing(in)
		return
	}
	if to.Bits() == 16 && from.Bits() == 64 && to == ptx.F16 {
		b.missing(in)
		return
	}
	v := b.f.New(ir.Cvt, kindOf(to))
	switch {
	case from == ptx.F16 && to.Bits() == 64: // by way of f32, which has all numbers of f16
		v.AddArg(b.single16(in))
		from = ptx.F32
	case from == ptx.F32 && to.Bits() == 64 && !isFloat(to) && b.flushes(in):
		v.AddArg(b.flushed(b.value(&in.Args[1], from)))
	case from.Bits() == 64:
		v.AddArg(b.long(&in.Args[1], from))
	case isFloat(from):
		v.AddArg(b.value(&in.Args[1], from))
	default:
		v.AddArg(b.extend(b.value(&in.Args[1], from), from))
		from = container(from)
	}
	v.Sub, v.From, v.Round, v.Line = to, from, b.rounding(in, to, from), b.line
	v.Sat = in.Mods&ptx.Sat != 0 && isFloat(to) // integers are always clamped
	if narrow(to, from) {
		v.Sub = container(to)
	}
	v.Sat = v.Sat && to != ptx.F64
	b.at.Add(v)
	if kindOf(to) == ir.Long {
		if to == ptx.F64 && in.Mods&ptx.Sat != 0 {
			v = b.saturated(v)
		}
		b.resultLong(in, v)
		return
	}
	if narrow(to, from) {
		v = b.typed(ir.Clamp, to, v)
		v.From = container(to)
	}
	b.assign(&in.Args[0], to, v, nil)
}

// single16 returns the operand, of f16, as f32.
func (b *builder) single16(in *ptx.Instr) *ir.Value {
	v := b.typed(ir.Cvt, ptx.F32, b.value(&in.Args[1], ptx.F16))
	v.From = ptx.F16
	return v
}

// flushes reports whether a conversion of f32 to an integer of 64 bits may see a subnormal number:
// the converter does not flush those, and only the directed roundings tell them from zero.
func (b *builder) flushes(in *ptx.Instr) bool {
	return in.Mods&ptx.Ftz != 0 && (in.Round == ptx.RMI || in.Round == ptx.RPI)
}

// flushed returns a float of f32 without subnormal numbers.
func (b *builder) flushed(x *ir.Value) *ir.Value {
	v := b.typed(ir.Cvt, ptx.F32, x)
	v.From = ptx.F32
	return v
}

// saturated clamps a float of f64 to 0 to 1. NaN becomes 0.
func (b *builder) saturated(v *ir.Value) *ir.Value {
	zero := b.pack(b.word(0), b.word(0))
	one := b.pack(b.word(0), b.word(0x3ff00000))
	return b.add(ir.DMin, ir.Long, b.add(ir.DMax, ir.Long, v, zero), one)
}

// narrow reports whether the machine converts a float to a Word only, which is clamped then: to 8
// bits, or of 64 bits to 16.
func narrow(to, from ptx.Type) bool {
	return !isFloat(to) && (to.Bits() == 8 || to.Bits() == 16 && from == ptx.F64)
}

// rounding returns the rounding of a conversion: that of the text, or the one that PTX implies.
func (b *builder) rounding(in *ptx.Instr, to, from ptx.Type) ptx.Round {
	switch {
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

// hasLongConvert reports whether the device has the 64-bit converter.
func (b *builder) hasLongConvert() bool { return b.target.Arch >= 3 }

// cvta builds conversions between generic addresses and those of a space. The generic address of a
// global variable is its address.
func (b *builder) cvta(in *ptx.Instr) {
	lo, hi := b.both(&in.Args[1], in.Type)
	op := ir.Generic
	if in.Mods&ptx.To != 0 {
		op = ir.Specific
	}
	if in.Space != ptx.Global && in.Space != ptx.Param {
		lo = b.do(op, lo)
		lo.Space = in.Space
	}
	b.assign(&in.Args[0], in.Type, lo, hi)
}
