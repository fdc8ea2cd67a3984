package selection

import (
	"jacquard/ptx"
	"jacquard/ptx/compile/code"
	"jacquard/ptx/compile/ir"
	"jacquard/tesla"
)

// number is a value with the signs that its user applies.
type number struct {
	v        *ir.Value
	neg, abs bool
}

// signed strips the signs of a float that only the current value uses, or that cost nothing to
// apply again. Without abs the user takes no absolute value.
func (s *selector) signed(v *ir.Value, abs bool) number {
	n := number{v: v}
	for {
		x, neg := n.v.Sign()
		if x == nil || !neg && !abs {
			return n
		}
		n.neg, n.abs = n.neg != (neg && !n.abs), n.abs || !neg
		s.uses[n.v.ID]--
		n.v = x
		s.uses[n.v.ID]++
	}
}

func (n number) on(o operand) operand {
	o.t.Neg, o.t.Abs = n.neg, n.abs
	return o
}

// twoSigned is two for numbers.
func (s *selector) twoSigned(a, b number, f forms) (x, y operand, swapped bool) {
	if s.better(b.v, a.v, f) {
		a, b, swapped = b, a, true
	}
	first := s.first(a.v, f)
	return a.on(first), b.on(s.second(b.v, f.after(first))), swapped
}

func (s *selector) signedPair(v *ir.Value) operand {
	n := s.signed(v, true)
	return n.on(s.pair(n.v))
}

func (s *selector) negatedPair(v *ir.Value) operand {
	n := s.signed(v, false)
	return n.on(s.pair(n.v))
}

var rounds = map[ptx.Round]tesla.Round{
	ptx.RZ: tesla.RZ, ptx.RM: tesla.RM, ptx.RP: tesla.RP,
	ptx.RZI: tesla.RZ, ptx.RMI: tesla.RM, ptx.RPI: tesla.RP,
}

// arithmetic selects FAdd and FMul.
func (s *selector) arithmetic(v *ir.Value) {
	in := instr(tesla.OpFAdd, tesla.F32)
	if v.Op == ir.FMul {
		in.In.Op = tesla.OpFMul
	}
	in.In.Round = rounds[v.Round]
	if v.Sat {
		in.In.Mods |= tesla.Sat
	}
	f := forms{shared: true, konst: true, imm: in.In.Round == tesla.RN}
	x, y, _ := s.twoSigned(s.signed(v.Args[0], false), s.signed(v.Args[1], false), f)
	put(&in, s.target(v), x, y)
	if v.Op == ir.FMul && v.Sat && s.out.Arch < tesla.SM12 {
		s.clamped(in)
		return
	}
	s.emit(in)
}

// clamped emits an instruction that cannot clamp its result, and a conversion that does.
func (s *selector) clamped(in code.Instr) {
	r := s.newReg(code.Word)
	cvt := instr(tesla.OpCvt, tesla.F32)
	cvt.In.From, cvt.In.Mods = tesla.F32, tesla.Sat
	put(&cvt, operand{in.In.Dst, in.Dst}, operand{tesla.Operand{Kind: tesla.Reg}, code.Operand{Regs: [4]code.Reg{r}}})
	in.In.Mods &^= tesla.Sat
	s.emit(into(in, r))
	s.emit(cvt)
}

// fmad selects a*b + c. A product may be negated as a whole.
func (s *selector) fmad(v *ir.Value) {
	in := instr(tesla.OpFMad, tesla.F32)
	if v.Sat {
		in.In.Mods |= tesla.Sat
	}
	a, b, c := s.signed(v.Args[0], false), s.signed(v.Args[1], false), s.signed(v.Args[2], false)
	neg := a.neg != b.neg
	a.neg, b.neg = false, false
	third, isConst := s.third(c.v)
	x, y, _ := s.twoSigned(a, b, forms{shared: true, konst: true})
	if isConst && y.t.Kind != tesla.Const {
		s.take(c.v)
	} else {
		third = s.register(c.v)
	}
	x.t.Neg = neg
	put(&in, s.target(v), x, y, c.on(third))
	s.emit(in)
}

func (s *selector) floatMinMax(v *ir.Value) {
	in := instr(tesla.OpFMin, tesla.F32)
	if v.Op == ir.FMax {
		in.In.Op = tesla.OpFMax
	}
	f := forms{shared: true, konst: true}
	x, y, _ := s.twoSigned(s.signed(v.Args[0], true), s.signed(v.Args[1], true), f)
	put(&in, s.target(v), x, y)
	s.emit(in)
}

// slct selects a if c >= 0, else b.
func (s *selector) slct(v *ir.Value) {
	in := instr(tesla.OpSlct, tesla.B32)
	c := s.signed(v.Args[2], false)
	f := forms{shared: true, konst: true}
	x, y := s.first(v.Args[0], f), s.second(v.Args[1], f)
	put(&in, s.target(v), x, y, c.on(s.register(c.v)))
	s.emit(in)
}

var functions = map[ir.Op]tesla.Op{
	ir.Rcp: tesla.OpRcp, ir.Rsqrt: tesla.OpRsqrt, ir.Lg2: tesla.OpLg2, ir.Sin: tesla.OpSin,
	ir.Cos: tesla.OpCos, ir.Ex2: tesla.OpEx2, ir.PreSin: tesla.OpPreSin, ir.PreEx2: tesla.OpPreEx2,
}

// function selects operations of the special function unit.
func (s *selector) function(v *ir.Value) {
	in := instr(functions[v.Op], tesla.F32)
	n := number{v: v.Args[0]}
	switch v.Op {
	case ir.Sin, ir.Cos, ir.Ex2:
	default:
		n = s.signed(v.Args[0], true)
	}
	var x operand
	if v.Op == ir.PreSin || v.Op == ir.PreEx2 {
		x = n.on(s.first(n.v, forms{shared: true}))
	} else {
		x = n.on(s.register(n.v))
	}
	put(&in, s.target(v), x)
	s.emit(in)
}

var doubles = map[ir.Op]tesla.Op{
	ir.DAdd: tesla.OpDAdd, ir.DMul: tesla.OpDMul, ir.DFma: tesla.OpDFma, ir.DMin: tesla.OpDMin,
	ir.DMax: tesla.OpDMax,
}

// double selects arithmetic of f64. A product has one sign.
func (s *selector) double(v *ir.Value) {
	in := instr(doubles[v.Op], tesla.F64)
	in.In.Round = rounds[v.Round]
	switch v.Op {
	case ir.DMin, ir.DMax:
		put(&in, s.target(v), s.signedPair(v.Args[0]), s.signedPair(v.Args[1]))
	case ir.DAdd:
		put(&in, s.target(v), s.negatedPair(v.Args[0]), s.negatedPair(v.Args[1]))
	default:
		x, y := s.negatedPair(v.Args[0]), s.negatedPair(v.Args[1])
		x.t.Neg = x.t.Neg != y.t.Neg
		y.t.Neg = false
		if v.Op == ir.DFma {
			put(&in, s.target(v), x, y, s.negatedPair(v.Args[2]))
		} else {
			put(&in, s.target(v), x, y)
		}
	}
	s.emit(in)
}

// at returns an instruction with a destination in d.
func into(in code.Instr, d code.Reg) code.Instr {
	in.In.Dst, in.Dst = tesla.Operand{Kind: tesla.Reg}, code.Operand{Regs: [4]code.Reg{d}}
	return in
}
