package code

import (
	"cmp"
	"slices"

	"jacquard/tesla"
)

// immediateForm reports whether a source is an immediate that needs the immediate format. This
// format reaches $r0 to $r63; the immediate of a move reaches all registers.
func (in *Instr) immediateForm() bool {
	return in.In.Op != tesla.OpMov && in.In.Op.Immediate() >= 0 && (in.In.Src[0].Kind == tesla.Imm || in.In.Src[1].Kind == tesla.Imm)
}

// candidate is a copy that might disappear.
type candidate struct {
	d, s   Reg
	weight int
}

// coalesce gives both sides of copies the same physical register where that is possible. It takes
// the copies that run most often first. Others become hints.
func (s *groups) coalesce() {
	var list []candidate
	for _, b := range s.f.Blocks {
		w := frequency(b)
		for i := range b.Code {
			if in := &b.Code[i]; in.Copy {
				list = append(list, candidate{in.Dst.Regs[0], in.Src[0].Regs[0], w})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.weight, a.weight) })
	for _, c := range list {
		if !s.unite(c.d, c.s) {
			s.hint(c.d, c.s)
		}
	}
	s.accumulators()
	s.settle()
}

// accumulators hints at the same register for the addend of a multiply-add and its result: the
// short form needs that.
func (s *groups) accumulators() {
	for _, b := range s.f.Blocks {
		for i := range b.Code {
			in := &b.Code[i]
			d, a := in.Dst.Regs[0], in.Src[2].Regs[0]
			if in.In.Op.Accumulates() && d != 0 && a != 0 && in.Guard.always() && in.CDst == 0 {
				s.hint(d, a)
			}
		}
	}
}

func (s *groups) hint(a, b Reg) {
	ga, gb := s.group(a), s.group(b)
	if ga == gb || ga.class != gb.class {
		return
	}
	d := int(s.at[b]) - int(s.at[a])
	ga.hints = append(ga.hints, hint{gb, d})
	gb.hints = append(gb.hints, hint{ga, -d})
}

// unite gives two registers the same physical one and reports whether that is possible.
func (s *groups) unite(x, y Reg) bool {
	a, b := s.group(x), s.group(y)
	if a == b {
		return s.at[x] == s.at[y]
	}
	d := int(s.at[x]) - int(s.at[y])
	if b.align > a.align || b.align == a.align && b.size > a.size {
		a, b, d = b, a, -d
	}
	if !s.fit(a, b, d) || s.apart && a.size > 1 && a.length()+b.length() > longest {
		return false
	}
	for k := range b.size {
		if conflict(a.words[d+k], b.words[k]) {
			return false
		}
	}
	s.join(a, b, d)
	return true
}

// longest is the points that registers of a tuple may live if tuples have not fitted.
const longest = 100

// fit reports whether some physical registers suit group a with b at a distance in it.
func (s *groups) fit(a, b *group, d int) bool {
	if a.class != b.class || d < 0 || d%b.align != 0 || d+b.size > max(a.align, a.size) {
		return false
	}
	if a.keep != b.keep { // what spills made must not be spilled again
		return false
	}
	base := a.fixed - 1
	if b.fixed != 0 {
		if base >= 0 && base != b.fixed-1-d {
			return false
		}
		base = b.fixed - 1 - d
	}
	size := max(a.size, d+b.size)
	switch {
	case b.fixed != 0 && base < 0:
		return false
	case base < 0:
		return true
	case base%a.align != 0 || base+size > s.f.MaxRegs:
		return false
	}
	return !(a.low || b.low) || base+size <= lowRegs
}

// lowRegs is the number of registers that 6 bits name.
const lowRegs = 64
