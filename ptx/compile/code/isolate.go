package code

import "math/bits"

// isolate gives operands that constrain their registers registers of their own, with copies before
// and after, unless the constraints of all operands can hold together. Coalescing removes most of
// these copies.
func isolate(f *Func) {
	s := &isolation{f: f, tuples: newTuples(len(f.Regs))}
	s.entry()
	s.blocks()
}

// isolateAll does that to all operands of several words. Registers that live long then need not lie
// beside others.
func isolateAll(f *Func) {
	s := &isolation{f: f, tuples: newTuples(len(f.Regs)), all: true}
	s.blocks()
}

func (s *isolation) blocks() {
	for _, b := range s.f.Blocks {
		s.block(b)
	}
}

// isolation is the state of isolate.
type isolation struct {
	f      *Func
	tuples *tuples
	all    bool // no operand keeps its registers
	out    []Instr
	after  []Instr
}

// entry copies values that enter the kernel in fixed registers.
func (s *isolation) entry() {
	f := s.f
	var copies []Instr
	into := map[Reg]Reg{}
	for r := 1; r < len(f.Regs); r++ {
		if f.Regs[r].Fixed != 0 && f.Regs[r].Class == Word {
			n := f.NewReg(Word)
			f.Regs[n].Low = f.Regs[r].Low
			into[Reg(r)] = n
			copies = append(copies, move(n, Reg(r), Line{}))
		}
	}
	if len(copies) == 0 {
		return
	}
	for _, b := range f.Blocks {
		for i := range b.Code {
			b.Code[i].each(func(r *Reg, _ bool) {
				if n := into[*r]; n != 0 {
					*r = n
				}
			})
		}
	}
	f.Blocks[0].Code = append(copies, f.Blocks[0].Code...)
	s.tuples.grow(len(f.Regs))
}

func (s *isolation) block(b *Block) {
	changed := false
	s.out = s.out[:0]
	for i := range b.Code {
		in := &b.Code[i]
		if !in.constrained() {
			if changed {
				s.out = append(s.out, *in)
			}
			continue
		}
		before := len(s.out)
		s.after = s.after[:0]
		if !changed {
			s.out = append(s.out, b.Code[:i]...)
			before = i
		}
		s.instr(in)
		changed = changed || len(s.out) > before || len(s.after) > 0
		if changed {
			s.out = append(append(s.out, *in), s.after...)
		} else {
			s.out = s.out[:0]
		}
	}
	if changed {
		b.Code = append([]Instr(nil), s.out...)
	}
}

// constrained reports whether the instruction has an operand of several words or a tie.
func (in *Instr) constrained() bool {
	return in.Dst.Regs[1]|in.Src[0].Regs[1]|in.Src[1].Regs[1]|in.Src[2].Regs[1] != 0 || in.tie() >= 0
}

// instr isolates the operands of an instruction that need it.
func (s *isolation) instr(in *Instr) {
	tie := in.tie()
	for k := range in.Src {
		if o := &in.Src[k]; k == tie || o.Regs[1] != 0 && !s.suits(o) {
			s.source(in, o)
			s.tuples.grow(len(s.f.Regs))
			s.tuples.add(o)
		}
	}
	if o := &in.Dst; tie >= 0 || o.Regs[1] != 0 && !s.suits(o) {
		s.destination(in, tie >= 0)
		s.tuples.grow(len(s.f.Regs))
		s.tuples.add(o)
	}
}

// suits reports whether an operand of several words can keep its registers.
func (s *isolation) suits(o *Operand) bool { return !s.all && s.tuples.add(o) }

// source copies the words of a source into new registers.
func (s *isolation) source(in *Instr, o *Operand) {
	for k := range o.width() {
		n := s.f.NewReg(Word)
		s.f.Regs[n].Low = s.f.Regs[o.Regs[k]].Low
		s.out = append(s.out, move(n, o.Regs[k], in.Line))
		o.Regs[k] = n
	}
}

// destination has the instruction write new registers, from which copies go to the old ones. The
// new registers of a guarded instruction begin with the old values, unless the instruction has a
// tie.
func (s *isolation) destination(in *Instr, tied bool) {
	for k := range in.Dst.width() {
		old, n := in.Dst.Regs[k], s.f.NewReg(Word)
		s.f.Regs[n].Low = s.f.Regs[old].Low
		out := move(old, n, in.Line)
		switch {
		case !in.Guard.always() && tied:
			out.Guard, in.First = in.Guard, true
		case in.keeps(old):
			s.out = append(s.out, move(n, old, in.Line))
		}
		s.after = append(s.after, out)
		in.Dst.Regs[k] = n
	}
}

// tuples are the constraints of operands so far: sets of registers at fixed distances.
type tuples struct {
	of []*tuple // by Reg
	at []int8   // by Reg: its place
}

// tuple is up to four consecutive registers. The number of the first is a multiple of align.
type tuple struct {
	words [4]Reg
	align int
}

func newTuples(n int) *tuples { return &tuples{make([]*tuple, n), make([]int8, n)} }

func (t *tuples) grow(n int) {
	for len(t.of) < n {
		t.of, t.at = append(t.of, nil), append(t.at, 0)
	}
}

// aligned returns the alignment of an operand of n words.
func aligned(n int) int { return 1 << bits.Len(uint(n-1)) }

// add makes the registers of an operand a tuple, in agreement with the existing tuples. It reports
// false if two registers would share a place.
func (t *tuples) add(o *Operand) bool {
	n := o.width()
	if n < 2 {
		return true
	}
	all := tuple{align: aligned(n)}
	base := 0
	for k, r := range o.Regs[:n] {
		if g := t.of[r]; g != nil && g.align > all.align {
			all.align, base = g.align, int(t.at[r])-k
		}
	}
	if base < 0 || base%aligned(n) != 0 {
		return false
	}
	for k, r := range o.Regs[:n] {
		if !all.put(r, base+k) || t.of[r] != nil && !all.include(t.of[r], base+k-int(t.at[r])) {
			return false
		}
	}
	if all.twice() {
		return false
	}
	for k, r := range all.words {
		if r != 0 {
			t.of[r], t.at[r] = &all, int8(k)
		}
	}
	return true
}

func (g *tuple) put(r Reg, at int) bool {
	if at >= g.align || g.words[at] != 0 && g.words[at] != r {
		return false
	}
	g.words[at] = r
	return true
}

// include puts the registers of another tuple from a place on.
func (g *tuple) include(o *tuple, at int) bool {
	if at < 0 || at%o.align != 0 {
		return false
	}
	for k, r := range o.words {
		if r != 0 && !g.put(r, at+k) {
			return false
		}
	}
	return true
}

// twice reports whether a register is at two places.
func (g *tuple) twice() bool {
	for i, r := range g.words {
		for _, q := range g.words[:i] {
			if r != 0 && r == q {
				return true
			}
		}
	}
	return false
}
