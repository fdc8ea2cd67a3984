package code

import "jacquard/tesla"

// Registers that the kernel does not own read as zero, and take no writes.
const (
	zeroReg      = tesla.MaxRegisters // no kernel owns more
	zeroShortReg = 63                 // in forms that reach no more, if the kernel does not own it
)

// assign writes the physical registers into the instructions, and removes copies within one.
func (s *groups) assign() {
	for n, b := range s.f.Blocks {
		s.assignBlock(n, b)
		e := &b.End
		if !e.Guard.always() {
			e.guard = tesla.Guard{Reg: s.physical(e.Guard.Reg), Cond: e.Guard.Cond}
		}
	}
	s.f.physical = true
}

func (s *groups) physical(r Reg) uint8 {
	return uint8(s.of[r].base + int(s.at[r]))
}

func (s *groups) assignBlock(n int, b *Block) {
	for i := range b.Code {
		s.assignInstr(&b.Code[i])
	}
	out := b.Code[:0:0]
	if !hasParallel(b) {
		out = b.Code[:0]
	}
	for i := 0; i < len(b.Code); {
		end := runEnd(b.Code, i)
		if end == i+1 {
			if !b.Code[i].identity() {
				out = append(out, b.Code[i])
			}
		} else {
			out = s.sequence(out, b.Code[i:end], s.l.time[int(s.l.first[n])+i])
		}
		i = end
	}
	b.Code = out
}

// hasParallel reports whether a block has a run of parallel copies, which may become longer.
func hasParallel(b *Block) bool {
	for i := range b.Code {
		if b.Code[i].Parallel != 0 {
			return true
		}
	}
	return false
}

// identity reports whether the instruction is a copy of a register to itself.
func (in *Instr) identity() bool {
	return in.Copy && in.In.Dst.Index == in.In.Src[0].Index
}

// assignInstr writes the physical registers of one instruction.
func (s *groups) assignInstr(in *Instr) {
	t := &in.In
	s.assignOperand(&t.Dst, &in.Dst)
	for k := range in.Src {
		s.assignOperand(&t.Src[k], &in.Src[k])
	}
	if !in.Guard.always() {
		t.Guard = tesla.Guard{Reg: s.physical(in.Guard.Reg), Cond: in.Guard.Cond}
	} else {
		t.Guard = tesla.Guard{Cond: in.Guard.Cond}
	}
	if in.CDst != 0 {
		t.CDst = tesla.C0 + tesla.CReg(s.physical(in.CDst))
	}
	if in.CarryIn != 0 {
		t.CarryIn = tesla.C0 + tesla.CReg(s.physical(in.CarryIn))
	}
}

func (s *groups) assignOperand(o *tesla.Operand, v *Operand) {
	if v.Base != 0 {
		o.Base = s.physical(v.Base)
	}
	r := v.Regs[0]
	switch o.Kind {
	case tesla.Reg, tesla.Pair, tesla.Quadruple:
		o.Index = zeroReg
		if r != 0 {
			o.Index = s.physical(r)
		}
	case tesla.Half:
		o.Index = 2 * zeroShortReg
		if r != 0 {
			o.Index = 2 * s.physical(r)
		}
		if v.High {
			o.Index++
		}
	case tesla.CondReg, tesla.AddrReg:
		if r != 0 {
			o.Index = s.physical(r)
		}
	case tesla.Global:
		o.Value = zeroReg
		if r != 0 {
			o.Value = uint32(s.physical(r))
		}
	}
}
