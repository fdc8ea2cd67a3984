package code

import (
	"slices"
	"sort"

	"jacquard/tesla"
)

// group is virtual registers that are allocated together: up to four consecutive physical
// registers, and the virtual ones that share each.
type group struct {
	class   Class
	words   [4]segList // values of each physical register over time
	own     [4]bool    // the list is of this group alone
	size    int        // physical registers
	align   int        // the first one is a multiple of it
	fixed   int        // the first one + 1, 0 if any will do
	low     bool
	members []Reg // of a group that is not joined to another, after settle
	first   Reg   // of the chain of members, see groups.next
	last    Reg
	weight  float64 // how often instructions name it
	keep    bool    // it must not be spilled
	price   float64 // of spilling
	begin   int32   // the first point at which it holds a value
	span    int32   // the number of such points
	base    int     // the first physical register, -1 before allocation
	hints   []hint
	into    *group // the group that this one has been joined to, nil for none
	shift   int    // its place there
}

// hint is a wish: the group begins at the base of another plus a distance.
type hint struct {
	to       *group
	distance int
}

// groups is the groups of a function.
type groups struct {
	f  *Func
	l  *liveness
	of []*group // by Reg; nil for registers that are never named; up to date after settle
	at []int8   // by Reg: its place in the group

	next  []Reg // by Reg: the member of its group behind it, 0 for none; the first is group.first
	apart bool  // registers that live long must not become parts of tuples

	written   []*Instr        // instructions by the register that they write, once needed
	writtenAt []int32         // by Reg: the first of its instructions
	saved     map[Reg]bool    // Words that are homes of spilled registers of other classes
	readAt    map[Reg][]int32 // the times at which registers of other classes are read, once needed
}

// newGroups makes a group of each register, and joins registers that an operand needs in sequence.
func newGroups(l *liveness, temporary set) *groups {
	f := l.f
	s := &groups{f: f, l: l, saved: map[Reg]bool{}, of: make([]*group, len(f.Regs)), at: make([]int8, len(f.Regs)), next: make([]Reg, len(f.Regs))}
	list := make([]group, len(f.Regs))
	for r := 1; r < len(f.Regs); r++ {
		if len(l.ranges[r]) == 0 {
			continue
		}
		g, info := &list[r], &f.Regs[r]
		*g = group{class: info.Class, size: 1, align: 1, fixed: int(info.Fixed), low: info.Low, base: -1}
		g.first, g.last = Reg(r), Reg(r)
		g.words[0] = l.ranges[r]
		g.keep = r < 64*len(temporary) && temporary.has(r)
		s.of[r] = g
	}
	s.operands()
	return s
}

// operands weighs registers and joins registers that an operand needs in sequence.
func (s *groups) operands() {
	for _, b := range s.f.Blocks {
		w := float64(frequency(b))
		for i := range b.Code {
			in := &b.Code[i]
			in.each(func(r *Reg, _ bool) { s.group(*r).weight += w })
			if in.constrained() {
				s.tuple(&in.Dst)
				for k := range in.Src {
					s.tuple(&in.Src[k])
				}
				if t := in.tie(); t >= 0 {
					s.force(in.Dst.Regs[0], in.Src[t].Regs[0], 0)
				}
			}
			if in.narrow() {
				s.lower(in)
			}
		}
		if r := b.End.Guard.Reg; r != 0 {
			s.group(r).weight += w
		}
	}
}

// frequency estimates how often a block runs.
func frequency(b *Block) int { return 1 << (3 * min(b.Depth, 6)) }

func (s *groups) tuple(o *Operand) {
	n := o.width()
	if n < 2 {
		return
	}
	for k := 1; k < n; k++ {
		s.force(o.Regs[0], o.Regs[k], k)
	}
	g := s.group(o.Regs[0])
	g.align = max(g.align, aligned(n))
}

// force puts register b at a distance behind a. The pass isolate has made that possible.
func (s *groups) force(a, b Reg, distance int) {
	ga, gb := s.group(a), s.group(b)
	if ga == gb {
		return
	}
	d := int(s.at[a]) + distance - int(s.at[b])
	if d < 0 {
		ga, gb, d = gb, ga, -d
	}
	s.join(ga, gb, d)
}

// narrow reports whether an operand reaches $r0 to $r63 only.
func (in *Instr) narrow() bool {
	imm := false
	for k := range in.In.Src {
		switch in.In.Src[k].Kind {
		case tesla.Half:
			return true
		case tesla.Imm:
			imm = true
		}
	}
	return in.In.Dst.Kind == tesla.Half || imm && in.immediateForm()
}

// lower restricts the registers of halves and of immediate forms.
func (s *groups) lower(in *Instr) {
	all := in.immediateForm()
	if all || in.In.Dst.Kind == tesla.Half {
		s.lowest(in.Dst.Regs[0])
	}
	for k := range in.Src {
		if all || in.In.Src[k].Kind == tesla.Half {
			s.lowest(in.Src[k].Regs[0])
		}
	}
}

func (s *groups) lowest(r Reg) {
	if r != 0 {
		s.group(r).low = true
	}
}

// join puts all of group b at a distance into group a.
func (s *groups) join(a, b *group, distance int) {
	for k := range b.size {
		a.merge(distance+k, b, k)
	}
	a.size = max(a.size, distance+b.size)
	a.align = max(a.align, b.align)
	if b.fixed != 0 {
		a.fixed = b.fixed - distance
	}
	a.low = a.low || b.low
	a.keep = a.keep && b.keep
	a.weight += b.weight
	b.into, b.shift = a, distance
	s.next[a.last], a.last = b.first, b.last
}

// group returns the group of a register, and brings of and at up to date for it. Groups that have
// been joined are found by their chain, which gets shorter on the way.
func (s *groups) group(r Reg) *group {
	g := s.of[r]
	if g == nil || g.into == nil {
		return g
	}
	root := g.root()
	s.of[r], s.at[r] = root, s.at[r]+int8(g.shift)
	return root
}

// root returns the group that g is a part of, and makes that the next one of all on the way.
func (g *group) root() *group {
	root, place := g, 0
	for root.into != nil {
		place += root.shift
		root = root.into
	}
	for g.into != nil && g.into != root {
		next, shift := g.into, g.shift
		g.into, g.shift = root, place
		g, place = next, place-shift
	}
	return root
}

// settle brings the groups of all registers up to date, and lists their members.
func (s *groups) settle() {
	all := make([]Reg, 0, len(s.of))
	for r := range s.of {
		g := s.group(Reg(r))
		if g == nil || g.members != nil {
			continue
		}
		from := len(all)
		for m := g.first; m != 0; m = s.next[m] {
			all = append(all, m)
		}
		g.members = all[from:len(all):len(all)]
	}
}

// merge merges the segments of b's register k into the segments of register at. Segments that
// overlap hold the same value. A group may grow by one segment thousands of times, so the shorter
// list goes into the longer one.
func (g *group) merge(at int, b *group, k int) {
	long, short, own, later := g.words[at], b.words[k], g.own[at], true
	if len(long) < len(short) {
		long, short, own, later = short, long, b.own[k], false
	}
	if len(short) > 0 && !own {
		long, own = slices.Clone(long), true
	}
	if len(short) > fewSegments {
		long = long.union(short)
	} else {
		for _, x := range short {
			long = long.insert(x, later)
		}
	}
	g.words[at], g.own[at] = long, own
}

// fewSegments are as many as are inserted one by one.
const fewSegments = 8

// union adds the segments of another list.
func (s segList) union(o segList) segList {
	i, j := len(s)-1, len(o)-1
	s = append(s, o...)
	for k := len(s) - 1; j >= 0; k-- { // from the end, where there is room
		if i >= 0 && s[i].from > o[j].from {
			s[k] = s[i]
			i--
		} else {
			s[k] = o[j]
			j--
		}
	}
	rest := s[i+1:]
	s = s[:i+1]
	for _, x := range rest {
		if n := len(s); n > 0 && s[n-1].touches(x) {
			s[n-1].to = max(s[n-1].to, x.to)
			continue
		}
		s = append(s, x)
	}
	return s
}

// insert adds a segment, behind one that begins at the same point if later. Segments that touch and
// hold the same value become one.
func (s segList) insert(x segment, later bool) segList {
	i := sort.Search(len(s), func(k int) bool { return s[k].from > x.from || s[k].from == x.from && !later })
	if i > 0 && s[i-1].touches(x) {
		i--
		s[i].to = max(s[i].to, x.to)
	} else {
		s = slices.Insert(s, i, x)
	}
	n := i + 1
	for n < len(s) && s[i].touches(s[n]) {
		s[i].to = max(s[i].to, s[n].to)
		n++
	}
	return slices.Delete(s, i+1, n)
}

// touches reports whether a segment that begins no earlier goes on with the value of x.
func (x segment) touches(next segment) bool { return x.value == next.value && x.to >= next.from }

// conflict reports whether the lists hold different values at some point.
func conflict(a, b segList) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for _, x := range a {
		i += sort.Search(len(b)-i, func(k int) bool { return b[i+k].to > x.from })
		for k := i; k < len(b) && b[k].from < x.to; k++ {
			if b[k].value != x.value {
				return true
			}
		}
	}
	return false
}
