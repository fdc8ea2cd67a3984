package selection

import (
	"jacquard/ptx"
	"jacquard/ptx/compile/code"
	"jacquard/ptx/compile/ir"
	"jacquard/tesla"
)

// Numbers of special registers.
const (
	physidRegister = 0
	clockRegister  = 1
	pmRegister     = 4
)

// special selects the remaining operations.
func (s *selector) special(v *ir.Value) {
	switch v.Op {
	case ir.Physid:
		s.specialReg(s.target(v), physidRegister)
	case ir.Clock:
		s.specialReg(s.target(v), clockRegister)
	case ir.Pm:
		s.specialReg(s.target(v), pmRegister+uint8(v.Imm))
	case ir.Symbol:
		s.symbol(v)
	case ir.Meet:
		s.block.Meet = true
		if len(v.Args) > 0 {
			mask, ok := v.Args[0].IsConst()
			s.block.All = s.block.All || ok && uint32(mask) == 1<<32-1
		}
	case ir.Bar:
		s.block.Meet, s.block.All, s.block.Bar = true, true, true
		in := instr(tesla.OpBar, tesla.TypeNone)
		in.In.Barrier = tesla.Barrier{ID: uint8(v.Imm), Count: 0xfff, Inc: true, Wait: true}
		s.emit(in)
	case ir.Fence:
		if v.Imm != ir.InCode {
			s.fence()
		}
	default:
		s.fail(v)
	}
}

func (s *selector) specialReg(d operand, n uint8) {
	in := instr(tesla.OpMovFromSpecial, tesla.B32)
	put(&in, d, operand{t: tesla.Operand{Kind: tesla.Special, Index: n}})
	s.emit(in)
}

// symbol loads the address of a variable from bank 14.
func (s *selector) symbol(v *ir.Value) {
	in := instr(tesla.OpLdConst, tesla.B32)
	slot := s.layout.Slot(v.Sym, uint32(v.Imm))
	o := operand{t: tesla.Operand{Kind: tesla.Const, Index: addressBank, Type: tesla.B32, Value: slot}}
	put(&in, s.target(v), o)
	s.emit(in)
}

// fence waits until eight loads from the memory partitions have returned, as NVIDIA's compiler
// does for __threadfence(): the loads read a place that the driver keeps for that.
func (s *selector) fence() {
	id, masked, at := s.newReg(code.Word), s.newReg(code.Word), s.newReg(code.Word)
	s.specialReg(operand{tesla.Operand{Kind: tesla.Reg}, code.Operand{Regs: [4]code.Reg{id}}}, physidRegister)
	and := into(instr(tesla.OpLogic, tesla.B32), masked)
	and.In.Logic = tesla.And
	and.In.Src[0], and.Src[0].Regs[0] = tesla.Operand{Kind: tesla.Reg}, id
	and.In.Src[1] = tesla.Operand{Kind: tesla.Imm, Value: 31}
	s.emit(and)
	shl := into(instr(tesla.OpShl, tesla.B32), at)
	shl.In.Src[0], shl.Src[0].Regs[0] = tesla.Operand{Kind: tesla.Reg}, masked
	shl.In.Src[1] = tesla.Operand{Kind: tesla.Imm, Value: 2}
	s.emit(shl)
	for i := range 8 {
		s.partition(at, uint32(i)*0x100)
	}
}

// partition loads a word of window 15 and waits for it.
func (s *selector) partition(at code.Reg, offset uint32) {
	address := at
	if offset > 0 {
		address = s.newReg(code.Word)
		add := into(instr(tesla.OpIAdd, tesla.B32), address)
		add.In.Src[0], add.Src[0].Regs[0] = tesla.Operand{Kind: tesla.Reg}, at
		add.In.Src[1] = tesla.Operand{Kind: tesla.Imm, Value: offset}
		s.emit(add)
	}
	word := s.newReg(code.Word)
	ld := into(instr(tesla.OpLdGlobal, tesla.B32), word)
	ld.In.Src[0] = tesla.Operand{Kind: tesla.Global, Index: 15}
	ld.Src[0].Regs[0] = address
	s.emit(ld)
	wait := instr(tesla.OpCvt, tesla.S32)
	wait.In.From = tesla.S32
	wait.In.Dst = tesla.Operand{Kind: tesla.Discard}
	wait.In.Src[0], wait.Src[0].Regs[0] = tesla.Operand{Kind: tesla.Reg}, word
	s.emit(wait)
}

// address selects moves to address registers and sums of them.
func (s *selector) address(v *ir.Value) {
	d := s.words(v)[0]
	if v.Op == ir.AddrTo {
		s.addAddr(d, s.base(v.Args[0]), uint32(v.Imm))
		return
	}
	in := instr(tesla.OpShlToAddr, tesla.B32)
	in.In.Dst, in.Dst.Regs[0] = tesla.Operand{Kind: tesla.AddrReg}, d
	x := s.first(v.Args[0], forms{shared: true})
	in.In.Src[0], in.Src[0] = x.t, x.c
	in.In.Src[1] = tesla.Operand{Kind: tesla.Imm, Value: uint32(v.Imm)}
	s.emit(in)
}

// tex selects a fetch. Coordinates and results share registers; coordinates are copied there, for
// others may use them later.
func (s *selector) tex(v *ir.Value) {
	fetch := v.From != ptx.F32
	in := instr(tesla.OpTexAuto, tesla.TypeNone)
	if fetch {
		in.In.Op = tesla.OpTexFetch
	}
	unit := uint8(s.layout.Unit(v.Sym))
	in.In.Tex = tesla.Tex{Unit: unit, Sampler: unit, Mask: v.Mask, Coords: uint8(len(v.Args)), Live: true}
	var from [4]code.Reg
	for i, a := range v.Args {
		from[i] = s.newReg(code.Word)
		if a.Op == ir.Const {
			s.emit(s.load(from[i], uint32(a.Imm)))
			continue
		}
		m := move(from[i], s.reg(a))
		m.Copy = true
		s.emit(m)
	}
	in.Tied = true
	put(&in, vectorOf(s.words(v), v.Words()), vectorOf(from, len(v.Args)))
	// The encoding has the first register of the results alone.
	in.In.Dst.Kind, in.In.Src[0].Kind = tesla.Reg, tesla.None
	s.emit(in)
}
