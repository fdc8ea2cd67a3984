package code

import "jacquard/tesla"

// home is where a spilled register lives.
type home struct {
	made *Instr // nowhere: this instruction makes it anew
	word Reg    // of a Cond or an Addr: the Word that holds it
	slot int    // of a Word: its byte in l[]
}

// homes gives groups homes, by register.
func (s *groups) homes(chosen []*group) []*home {
	list := make([]*home, len(s.f.Regs))
	for _, g := range chosen {
		switch g.class {
		case Word:
			s.wordHome(g, list)
		default:
			s.wordFor(g, list)
		}
	}
	return list
}

// wordHome gives a group of Words a place in l[], unless its value can be made anew.
func (s *groups) wordHome(g *group, list []*home) {
	if made := s.remade(g); made != nil {
		again := *made
		for _, r := range g.members {
			list[r] = &home{made: &again}
		}
		s.f.spills.Rematerialised++
		return
	}
	bytes := 4 * g.align
	slot := (s.f.Local + bytes - 1) / bytes * bytes
	s.f.Local = slot + 4*g.size
	s.f.spills.Words += g.size
	for _, r := range g.members {
		if s.f.Regs[r].Fixed == 0 { // the copy from a fixed register becomes a store
			list[r] = &home{slot: slot + 4*int(s.at[r])}
		}
	}
}

// wordFor gives a Cond or an Addr a Word to live in, unless it can be computed again.
func (s *groups) wordFor(g *group, list []*home) {
	if made := s.repeatable(g, s.readTimes(g.members[0])); made != nil {
		again := *made
		list[g.members[0]] = &home{made: &again}
		s.f.spills.Rematerialised++
		return
	}
	w := s.f.NewReg(Word)
	s.saved[w] = true
	for _, r := range g.members {
		list[r] = &home{word: w}
	}
}

// readTimes returns the times at which a flag or an address register is read.
func (s *groups) readTimes(r Reg) []int32 {
	if s.readAt == nil {
		s.findReads()
	}
	return s.readAt[r]
}

// findReads lists the times by the register that is read then.
func (s *groups) findReads() {
	s.readAt = map[Reg][]int32{}
	var list []Reg
	k := 0
	note := func(r Reg, time int32) {
		if r != 0 && s.f.Regs[r].Class != Word {
			s.readAt[r] = append(s.readAt[r], time)
		}
	}
	for n, b := range s.f.Blocks {
		for i := range b.Code {
			list = b.Code[i].uses(list[:0])
			for _, r := range list {
				note(r, s.l.time[k])
			}
			k++
		}
		note(b.End.Guard.Reg, s.l.end[n])
	}
}

// fetch returns the instruction that puts the value at a home into a register of the class.
func (h *home) fetch(c Class, r Reg, line Line) Instr {
	in := Instr{Line: line}
	switch {
	case h.made != nil:
		in = *h.made
		in.Line, in.Parallel, in.Copy = line, 0, false
		if c == Cond {
			in.CDst = r
		} else {
			in.Dst = Operand{Regs: [4]Reg{r}}
		}
	case c == Word:
		in.In = tesla.Instruction{Op: tesla.OpLdLocal, Type: tesla.B32}
		in.In.Dst.Kind, in.In.Src[0] = tesla.Reg, local(h.slot)
		in.Dst.Regs[0] = r
	case c == Cond:
		in.In = tesla.Instruction{Op: tesla.OpMovToCond, Type: tesla.B32}
		in.In.Src[0].Kind = tesla.Reg
		in.Src[0].Regs[0], in.CDst = h.word, r
	default:
		in.In = tesla.Instruction{Op: tesla.OpShlToAddr, Type: tesla.B32}
		in.In.Dst.Kind, in.In.Src[0].Kind, in.In.Src[1].Kind = tesla.AddrReg, tesla.Reg, tesla.Imm
		in.Dst.Regs[0], in.Src[0].Regs[0] = r, h.word
	}
	return in
}

// local is the operand of l[].
func local(slot int) tesla.Operand { return tesla.Operand{Kind: tesla.Local, Value: uint32(slot)} }

// save returns the instruction that puts a register of the class home.
func (h *home) save(c Class, r Reg, line Line) Instr {
	in := Instr{Line: line}
	switch c {
	case Word:
		in.In = tesla.Instruction{Op: tesla.OpStLocal, Type: tesla.B32}
		in.In.Src[0], in.In.Src[1].Kind = local(h.slot), tesla.Reg
		in.Src[1].Regs[0] = r
	case Cond:
		in.In = tesla.Instruction{Op: tesla.OpMovFromCond, Type: tesla.B32}
		in.In.Dst.Kind, in.In.Src[0].Kind = tesla.Reg, tesla.CondReg
		in.Dst.Regs[0], in.Src[0].Regs[0] = h.word, r
	default:
		in.In = tesla.Instruction{Op: tesla.OpMovFromAddr, Type: tesla.B32}
		in.In.Dst.Kind, in.In.Src[0].Kind = tesla.Reg, tesla.AddrReg
		in.Dst.Regs[0], in.Src[0].Regs[0] = h.word, r
	}
	return in
}

// widen makes a load or a store of l[] one of an operand of two or four words.
func widen(in *Instr, o *tesla.Operand, v *Operand, regs []Reg) {
	copy(v.Regs[:], regs)
	in.In.Type, o.Kind = tesla.B64, tesla.Pair
	if len(regs) == 4 {
		in.In.Type, o.Kind = tesla.B128, tesla.Quadruple
	}
}
