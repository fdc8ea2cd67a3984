package code

import (
	"slices"

	"jacquard/tesla"
)

// remade returns an instruction that makes the value of a group anew at any place, or nil. All that
// is written to the group is that instruction, and copies within the group.
func (s *groups) remade(g *group) *Instr {
	if g.size != 1 || g.fixed != 0 {
		return nil
	}
	var made *Instr
	for _, r := range g.members {
		for _, in := range s.writers(r) {
			if in.Copy && in.Guard.always() && s.of[in.Src[0].Regs[0]] == g {
				continue
			}
			if made != nil || !s.f.constant(in) {
				return nil
			}
			made = in
		}
	}
	return made
}

// writers returns the instructions that write a register.
func (s *groups) writers(r Reg) []*Instr {
	if s.written == nil {
		s.findWriters()
	}
	return s.written[s.writtenAt[r]:s.writtenAt[r+1]]
}

// findWriters lists the instructions by the register that they write.
func (s *groups) findWriters() {
	at := make([]int32, len(s.f.Regs)+2)
	var list []Reg
	each := func(visit func(in *Instr, r Reg)) {
		for _, b := range s.f.Blocks {
			for i := range b.Code {
				list = b.Code[i].defs(list[:0])
				for _, r := range list {
					visit(&b.Code[i], r)
				}
			}
		}
	}
	each(func(_ *Instr, r Reg) { at[r+2]++ })
	for r := range len(at) - 1 {
		at[r+1] += at[r]
	}
	s.written = make([]*Instr, at[len(at)-1])
	each(func(in *Instr, r Reg) {
		s.written[at[r+1]] = in
		at[r+1]++
	})
	s.writtenAt = at
}

// constant reports whether an instruction writes one whole Word that is the same wherever it is
// executed, at the price of a move.
func (f *Func) constant(in *Instr) bool {
	if !in.Guard.always() || in.CDst != 0 || in.In.Dst.Kind != tesla.Reg || in.In.Type.Bytes() != 4 {
		return false
	}
	o := &in.In.Src[0]
	if in.Src[0].Base != 0 || o.Post {
		return false
	}
	switch in.In.Op {
	case tesla.OpMovFromSpecial:
		return o.Index == physID
	case tesla.OpMov, tesla.OpLdConst, tesla.OpLdShared:
		return o.Kind == tesla.Imm || o.Kind == tesla.Const ||
			o.Kind == tesla.Shared && int(o.Value)+o.Type.Bytes() <= f.Constant
	}
	return false
}

// physID is the number of the special register that holds the place of a thread.
const physID = 0

// repeatable returns the instruction that writes a flag or an address register if it can be
// executed again at all given times with the same result: registers that it reads are written
// once, and still live then.
func (s *groups) repeatable(g *group, times []int32) *Instr {
	if len(g.members) != 1 {
		return nil
	}
	w := s.writers(g.members[0])
	if len(w) != 1 || !repeats(w[0]) {
		return nil
	}
	for _, r := range w[0].uses(nil) {
		if len(s.writers(r)) != 1 && s.f.Regs[r].Fixed == 0 || s.f.Regs[r].Class != Word {
			return nil
		}
		for _, x := range s.l.ranges[r] {
			if x.from%2 != 0 && s.l.ranges[g.members[0]].covers(x.from) { // it changes meanwhile
				return nil
			}
		}
		if slices.ContainsFunc(times, func(t int32) bool { return !s.l.ranges[r].covers(2 * t) }) {
			return nil
		}
	}
	return w[0]
}

// repeats reports whether an instruction does nothing but write flags or an address register, from
// registers and constants.
func repeats(in *Instr) bool {
	if !in.Guard.always() {
		return false
	}
	switch in.In.Op {
	case tesla.OpISet, tesla.OpFSet, tesla.OpDSet, tesla.OpIAdd, tesla.OpLogic:
		if in.In.Dst.Kind != tesla.Discard {
			return false
		}
	case tesla.OpShlToAddr, tesla.OpAddAddr:
	default:
		return false
	}
	for k := range in.In.Src {
		if in.In.Src[k].Kind == tesla.Shared || in.Src[k].Base != 0 {
			return false
		}
	}
	return true
}
