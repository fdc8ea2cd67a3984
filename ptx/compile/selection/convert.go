package selection

import (
	"jacquard/ptx"
	"jacquard/ptx/compile/code"
	"jacquard/ptx/compile/ir"
	"jacquard/tesla"
)

// extension selects extensions and clamps of integers: conversions.
func (s *selector) extension(v *ir.Value) {
	in := instr(tesla.OpCvt, tesla.U32)
	a := v.Args[0]
	switch v.Op {
	case ir.ZExt16:
		s.extend16(v, &in, tesla.U16)
	case ir.SExt16:
		in.In.Type = tesla.S32
		s.extend16(v, &in, tesla.S16)
	case ir.ZExt8:
		s.extend8(v, &in, tesla.U8, tesla.U8W)
	case ir.SExt8:
		in.In.Type = tesla.S32
		s.extend8(v, &in, tesla.S8, tesla.S8W)
	case ir.Abs:
		in.In.From = tesla.S32
		x := s.first(a, forms{shared: true})
		x.t.Abs = true
		put(&in, s.target(v), x)
	case ir.Clamp:
		s.clamp(v, &in)
		return
	}
	s.emit(in)
}

// extend16 extends a half of a register, or 16 bits of s[].
func (s *selector) extend16(v *ir.Value, in *code.Instr, from tesla.Type) {
	in.In.From = from
	a := v.Args[0]
	if a.Op == ir.ShrU && a.Args[1].Is(16) && a.Args[0].Op != ir.Const {
		s.uses[a.ID]--
		s.uses[a.Args[0].ID]++
		put(in, s.target(v), s.half(s.reg(a.Args[0]), true))
		return
	}
	put(in, s.target(v), s.half(s.reg(a), false))
}

// extend8 extends the lowest byte of a register, or a byte of s[].
func (s *selector) extend8(v *ir.Value, in *code.Instr, inShared, inReg tesla.Type) {
	a := v.Args[0]
	if o, ok := s.shared(a, tesla.U8); ok && (a.Op == ir.Load || a.Op == ir.Param) {
		s.take(a)
		in.In.From = inShared
		put(in, s.target(v), o)
		return
	}
	in.In.From = inReg
	put(in, s.target(v), s.register(a))
}

// clamp clamps an integer into a narrower type. A clamp between unsigned and signed types of 32
// bits goes the same way.
func (s *selector) clamp(v *ir.Value, in *code.Instr) {
	in.In.From = map[bool]tesla.Type{true: tesla.S32, false: tesla.U32}[signedPTX(v.From)]
	in.In.Type = map[ptx.Type]tesla.Type{
		ptx.U8: tesla.U8W, ptx.S8: tesla.S8W, ptx.U16: tesla.U16, ptx.S16: tesla.S16,
		ptx.U32: tesla.U32, ptx.S32: tesla.S32,
	}[v.Sub]
	d := s.target(v)
	if v.Sub.Bits() == 16 {
		d = s.half(s.words(v)[0], false)
	}
	put(in, d, s.register(v.Args[0]))
	s.emit(*in)
}

func signedPTX(t ptx.Type) bool { return ir.Signed(t) }

var convertTypes = map[ptx.Type]tesla.Type{
	ptx.U8: tesla.U8W, ptx.S8: tesla.S8W, ptx.U16: tesla.U16, ptx.S16: tesla.S16,
	ptx.U32: tesla.U32, ptx.S32: tesla.S32, ptx.U64: tesla.U64, ptx.S64: tesla.S64,
	ptx.F16: tesla.F16, ptx.F32: tesla.F32, ptx.F64: tesla.F64, ptx.B32: tesla.U32,
}

// convert selects conversions that have a float on a side, and signs of floats.
func (s *selector) convert(v *ir.Value) {
	in := instr(tesla.OpCvt, tesla.F32)
	in.In.From = tesla.F32
	n := s.strip(v)
	switch v.Op {
	case ir.Cvt:
		in.In.Type, in.In.From = convertTypes[v.Sub], convertTypes[v.From]
		in.In.Round = rounds[v.Round]
		if v.Round >= ptx.RNI && isFloat(v.Sub) {
			in.In.Mods |= tesla.Integral
		}
	case ir.DNeg, ir.DAbs:
		in.In.Type, in.In.From = tesla.F64, tesla.F64
	}
	if v.Sat || v.Op == ir.FSat {
		in.In.Mods |= tesla.Sat
	}
	put(&in, s.convertTarget(v), s.convertSource(v, n))
	s.emit(in)
}

func isFloat(t ptx.Type) bool { return t == ptx.F16 || t == ptx.F32 || t == ptx.F64 }

// strip returns the operand of a conversion with the signs that the conversion applies.
func (s *selector) strip(v *ir.Value) number {
	switch v.Op {
	case ir.FNeg, ir.DNeg:
		n := s.signed(v.Args[0], true)
		n.neg = !n.neg
		return n
	case ir.FAbs, ir.DAbs:
		n := s.signed(v.Args[0], true)
		n.neg, n.abs = false, true
		return n
	case ir.Cvt:
		if v.From == ptx.F64 || v.From == ptx.F32 && !(v.Sub.Bits() == 64 && flushes(v.Args[0])) {
			return s.signed(v.Args[0], true)
		}
	}
	return number{v: v.Args[0]}
}

// flushes reports whether there is an FNeg or an FAbs among the signs of a value. They take subnormal
// numbers for zeros, which the converter of 64 bits does not.
func flushes(v *ir.Value) bool {
	for x, _ := v.Sign(); x != nil; x, _ = v.Sign() {
		if v.Op == ir.FNeg || v.Op == ir.FAbs {
			return true
		}
		v = x
	}
	return false
}

func (s *selector) convertTarget(v *ir.Value) operand {
	if v.Op == ir.Cvt && v.Sub.Bits() == 16 {
		return s.half(s.words(v)[0], false)
	}
	return s.target(v)
}

func (s *selector) convertSource(v *ir.Value, n number) operand {
	switch {
	case n.v.Kind == ir.Long:
		return n.on(s.pair(n.v))
	case v.Op == ir.Cvt && v.From.Bits() == 16:
		return n.on(s.half(s.reg(n.v), false))
	case v.Op == ir.Cvt && v.Sub.Bits() == 64:
		return n.on(s.register(n.v))
	}
	return n.on(s.first(n.v, forms{shared: true}))
}
