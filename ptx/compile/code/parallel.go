package code

import "jacquard/tesla"

// moves is copies between physical registers that happen at the same time.
type moves struct {
	left    []Instr
	readers [256]uint8 // by physical register: copies left that read it
}

// sequence appends a run of parallel copies as moves one after the other.
func (s *groups) sequence(out, run []Instr, time int32) []Instr {
	var m moves
	var loads []Instr
	for i := range run {
		in := &run[i]
		in.Parallel = 0
		switch o := &in.In.Src[0]; {
		case o.Kind != tesla.Reg || o.Index == zeroReg:
			loads = append(loads, *in)
		case !in.identity():
			m.left = append(m.left, *in)
			m.readers[o.Index]++
		}
	}
	for len(m.left) > 0 {
		n := len(m.left)
		out = m.emit(out)
		if len(m.left) == n {
			out = s.breakCycle(out, &m, time)
		}
	}
	return append(out, loads...)
}

// emit appends the copies whose destination no remaining copy reads.
func (m *moves) emit(out []Instr) []Instr {
	rest := m.left[:0]
	for _, c := range m.left {
		if m.readers[c.In.Dst.Index] > 0 {
			rest = append(rest, c)
			continue
		}
		m.readers[c.In.Src[0].Index]--
		out = append(out, c)
	}
	m.left = rest
	return out
}

// breakCycle breaks the cycle of the first copy, through a free register or by an exchange of its
// two registers. All remaining copies are in cycles.
func (s *groups) breakCycle(out []Instr, m *moves, time int32) []Instr {
	c := &m.left[0]
	d, from := c.In.Dst.Index, c.In.Src[0].Index
	if spare, ok := s.spare(time); ok {
		save := *c
		save.In.Dst.Index, save.In.Src[0].Index = spare, d
		m.rename(d, spare)
		return append(out, save)
	}
	for _, x := range [][2]uint8{{d, from}, {from, d}, {d, from}} {
		out = append(out, exclusiveOr(x[0], x[1], c.Line))
	}
	// Now d holds what from held, and the other way round.
	m.readers[from]--
	m.left = m.left[1:]
	m.rename(d, from)
	rest := m.left[:0]
	for _, c := range m.left {
		if c.identity() {
			m.readers[c.In.Src[0].Index]--
			continue
		}
		rest = append(rest, c)
	}
	m.left = rest
	return out
}

// rename has the copies that read one register read another.
func (m *moves) rename(from, to uint8) {
	for i := range m.left {
		if o := &m.left[i].In.Src[0]; o.Index == from {
			o.Index = to
			m.readers[from]--
			m.readers[to]++
		}
	}
}

// exclusiveOr returns d = d xor s.
func exclusiveOr(d, s uint8, line Line) Instr {
	reg := func(n uint8) tesla.Operand { return tesla.Operand{Kind: tesla.Reg, Index: n} }
	in := tesla.Instruction{Op: tesla.OpLogic, Type: tesla.B32, Logic: tesla.Xor, Dst: reg(d)}
	in.Src[0], in.Src[1] = reg(d), reg(s)
	return Instr{In: in, Line: line}
}

// spare returns a register of the kernel that holds no value at a point.
func (s *groups) spare(time int32) (uint8, bool) {
	var busy [zeroReg]bool
	for r, g := range s.of {
		if g == nil || g.class != Word || g.members[0] != Reg(r) {
			continue
		}
		for k, w := range g.words[:g.size] {
			if w.covers(2*time) || w.covers(2*time+1) {
				busy[g.base+k] = true
			}
		}
	}
	for r := range s.f.registersUsed {
		if !busy[r] {
			return uint8(r), true
		}
	}
	return 0, false
}
