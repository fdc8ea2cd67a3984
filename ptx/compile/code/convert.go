package code

import (
	"slices"

	"jacquard/tesla"
)

// Limits of the sides of a branch that become guarded instructions. A guarded instruction is issued
// whether or not a lane needs it; a branch that divides a warp costs a joinat, itself and a join.
const (
	sideDivergent = 7
	sideUniform   = 3
)

// convert replaces branches around short sides by guards.
func convert(f *Func) {
	c := &converter{f: f}
	c.count()
	for again := true; again; {
		again = false
		c.preds = f.predecessors()
		for i := len(f.Blocks) - 1; i >= 0; i-- {
			b := f.Blocks[i]
			before := slices.Clone(b.successors())
			if c.block(b) {
				again = true
				c.lead(before, -1)
				c.lead(b.successors(), 1)
			}
		}
		clean(f)
	}
}

// converter replaces branches by guards.
type converter struct {
	f          *Func
	preds      []int
	uses, defs []int // of each register
}

// lead adds n to the ways to each of some blocks.
func (c *converter) lead(to []*Block, n int) {
	for _, b := range to {
		c.preds[b.ID] += n
	}
}

// count counts the uses and definitions of every register.
func (c *converter) count() {
	c.uses, c.defs = make([]int, len(c.f.Regs)), make([]int, len(c.f.Regs))
	for _, b := range c.f.Blocks {
		for i := range b.Code {
			b.Code[i].each(func(r *Reg, def bool) {
				if def {
					c.defs[*r]++
				} else {
					c.uses[*r]++
				}
			})
		}
	}
}

// block converts the branch at the end of b if it can.
func (c *converter) block(b *Block) bool {
	e := &b.End
	if e.Kind != Branch || e.To[0] == e.To[1] || e.Guard.Reg == 0 {
		return false
	}
	limit := sideDivergent
	if e.Uniform {
		limit = sideUniform
	}
	for i := range 2 {
		t, o := e.To[i], e.To[1-i]
		switch {
		case !c.side(b, t, limit):
		case t.End.To[0] == o:
			c.take(b, t, i, nil)
			return true
		case c.meets(b, t, o, limit) && c.moves(o, t, b):
			c.take(b, t, i, o)
			return true
		}
	}
	t, o := e.To[0], e.To[1]
	if !c.side(b, t, limit) || !c.meets(b, t, o, limit) || len(t.Code)+len(o.Code) > limit {
		return false
	}
	c.both(b, t, o)
	return true
}

// meets reports whether o is the other side of t, as short.
func (c *converter) meets(b, t, o *Block, limit int) bool {
	return o != t && c.side(b, o, limit) && o.End.To[0] == t.End.To[0]
}

// side reports whether the instructions of t may be guarded and stand in b.
func (c *converter) side(b, t *Block, limit int) bool {
	if t == b || t.ID == 0 || c.preds[t.ID] != 1 || t.End.Kind != Jump || t.End.To[0] == t || t.Meet || len(t.Code) > limit {
		return false
	}
	for i := range t.Code {
		if !c.guardable(&t.Code[i], b.End.Guard.Reg) {
			return false
		}
	}
	return sequential(t)
}

// sequential reports whether the copies of t that happen at the same time may happen one by one.
func sequential(t *Block) bool {
	for i := range t.Code {
		if t.Code[i].Parallel != 0 && i > 0 && touchesDst(t.Code[:i], &t.Code[i]) {
			return false
		}
	}
	return true
}

// touchesDst reports whether a copy of list in the run of in writes what in reads.
func touchesDst(list []Instr, in *Instr) bool {
	for i := range list {
		if list[i].Parallel == in.Parallel && list[i].Dst.Regs[0] == in.Src[0].Regs[0] {
			return true
		}
	}
	return false
}

// guardable reports whether an instruction has a form with a guard, and leaves flag alone.
func (c *converter) guardable(in *Instr, flag Reg) bool {
	// A sum with carry has its carry where the guard would be.
	if !in.Guard.always() || in.CDst == flag || in.CarryIn != 0 || in.Tied || !in.In.Op.Guarded() || in.In.Op == tesla.OpAddAddr {
		return false
	}
	at := literalSource(in)
	return at < 0 || c.literalFits(in, at)
}

// literalSource returns the source that makes in an immediate form, or -1.
func literalSource(in *Instr) int {
	if k := in.In.Op.Immediate(); k >= 0 && in.In.Src[k].Kind == tesla.Imm {
		return k
	}
	return -1
}

// literalFits reports whether the immediate may come from the literal pool instead.
func (c *converter) literalFits(in *Instr, at int) bool {
	if in.In.Op == tesla.OpMov && in.In.Type != tesla.B32 || in.In.Op == tesla.OpIMul && in.In.Type == tesla.B16 {
		return false
	}
	for i := range in.In.Src {
		if in.In.Src[i].Kind == tesla.Const {
			return false
		}
	}
	return len(c.f.Literals) < LiteralReach-sideDivergent
}

// moves reports whether o only moves values that t, which runs in its place, leaves alone, to
// registers that t writes: then the moves may happen first, in all lanes.
func (c *converter) moves(o, t, b *Block) bool {
	for i := range o.Code {
		in := &o.Code[i]
		if in.In.Op != tesla.OpMov || in.In.Dst.Kind != tesla.Reg {
			return false
		}
		d := in.Dst.Regs[0]
		if d == b.End.Guard.Reg || reads(t, d) || !writes(t, d) || i > 0 && readsAny(o.Code[:i], d) {
			return false
		}
	}
	return true
}

func reads(b *Block, r Reg) bool { return readsAny(b.Code, r) }

func writes(b *Block, r Reg) bool {
	found := false
	for i := range b.Code {
		b.Code[i].each(func(x *Reg, def bool) { found = found || def && *x == r })
	}
	return found
}

func readsAny(list []Instr, r Reg) bool {
	found := false
	for i := range list {
		list[i].each(func(x *Reg, def bool) { found = found || !def && *x == r })
	}
	return found
}

// take puts t under the guard of way i of b, after the moves of the other side.
func (c *converter) take(b, t *Block, i int, other *Block) {
	if other != nil {
		b.Code = append(b.Code, other.Code...)
	}
	c.append(b, t, b.End.way(i))
	b.End = End{Kind: Jump, To: [2]*Block{t.End.To[0]}, Line: t.End.Line}
}

// both puts both sides of b under guards.
func (c *converter) both(b, t, o *Block) {
	c.append(b, t, b.End.way(0))
	c.append(b, o, b.End.way(1))
	b.End = End{Kind: Jump, To: [2]*Block{t.End.To[0]}, Line: t.End.Line}
}

// way returns the guard under which lanes take way i.
func (e *End) way(i int) Guard {
	if i == 0 {
		return e.Guard
	}
	return Guard{e.Guard.Reg, invert(e.Guard.Cond)}
}

// append puts the instructions of t at the end of b under a guard.
func (c *converter) append(b, t *Block, g Guard) {
	c.rename(t)
	for i := range t.Code {
		in := t.Code[i]
		in.Guard, in.Copy, in.Parallel = g, false, 0
		if at := literalSource(&in); at >= 0 {
			if word, ok := c.f.Literal(in.In.Src[at].Value, LiteralReach); ok { // literalFits made sure of that
				useConstant(&in.In, at, word)
			}
		}
		b.Code = append(b.Code, in)
	}
}

// rename makes instructions write the register that a copy at the end of t would copy to, where the
// copy is the only use.
func (c *converter) rename(t *Block) {
	for k := len(t.Code) - 1; k >= 0; k-- {
		in := &t.Code[k]
		if !in.Copy {
			continue
		}
		d, x := in.Dst.Regs[0], in.Src[0].Regs[0]
		if c.uses[x] != 1 || c.defs[x] != 1 {
			continue
		}
		at := definition(t.Code[:k], x)
		if at < 0 || t.Code[at].Dst.width() != 1 || touches(t.Code[at+1:k], d) || touches(t.Code[k+1:], d) {
			continue
		}
		t.Code[at].Dst.Regs[0] = d
		t.Code[at].First = false
		c.f.Regs[d].Low = c.f.Regs[d].Low || c.f.Regs[x].Low
		c.uses[x], c.defs[x] = 0, 0
		t.Code = append(t.Code[:k:k], t.Code[k+1:]...)
	}
}

// definition returns the instruction that writes r, or -1.
func definition(list []Instr, r Reg) int {
	for i := range list {
		if list[i].Dst.Regs[0] == r {
			return i
		}
	}
	return -1
}

// touches reports whether instructions read or write r.
func touches(list []Instr, r Reg) bool {
	found := false
	for i := range list {
		list[i].each(func(x *Reg, def bool) { found = found || *x == r })
	}
	return found
}
