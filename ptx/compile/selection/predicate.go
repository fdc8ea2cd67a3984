package selection

import (
	"jacquard/ptx"
	"jacquard/ptx/compile/code"
	"jacquard/ptx/compile/ir"
	"jacquard/tesla"
)

// guard returns the condition under which the predicate p is want.
func (s *selector) guard(p *ir.Value, want bool) code.Guard {
	switch p.Op {
	case ir.Not:
		return s.guard(p.Args[0], !want)
	case ir.Const:
		if (p.Imm&1 != 0) == want {
			return code.Guard{}
		}
		return code.Guard{Cond: tesla.CondNever}
	}
	g := &s.conds[p.ID]
	if g.Reg == 0 {
		*g = s.condition(p)
	}
	if !want {
		return code.Guard{Reg: g.Reg, Cond: opposite(g.Cond)}
	}
	return *g
}

// condition chooses where a predicate lives: in flags that its operand's instruction sets anyway,
// or in flags of a comparison, as for all ones or zero.
func (s *selector) condition(p *ir.Value) code.Guard {
	g := code.Guard{Reg: s.newReg(code.Cond), Cond: tesla.CondLG}
	if p.Op == ir.Locked { // Unverified: "less" is what compilers test
		s.flags[p.Args[0].ID] = g.Reg
		s.uses[p.Args[0].ID]--
		g.Cond = tesla.CondL
		return g
	}
	if p.Op != ir.ICmp || !p.Args[1].Is(0) || p.Sub.Bits() != 32 {
		return g
	}
	a := p.Args[0]
	if a.Block != p.Block || !setsFlags(a) || s.flags[a.ID] != 0 || s.carries[a.ID] != 0 || s.taken[a.ID] {
		return g
	}
	switch {
	case p.Cmp == ptx.Eq:
		g.Cond = tesla.CondE
	case p.Cmp == ptx.Ne:
	case p.Cmp == ptx.Lt && p.Signed():
		g.Cond = tesla.CondS
	case p.Cmp == ptx.Ge && p.Signed():
		g.Cond = tesla.CondNS
	default:
		return g
	}
	s.flags[a.ID] = g.Reg
	s.uses[a.ID]--
	return g
}

// chained reports whether a predicate is And or Or of comparisons that are made one after the other
// in one condition register: the second where the first leaves the result open.
func chained(p *ir.Value) bool { return p.Op == ir.And || p.Op == ir.Or }

// chain selects And and Or of comparisons into a condition register.
func (s *selector) chain(p *ir.Value, r code.Reg, g code.Guard) {
	if !chained(p) {
		in := s.comparison(p)
		in.In.Dst, in.Dst = discard().t, code.Operand{}
		in.CDst, in.Guard = r, g
		s.emit(in)
		return
	}
	for _, a := range p.Args {
		s.own(a)
	}
	s.chain(p.Args[0], r, code.Guard{})
	open := code.Guard{Reg: r, Cond: tesla.CondLG}
	if p.Op == ir.Or {
		open.Cond = tesla.CondE
	}
	s.chain(p.Args[1], r, open)
}

// own takes an operand of a chain. One that is wanted elsewhere, too, is computed again here.
func (s *selector) own(a *ir.Value) {
	if s.uses[a.ID] == 1 && a.Block == s.at.Block && s.conds[a.ID].Reg == 0 && !s.taken[a.ID] {
		s.taken[a.ID] = true
		return
	}
	s.uses[a.ID]--
	if !chained(a) {
		for _, x := range a.Args {
			s.uses[x.ID]++
		}
	}
}

// setsFlags reports whether the instruction of a value can set flags that tell it from zero.
func setsFlags(v *ir.Value) bool {
	switch v.Op {
	case ir.Add, ir.Sub, ir.Mul16, ir.Mul24, ir.Min, ir.Max, ir.And, ir.Or, ir.Xor, ir.Not,
		ir.Shl, ir.ShrU, ir.ShrS:
		return !v.Sat && v.Kind == ir.Word
	}
	return false
}

// opposite returns the condition that holds where c does not, in flags of an integer.
func opposite(c tesla.Cond) tesla.Cond {
	switch c {
	case tesla.CondLG:
		return tesla.CondE
	case tesla.CondE:
		return tesla.CondLG
	case tesla.CondS:
		return tesla.CondNS
	case tesla.CondL:
		return tesla.CondGE
	}
	return tesla.CondS
}

// compare selects a comparison that gives a predicate.
func (s *selector) compare(v *ir.Value) {
	g := s.conds[v.ID]
	if g.Reg != 0 && chained(v) {
		s.chain(v, g.Reg, code.Guard{})
		return
	}
	if g.Reg == 0 || v.Op == ir.ICmp && s.flags[v.Args[0].ID] == g.Reg {
		return // the operand's instruction sets the flags
	}
	in := s.comparison(v)
	in.In.Dst, in.Dst = discard().t, code.Operand{}
	in.CDst = g.Reg
	s.emit(in)
}

// set selects a comparison that gives all ones or zero.
func (s *selector) set(v *ir.Value) {
	in := s.comparison(v)
	s.flagged(v, &in)
	d := s.result(v)
	in.In.Dst, in.Dst = d.t, d.c
	s.emit(in)
}

// comparison selects the operands of a comparison.
func (s *selector) comparison(v *ir.Value) code.Instr {
	switch v.Op {
	case ir.ICmp, ir.ISet:
		return s.compareInt(v)
	case ir.FCmp, ir.FSet:
		in := instr(tesla.OpFSet, tesla.F32)
		mask := floatCmp(v.Cmp)
		a, b := s.signed(v.Args[0], true), s.signed(v.Args[1], true)
		x, y, swapped := s.twoSigned(a, b, forms{shared: true, konst: true})
		if swapped {
			mask = mirrored(mask)
		}
		in.In.Cmp = mask
		put(&in, operand{}, x, y)
		return in
	}
	in := instr(tesla.OpDSet, tesla.F64)
	in.In.Cmp = floatCmp(v.Cmp)
	put(&in, operand{}, s.signedPair(v.Args[0]), s.signedPair(v.Args[1]))
	return in
}

func (s *selector) compareInt(v *ir.Value) code.Instr {
	in := instr(tesla.OpISet, signedType(v))
	mask := intCmp(v.Cmp)
	x, y, swapped := s.two(v.Args[0], v.Args[1], forms{shared: true, konst: true}, true)
	if swapped {
		mask = mirrored(mask)
	}
	in.In.Cmp = mask
	put(&in, operand{}, x, y)
	return in
}

func mirrored(c tesla.Cmp) tesla.Cmp {
	return c&^(tesla.Less|tesla.Greater) | c&tesla.Less<<2 | c&tesla.Greater>>2
}

func intCmp(c ptx.Cmp) tesla.Cmp {
	switch c {
	case ptx.Eq:
		return tesla.Equal
	case ptx.Ne:
		return tesla.Less | tesla.Greater
	case ptx.Lt:
		return tesla.Less
	case ptx.Le:
		return tesla.Less | tesla.Equal
	case ptx.Gt:
		return tesla.Greater
	}
	return tesla.Greater | tesla.Equal
}

func floatCmp(c ptx.Cmp) tesla.Cmp {
	ordered := map[ptx.Cmp]ptx.Cmp{
		ptx.Equ: ptx.Eq, ptx.Neu: ptx.Ne, ptx.Ltu: ptx.Lt, ptx.Leu: ptx.Le, ptx.Gtu: ptx.Gt,
		ptx.Geu: ptx.Ge,
	}
	switch {
	case c == ptx.Num:
		return tesla.Less | tesla.Equal | tesla.Greater
	case c == ptx.Nan:
		return tesla.Unordered
	}
	if o, ok := ordered[c]; ok {
		return intCmp(o) | tesla.Unordered
	}
	return intCmp(c)
}

// choose selects Select and PredSet: a move, and a guarded one over it.
func (s *selector) choose(v *ir.Value) {
	p := v.Args[0]
	then, other := s.f.Word(^uint32(0)), s.f.Word(0)
	if v.Op == ir.Select {
		then, other = v.Args[1], v.Args[2]
	}
	want := true
	if !s.sinks(then) && s.sinks(other) {
		then, other, want = other, then, false
	}
	if s.sinks(then) && s.replaces(v, then, other) {
		s.sink(then, v, s.guard(p, want))
		return
	}
	d := s.words(v)[0]
	base := s.moved(d, other)
	base.Copy = base.In.Src[0].Kind == tesla.Reg && base.Src[0].Regs[0] != 0
	guard := s.guard(p, want)
	s.emit(base)
	if s.sinks(then) {
		s.sink(then, v, guard)
		return
	}
	over := s.moved(d, then)
	over.Guard = guard
	s.emit(over)
}

// sinks reports whether a value that only the current one uses may be computed in its place under a
// guard.
func (s *selector) sinks(v *ir.Value) bool {
	if v.Kind != ir.Word || len(s.out.Literals)+s.sunk >= literalRoom {
		return false
	}
	return s.single(v, ir.FAdd, ir.FMul, ir.FMad, ir.Rcp, ir.Rsqrt, ir.Lg2, ir.And, ir.Or, ir.Xor, ir.Add,
		ir.Sub, ir.Shl, ir.ShrU, ir.ShrS, ir.FMin, ir.FMax, ir.Min, ir.Max) && s.carries[v.ID] == 0
}

// replaces reports whether a Select may write the register of its other value, which nothing needs
// afterwards, and makes the register its own. then may read the value.
func (s *selector) replaces(v, then, other *ir.Value) bool {
	n := int32(1)
	for _, a := range then.Args {
		if a == other {
			n++
		}
	}
	if s.regs[v.ID][0] != 0 && s.regs[other.ID][0] != 0 {
		return false
	}
	switch other.Op {
	case ir.Const, ir.Undef, ir.Tid, ir.Param, ir.Header, ir.Symbol, ir.Low, ir.High, ir.Element, ir.Phi, ir.Load:
		return false
	}
	if other.Block != v.Block || s.uses[other.ID] != n || s.taken[other.ID] {
		return false
	}
	if s.regs[v.ID][0] == 0 {
		s.regs[v.ID] = s.words(other)
	}
	s.regs[other.ID] = s.regs[v.ID]
	return true
}

// sink selects x in the registers of v, under a guard.
func (s *selector) sink(x, v *ir.Value, g code.Guard) {
	s.taken[x.ID] = true
	s.sunk++
	s.regs[x.ID] = s.words(v)
	from := len(s.sequence)
	s.value(x)
	for i := range s.sequence[from:] {
		if in := &s.sequence[from+i]; in.Dst.Regs[0] == s.words(v)[0] {
			in.Guard = g
		}
	}
}

// moved is d = v, from where v is. A constant comes from the literal pool, because a move of an
// immediate cannot be guarded.
func (s *selector) moved(d code.Reg, v *ir.Value) code.Instr {
	if o, ok := s.constant(v); ok {
		in := instr(tesla.OpLdConst, tesla.B32)
		s.take(v)
		put(&in, operand{tesla.Operand{Kind: tesla.Reg}, code.Operand{Regs: [4]code.Reg{d}}}, o)
		return in
	}
	if o, ok := s.shared(v, tesla.B32); ok && v.Op == ir.Param {
		in := move(d, 0)
		s.take(v)
		in.In.Src[0], in.Src[0] = o.t, o.c
		return in
	}
	return move(d, s.reg(v))
}

// vote selects a vote, whose operand is its guard.
func (s *selector) vote(v *ir.Value) {
	g := s.guard(v, true)
	in := instr(tesla.OpVote, tesla.TypeNone)
	in.In.Vote = tesla.VoteAny
	if v.Imm == 1 {
		in.In.Vote = tesla.VoteAll
	}
	in.CDst = g.Reg
	in.Guard = s.guard(v.Args[0], true)
	s.emit(in)
	s.block.Meet = true
}
