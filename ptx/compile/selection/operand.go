package selection

import (
	"jacquard/ptx"
	"jacquard/ptx/compile/code"
	"jacquard/ptx/compile/ir"
	"jacquard/tesla"
)

// operand is an operand of an instruction and its registers.
type operand struct {
	t tesla.Operand
	c code.Operand
}

// Limits of operands of ordinary instructions.
const (
	sharedReach = 31                    // units of the access type in s[] of a long form
	shortReach  = 15                    // in the others: immediate forms among them
	constReach  = code.LiteralReach - 1 // words of c[]
)

// literalRoom is the number of literals beyond which no operation is guarded.
const literalRoom = 96

const (
	addressBank = 14
	paramStart  = 0x10
)

// reg returns the register that holds a Word. A constant is loaded into one.
func (s *selector) reg(v *ir.Value) code.Reg {
	switch v.Op {
	case ir.Const:
		d := s.newReg(code.Word)
		s.emit(s.load(d, uint32(v.Imm)))
		return d
	case ir.Tid:
		return s.threadReg()
	case ir.Low, ir.High, ir.Element:
		return s.part(v)
	case ir.Undef:
		d := s.newReg(code.Word)
		s.emit(s.load(d, 0))
		return d
	}
	return s.words(v)[0]
}

// threadReg returns the register that enters the kernel.
func (s *selector) threadReg() code.Reg {
	if s.tid == 0 {
		s.tid = s.newReg(code.Word)
		s.out.Regs[s.tid].Fixed = 1
	}
	return s.tid
}

// part returns the register of a part of a Long or Tuple.
func (s *selector) part(v *ir.Value) code.Reg {
	whole := v.Args[0]
	i := int(v.Imm)
	if v.Op == ir.High {
		i = 1
	}
	return s.longRegs(whole)[i]
}

// longRegs returns the registers of a Long or a Tuple.
func (s *selector) longRegs(v *ir.Value) [4]code.Reg {
	switch {
	case v.Op == ir.Pack:
		return [4]code.Reg{s.reg(v.Args[0]), s.reg(v.Args[1])}
	case v.Op == ir.Const:
		return [4]code.Reg{s.reg(s.f.Word(uint32(v.Imm))), s.reg(s.f.Word(uint32(v.Imm >> 32)))}
	}
	return s.words(v)
}

// zeroRegister reads zero in every kernel: no kernel owns as many registers.
const zeroRegister = tesla.MaxRegisters

// register is an operand in a register.
func (s *selector) register(v *ir.Value) operand {
	if v.Is(0) {
		return operand{t: tesla.Operand{Kind: tesla.Reg, Index: zeroRegister}}
	}
	return operand{tesla.Operand{Kind: tesla.Reg}, code.Operand{Regs: [4]code.Reg{s.reg(v)}}}
}

// pair is a Long in a register pair.
func (s *selector) pair(v *ir.Value) operand {
	return operand{tesla.Operand{Kind: tesla.Pair}, code.Operand{Regs: s.longRegs(v)}}
}

// target is the destination of a Word or Long.
func (s *selector) target(v *ir.Value) operand {
	if v.Kind == ir.Long {
		return operand{tesla.Operand{Kind: tesla.Pair}, code.Operand{Regs: s.words(v)}}
	}
	return operand{tesla.Operand{Kind: tesla.Reg}, code.Operand{Regs: s.words(v)}}
}

// discard is a destination that only sets flags.
func discard() operand { return operand{t: tesla.Operand{Kind: tesla.Discard}} }

func immediate(c uint32) operand { return operand{t: tesla.Operand{Kind: tesla.Imm, Value: c}} }

// half is a half of a register.
func (s *selector) half(r code.Reg, high bool) operand {
	s.out.Regs[r].Low = true
	return operand{tesla.Operand{Kind: tesla.Half}, code.Operand{Regs: [4]code.Reg{r}, High: high}}
}

// shared returns the operand in s[] that a value is, if it is one that user may read there.
func (s *selector) shared(v *ir.Value, t tesla.Type) (operand, bool) {
	switch v.Op {
	case ir.Param:
		if memoryType(v.Sub) == t && inReach(uint32(v.Imm)+paramStart, t) {
			return operand{t: sharedAt(uint32(v.Imm)+paramStart, t)}, true
		}
	case ir.Header:
		if t == tesla.U16 {
			return operand{t: sharedAt(uint32(v.Imm), t)}, true
		}
	case ir.Load:
		if v.Space == ptx.Shared && memoryType(v.Sub) == t && inReach(uint32(v.Imm), t) && s.movable(v) {
			return s.sharedOperand(v, t), true
		}
	}
	return operand{}, false
}

func inReach(offset uint32, t tesla.Type) bool {
	return offset%uint32(t.Bytes()) == 0 && offset/uint32(t.Bytes()) <= sharedReach
}

func sharedAt(offset uint32, t tesla.Type) tesla.Operand {
	return tesla.Operand{Kind: tesla.Shared, Type: t, Value: offset}
}

// sharedOperand is the operand of a load from s[].
func (s *selector) sharedOperand(v *ir.Value, t tesla.Type) operand {
	return operand{sharedAt(uint32(v.Imm), t), code.Operand{Base: s.base(v.Args[0])}}
}

// base returns the address register of an access, 0 for none.
func (s *selector) base(v *ir.Value) code.Reg {
	if v.Op == ir.Const {
		return 0
	}
	return s.words(v)[0]
}

// movable reports whether a load can happen where its only user is: in the same block, without
// writes of memory between them.
func (s *selector) movable(v *ir.Value) bool {
	u := s.at
	return u != nil && !v.Lock && s.uses[v.ID] == 1 && v.Block == u.Block && s.epochs[v.ID] == s.epochs[u.ID]
}

// take marks a value as computed by its user.
func (s *selector) take(v *ir.Value) {
	if v.Op == ir.Const {
		return
	}
	if v.Op == ir.Load && v.Space == ptx.Shared {
		s.taken[v.ID] = true
		return
	}
	s.uses[v.ID]--
}

// constant returns the operand in c[] that a value is: a literal, an address of a variable, or a
// word of constant memory.
func (s *selector) constant(v *ir.Value) (operand, bool) {
	switch v.Op {
	case ir.Const:
		return s.literal(uint32(v.Imm))
	case ir.Symbol:
		slot := s.layout.Slot(v.Sym, uint32(v.Imm))
		return constAt(addressBank, slot)
	case ir.Load:
		if v.Space == ptx.Const && memoryType(v.Sub) == tesla.B32 && !v.Volatile {
			return s.constantMemory(v)
		}
	}
	return operand{}, false
}

// third is constant for source 2, beside which source 0 may have the only address register.
func (s *selector) third(v *ir.Value) (operand, bool) {
	o, ok := s.constant(v)
	return o, ok && o.c.Base == 0
}

// constantMemory returns the operand in c0[] that a load is. With an address register it may have one
// user alone, which keeps that register short.
func (s *selector) constantMemory(v *ir.Value) (operand, bool) {
	o, ok := constAt(0, uint32(v.Imm))
	if !ok || v.Args[0].Op == ir.Const {
		return o, ok
	}
	if s.at == nil || s.uses[v.ID] != 1 || v.Block != s.at.Block {
		return operand{}, false
	}
	o.c.Base = s.base(v.Args[0])
	return o, true
}

func constAt(bank uint8, offset uint32) (operand, bool) {
	if offset%4 != 0 || offset/4 > constReach {
		return operand{}, false
	}
	return operand{t: tesla.Operand{Kind: tesla.Const, Index: bank, Type: tesla.B32, Value: offset}}, true
}

// literal returns a word of the literal pool.
func (s *selector) literal(c uint32) (operand, bool) {
	word, ok := s.out.Literal(c, code.LiteralReach-s.sunk)
	return operand{t: word}, ok
}

// memoryType returns the type of an access of less than 64 bits.
func memoryType(t ptx.Type) tesla.Type {
	switch t {
	case ptx.U8, ptx.B8:
		return tesla.U8
	case ptx.S8:
		return tesla.S8
	case ptx.U16, ptx.B16, ptx.F16:
		return tesla.U16
	case ptx.S16:
		return tesla.S16
	}
	return tesla.B32
}
