package selection

import (
	"slices"

	"jacquard/ptx/compile/code"
	"jacquard/ptx/compile/ir"
	"jacquard/tesla"
)

// selectBlock selects the instructions of a block, last to first.
func (s *selector) selectBlock(b *ir.Block) {
	s.block = s.out.Blocks[b.ID]
	s.sequence = s.sequence[:0]
	done := 0
	flush := func() {
		slices.Reverse(s.sequence[done:])
		done = len(s.sequence)
	}
	s.end(b)
	flush()
	for i := len(b.Values) - 1; i >= 0; i-- {
		v := b.Values[i]
		if v.Op == ir.Phi || s.skip(v) {
			continue
		}
		s.at, s.line = v, code.Line(v.Line)
		s.value(v)
		flush()
	}
	slices.Reverse(s.sequence)
	s.block.Code = slices.Clone(s.sequence)
}

// skip reports whether a value needs no instruction of its own.
func (s *selector) skip(v *ir.Value) bool {
	switch v.Op {
	case ir.Const, ir.Tid, ir.Pack, ir.Low, ir.High, ir.Element, ir.Undef:
		return true
	case ir.Not:
		if v.Kind == ir.Pred {
			return true
		}
	}
	if s.taken[v.ID] {
		return true
	}
	wanted := s.uses[v.ID] > 0 || s.flags[v.ID] != 0 || s.carries[v.ID] != 0
	return !wanted && v.Effect() != ir.Writes && !v.Volatile
}

// end selects the end of a block: copies for the phis of the next one, and where control goes.
func (s *selector) end(b *ir.Block) {
	s.at, s.line = nil, code.Line(b.Line)
	e := &s.block.End
	e.Line = s.line
	for i, to := range b.Succs() {
		e.To[i] = s.out.Blocks[to.ID]
	}
	switch b.End {
	case ir.Jump:
		e.Kind = code.Jump
		s.copies(b, b.To[0])
	case ir.Branch:
		e.Kind, e.Uniform = code.Branch, b.Uniform
		if e.Guard = s.guard(b.Control, true); e.Guard.Reg == 0 { // known
			way := 0
			if e.Guard.Cond == tesla.CondNever {
				way = 1
			}
			*e = code.End{Kind: code.Jump, To: [2]*code.Block{e.To[way]}, Line: e.Line}
		}
	case ir.Exit:
		e.Kind = code.Exit
	default:
		e.Kind = code.Trap
	}
}

// copies gives the phis of the next block their values: copies of registers at the same time, then
// constants.
func (s *selector) copies(b, to *ir.Block) {
	at := slices.Index(to.Preds, b)
	s.parallel++
	var constants []code.Instr
	for _, phi := range to.Values {
		if phi.Op != ir.Phi {
			break
		}
		a := phi.Args[at]
		if a == phi {
			continue
		}
		if a.Op == ir.Undef {
			s.out.Regs[s.words(phi)[0]].Open = true
			continue
		}
		if phi.Kind == ir.Addr {
			s.share(a, phi, b)
			continue
		}
		d := s.words(phi)[0]
		if a.Op == ir.Const {
			constants = append(constants, s.load(d, uint32(a.Imm)))
			continue
		}
		in := move(d, s.reg(a))
		in.Copy, in.Parallel = true, s.parallel
		s.emit(in)
	}
	for _, in := range constants {
		s.emit(in)
	}
}

// share makes an address register that only a phi takes, at the end of block b, the phi's own. One
// that is set before a loop around would be wrong the second time.
func (s *selector) share(a, phi *ir.Value, b *ir.Block) {
	d := s.words(phi)[0]
	here := a.Block == b || len(b.Preds) == 1 && b.Preds[0] == a.Block
	if here && s.regs[a.ID][0] == 0 && s.uses[a.ID] == 1 {
		s.regs[a.ID][0] = d
	}
	if from := s.words(a)[0]; from != d {
		s.addAddr(d, from, 0)
	}
}

// move is d = a between registers.
func move(d, a code.Reg) code.Instr {
	in := code.Instr{In: tesla.Instruction{Op: tesla.OpMov, Type: tesla.B32}}
	in.In.Dst, in.Dst.Regs[0] = tesla.Operand{Kind: tesla.Reg}, d
	in.In.Src[0], in.Src[0].Regs[0] = tesla.Operand{Kind: tesla.Reg}, a
	return in
}

// load is d = a constant.
func (s *selector) load(d code.Reg, c uint32) code.Instr {
	in := code.Instr{In: tesla.Instruction{Op: tesla.OpMov, Type: tesla.B32}}
	in.In.Dst, in.Dst.Regs[0] = tesla.Operand{Kind: tesla.Reg}, d
	in.In.Src[0] = tesla.Operand{Kind: tesla.Imm, Value: c}
	return in
}
