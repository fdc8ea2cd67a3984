package selection

import (
	"jacquard/ptx/compile/code"
	"jacquard/ptx/compile/ir"
	"jacquard/tesla"
)

// instr begins an instruction with a type.
func instr(op tesla.Op, t tesla.Type) code.Instr {
	return code.Instr{In: tesla.Instruction{Op: op, Type: t}}
}

// flagged makes an instruction set the flags that a comparison of its value wants. It reports
// whether there is one: then the instruction must have a long form without an immediate.
func (s *selector) flagged(v *ir.Value, in *code.Instr) bool {
	r := s.flags[v.ID]
	in.CDst = r
	return r != 0
}

// result is the destination of a value that may be wanted for its flags alone.
func (s *selector) result(v *ir.Value) operand {
	if s.flags[v.ID] != 0 && s.uses[v.ID] <= 0 {
		return discard()
	}
	return s.target(v)
}

// sum selects Add, Sub and AddC, alone or with the product that one operand is.
func (s *selector) sum(v *ir.Value) {
	if s.mad(v) {
		return
	}
	in := instr(tesla.OpIAdd, tesla.B32)
	a, b := v.Args[0], v.Args[1]
	f := forms{shared: true, konst: true, imm: true}
	if v.Op == ir.AddC {
		in.In.Arith = tesla.AddC
		in.CarryIn = s.carry(v.Args[2])
		f.imm = false // it would take the carry from $c0
	}
	if r := s.carryOf(v); r != 0 {
		in.CDst, f.imm = r, false
	} else if s.flagged(v, &in) {
		f.imm = false
	}
	if v.Sat {
		in.In.Mods |= tesla.Sat
	}
	x, y, swapped := s.two(a, b, f, true)
	if v.Op == ir.Sub {
		in.In.Arith = tesla.Sub
		if swapped {
			in.In.Arith = tesla.SubR
		}
	}
	put(&in, s.result(v), x, y)
	s.emit(in)
}

// carry returns the flags register that a sum sets for an AddC.
func (s *selector) carry(low *ir.Value) code.Reg {
	r := s.carries[low.ID]
	if r == 0 {
		r = s.newReg(code.Cond)
		s.carries[low.ID] = r
	}
	return r
}

func (s *selector) carryOf(v *ir.Value) code.Reg { return s.carries[v.ID] }

// mad selects a sum with a product of 16 or 24 bits.
func (s *selector) mad(v *ir.Value) bool {
	if v.Sat || len(v.Args) < 2 {
		return false
	}
	for i := range 2 {
		p, c := v.Args[i], v.Args[1-i]
		if !s.single(p, ir.Mul16, ir.Mul24) || s.carries[p.ID] != 0 {
			continue
		}
		in := instr(tesla.OpIMad, productType(p))
		switch {
		case v.Op == ir.AddC:
			in.In.Arith, in.CarryIn = tesla.AddC, s.carry(v.Args[2])
		case v.Op == ir.Sub && i == 0:
			in.In.Arith = tesla.Sub
		case v.Op == ir.Sub:
			in.In.Arith = tesla.SubR
		}
		s.taken[p.ID] = true
		if r := s.carryOf(v); r != 0 {
			in.CDst = r
		} else {
			s.flagged(v, &in)
		}
		third, isConst := s.third(c)
		x, y := s.factors(p, &in, !isConst)
		if isConst {
			s.take(c)
		} else {
			third = s.register(c)
		}
		put(&in, s.result(v), x, y, third)
		s.as(p, &in)
		s.emit(in)
		return true
	}
	return false
}

func productType(p *ir.Value) tesla.Type {
	switch {
	case p.Op == ir.Mul16 && p.Signed():
		return tesla.S16
	case p.Op == ir.Mul16:
		return tesla.U16
	case p.Signed():
		return tesla.S24
	}
	return tesla.U24
}

// factors returns the operands of a product.
func (s *selector) factors(p *ir.Value, in *code.Instr, konst bool) (x, y operand) {
	a, b := p.Args[0], p.Args[1]
	if p.Op == ir.Mul24 || p.Op == ir.Mul24Hi {
		x, y, _ = s.two(a, b, forms{shared: true, konst: konst}, true)
		return x, y
	}
	if s.isHalfShared(b, p) && !s.isHalfShared(a, p) {
		a, b = b, a
	}
	return s.halfOperand(a, p, true, konst), s.halfOperand(b, p, false, konst)
}

func (s *selector) isHalfShared(v, p *ir.Value) bool {
	_, ok := s.shared(v, half16(p))
	return ok
}

func half16(p *ir.Value) tesla.Type {
	if p.Signed() {
		return tesla.S16
	}
	return tesla.U16
}

// halfOperand is a factor of 16 bits: in s[], a literal, the upper half of a register, or the lower.
func (s *selector) halfOperand(v, p *ir.Value, first, konst bool) operand {
	if first {
		if o, ok := s.shared(v, half16(p)); ok {
			s.take(v)
			return o
		}
	}
	if v.Op == ir.Const && !first && konst {
		if o, ok := s.literal(uint32(uint16(v.Imm))); ok && o.t.Value/2 <= constReach {
			o.t.Type = tesla.B16
			return o
		}
	}
	if v.Op == ir.ShrU && v.Args[1].Is(16) && v.Args[0].Op != ir.Const {
		s.take(v)
		s.uses[v.Args[0].ID]++
		return s.half(s.reg(v.Args[0]), true)
	}
	return s.half(s.reg(v), false)
}

// as writes the signedness of factors of 16 bits.
func (s *selector) as(p *ir.Value, in *code.Instr) {
	if p.Op == ir.Mul16 {
		in.In.Src[0].As, in.In.Src[1].As = half16(p), half16(p)
	}
}

// mul16 selects a product of halves.
func (s *selector) mul16(v *ir.Value) {
	in := instr(tesla.OpIMul, tesla.B16)
	s.flagged(v, &in)
	x, y := s.factors(v, &in, true)
	put(&in, s.result(v), x, y)
	s.as(v, &in)
	s.emit(in)
}

// mul24 selects a product of 24 bits.
func (s *selector) mul24(v *ir.Value) {
	in := instr(tesla.OpIMul, tesla.U24)
	if v.Signed() {
		in.In.Type = tesla.S24
	}
	if v.Op == ir.Mul24Hi {
		in.In.Mods |= tesla.High
	}
	s.flagged(v, &in)
	x, y := s.factors(v, &in, true)
	put(&in, s.result(v), x, y)
	s.emit(in)
}

func signedType(v *ir.Value) tesla.Type {
	if v.Signed() {
		return tesla.S32
	}
	return tesla.U32
}

func (s *selector) minMax(v *ir.Value) {
	op := tesla.OpIMin
	if v.Op == ir.Max {
		op = tesla.OpIMax
	}
	in := instr(op, signedType(v))
	s.flagged(v, &in)
	x, y, _ := s.two(v.Args[0], v.Args[1], forms{shared: true, konst: true}, true)
	put(&in, s.result(v), x, y)
	s.emit(in)
}

func (s *selector) sad(v *ir.Value) {
	in := instr(tesla.OpISad, signedType(v))
	x, y, _ := s.two(v.Args[0], v.Args[1], forms{shared: true, konst: true}, true)
	put(&in, s.target(v), x, y, s.register(v.Args[2]))
	s.emit(in)
}

var logicOps = map[ir.Op]tesla.Logic{ir.And: tesla.And, ir.Or: tesla.Or, ir.Xor: tesla.Xor}

// logic selects And, Or, Xor and Not, with complements of operands.
func (s *selector) logic(v *ir.Value) {
	in := instr(tesla.OpLogic, tesla.B32)
	f := forms{shared: true, konst: true, imm: !s.flagged(v, &in)}
	if v.Op == ir.Not {
		in.In.Logic = tesla.Xor
		x := s.first(v.Args[0], f)
		put(&in, s.result(v), x, s.second(s.f.Word(^uint32(0)), f.after(x)))
		s.emit(in)
		return
	}
	in.In.Logic = logicOps[v.Op]
	a, notA := s.complement(v.Args[0])
	b, notB := s.complement(v.Args[1])
	if notB {
		f.imm = false
	}
	x, y, swapped := s.two(a, b, f, !notA && !notB)
	if swapped {
		notA, notB = notB, notA
	}
	put(&in, s.result(v), x, y)
	in.In.Src[0].Not, in.In.Src[1].Not = notA, notB
	s.emit(in)
}

// complement returns x of ~x that only the current value uses.
func (s *selector) complement(v *ir.Value) (*ir.Value, bool) {
	if s.single(v, ir.Not) {
		s.taken[v.ID] = true
		return v.Args[0], true
	}
	return v, false
}

// shift selects shifts.
func (s *selector) shift(v *ir.Value) {
	in := instr(tesla.OpShl, tesla.B32)
	switch v.Op {
	case ir.ShrU:
		in = instr(tesla.OpShr, tesla.U32)
	case ir.ShrS:
		in = instr(tesla.OpShr, tesla.S32)
	}
	s.flagged(v, &in)
	x := s.first(v.Args[0], forms{shared: true})
	if c := v.Args[1]; c.Op == ir.Const {
		put(&in, s.result(v), x, immediate(min(uint32(c.Imm), 127)))
	} else {
		put(&in, s.result(v), x, s.second(c, forms{konst: true}))
	}
	s.emit(in)
}
