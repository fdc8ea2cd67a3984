package meeting

import "math/rand/v2"

// Options shape a program.
type Options struct {
	// Loose lets operations between lanes stand wherever all live threads come by the data, not
	// only where the control flow shows that they do.
	Loose bool
	// Budget is the number of statements, about; 0 stands for a number by chance.
	Budget int
}

// New returns the program of a seed.
func New(seed uint64, o Options) *Program {
	g := &maker{r: rand.New(rand.NewPCG(seed, 11)), o: o}
	p := &Program{Threads: []int{32, 32, 64, 50, 50, 33, 7, 96}[g.r.IntN(8)], N: g.r.Uint32N(5)}
	for i := range p.In {
		p.In[i] = g.r.Uint32N(64)
	}
	g.p, g.voted = p, -1
	for range g.r.IntN(4) / 2 * (1 + g.r.IntN(2)) {
		p.Funcs = append(p.Funcs, &Func{Inline: g.one(2)})
	}
	for i := len(p.Funcs) - 1; i >= 0; i-- {
		g.function = i + 1
		g.budget, g.voted = 2+g.r.IntN(8), -1
		p.Funcs[i].Body = g.block(1, g.one(3))
		p.Funcs[i].Result = g.expr(2)
	}
	g.function, g.voted = 0, -1
	if g.budget = o.Budget; g.budget == 0 {
		g.budget = 4 + g.r.IntN(26)
	}
	for g.budget > 0 {
		p.Body = append(p.Body, g.block(0, true)...)
	}
	p.Body = append(p.Body, g.meeting())
	p.Style = g.r.Uint32()
	for _, b := range p.blocks() {
		each(b, func(s *Stmt) { s.Style = g.r.Uint32() })
	}
	if !o.Loose {
		p.prune()
	}
	p.repair()
	p.delays(o.Loose)
	return p
}

// delays lets lanes be late only in loops in which all lanes come to every operation between lanes,
// and are named there: others do not say who waits.
func (p *Program) delays(loose bool) {
	for _, b := range p.blocks() {
		each(b, func(s *Stmt) {
			if s.Kind != Loop {
				return
			}
			if loose {
				s.Second = nil
			}
			each(s.Blocks[0], func(in *Stmt) {
				if in.Kind == Call || in.Kind == Masked || in.Kind == Active || in.meets() && !in.blockwide() && !in.Sync {
					s.Second = nil
				}
			})
		})
	}
}

// blocks are the bodies of the kernel and the functions.
func (p *Program) blocks() []Block {
	all := []Block{p.Body}
	for _, f := range p.Funcs {
		all = append(all, f.Body)
	}
	return all
}

// maker makes one program.
type maker struct {
	r        *rand.Rand
	o        Options
	p        *Program
	function int // that is being made, from 1; 0 is the kernel
	budget   int
	ids      int
	loops    []*Stmt // around
	regions  []*Stmt // around, with the number of the tail that is being made
	inTail   []int
	voted    int // the variable of the last vote; -1 if there is none
}

func (g *maker) one(n int) bool { return g.r.IntN(n) == 0 }

// block makes statements. Meetings are tried where all threads may come.
func (g *maker) block(depth int, meet bool) (b Block) {
	for range 1 + g.r.IntN(4) {
		if g.budget--; g.budget < 0 {
			break
		}
		if meet && g.one(4) {
			b = append(b, g.meeting())
		}
		b = append(b, g.statement(depth, meet))
	}
	if meet && g.one(2) {
		b = append(b, g.meeting())
	}
	return b
}

func (g *maker) statement(depth int, meet bool) *Stmt {
	n := g.r.IntN(100)
	switch {
	case depth > 4 || n < 12:
		return g.simple()
	case n < 22:
		return g.away(meet)
	case n < 50:
		return g.branch(depth, meet)
	case n < 62:
		return g.choice(depth, meet)
	case n < 80:
		return g.loop(depth, meet)
	case n < 92:
		return g.region(depth, meet)
	case g.function < len(g.p.Funcs):
		return &Stmt{Kind: Call, Var: g.r.IntN(vars), Func: g.function + g.r.IntN(len(g.p.Funcs)-g.function),
			Value: g.expr(2), Second: g.expr(2), Slot: -1}
	}
	return g.simple()
}

func (g *maker) simple() *Stmt {
	if g.one(2) {
		return &Stmt{Kind: Store, Slot: g.r.IntN(logSlot), Value: g.expr(2)}
	}
	return &Stmt{Kind: Set, Var: g.r.IntN(vars), Value: g.expr(3), Slot: -1}
}

// away makes an if around a statement that leaves: the short form of an early end.
func (g *maker) away(bool) *Stmt {
	s := &Stmt{Kind: If, Cond: g.cond(), Blocks: []Block{{}, {}}, Slot: -1}
	if g.one(3) {
		s.Blocks[0] = append(s.Blocks[0], g.simple())
	}
	leave := g.leave(s.Cond)
	s.Blocks[0] = append(s.Blocks[0], leave)
	return s
}

// leave makes a statement after which a block does not go on.
func (g *maker) leave(c *Cond) *Stmt {
	n := g.r.IntN(10)
	switch {
	case n < 2 && len(g.loops) > 0:
		return &Stmt{Kind: Break, To: g.loops[g.r.IntN(len(g.loops))], Slot: -1}
	case n < 4 && len(g.loops) > 0:
		return &Stmt{Kind: Continue, To: g.loops[len(g.loops)-1], Slot: -1}
	case n < 7 && len(g.regions) > 0:
		i := g.r.IntN(len(g.regions))
		s := &Stmt{Kind: Jump, To: g.regions[i], Slot: -1}
		if from, tails := g.inTail[i], len(g.regions[i].Blocks)-1; from < tails && !g.one(4) {
			s.Tail = from + 1 + g.r.IntN(tails-from)
		}
		return s
	case n < 8 && g.function > 0:
		return &Stmt{Kind: Return, Value: g.expr(1), Slot: -1}
	}
	s := &Stmt{Kind: End, How: How(g.r.IntN(2)), Slot: -1}
	if c.Never {
		s.How = How(g.r.IntN(4))
	}
	if g.one(2) {
		s.Slot, s.Amount = g.r.IntN(3), g.r.Uint32N(2)
	}
	return s
}

func (g *maker) branch(depth int, meet bool) *Stmt {
	s := &Stmt{Kind: If, Cond: g.cond(), Blocks: []Block{{}, {}}, Slot: -1}
	meet = meet && (g.o.Loose || uniformCond(s.Cond, nil))
	if s.Cond.Never {
		s.Blocks[0] = Block{g.simple(), g.leave(s.Cond)}
		s.Blocks[1] = g.block(depth+1, meet)
		return s
	}
	for i := range 1 + g.r.IntN(2) {
		s.Blocks[i] = g.block(depth+1, meet)
		if g.one(5) {
			s.Blocks[i] = append(s.Blocks[i], g.leave(&Cond{}))
		}
	}
	return s
}

func (g *maker) choice(depth int, meet bool) *Stmt {
	s := &Stmt{Kind: Switch, Value: g.expr(2), Slot: -1}
	if g.one(5) {
		s.Value = g.uniform()
	}
	n := 2 + g.r.IntN(5)
	for range n {
		b := g.block(depth+1, meet && (g.o.Loose || uniformExpr(s.Value, nil)))
		if g.one(5) {
			b = append(b, g.leave(&Cond{}))
		}
		s.Blocks = append(s.Blocks, b)
		s.Next = append(s.Next, g.one(4))
	}
	return s
}

// loop makes a loop: counted, or until its blocks leave it; some begin in their middle.
func (g *maker) loop(depth int, meet bool) *Stmt {
	s := &Stmt{Kind: Loop, ID: g.id(), Value: g.expr(1), Slot: -1}
	if g.one(3) {
		s.Value = g.uniform()
	}
	endless := g.one(5)
	meet = meet && (g.o.Loose || uniformExpr(s.Value, nil))
	n := 1
	if g.one(8) {
		n, s.Cond = 2, g.cond()
		s.Cond.Never = false
	}
	if n == 1 && !endless && g.one(2) {
		s.Second = g.expr(1)
	}
	g.loops = append(g.loops, s)
	for range n {
		s.Blocks = append(s.Blocks, g.block(depth+1, meet))
	}
	if endless {
		out := &Cond{Op: ">=", A: &Expr{Op: Count, Of: s}, B: &Expr{Op: And, A: s.Value, B: &Expr{Op: Const, N: 7}}}
		last := &s.Blocks[g.r.IntN(n)]
		*last = append(*last, &Stmt{Kind: If, Cond: out, Slot: -1, Blocks: []Block{{g.outOf(s)}, {}}})
		s.Value = nil
	}
	g.loops = g.loops[:len(g.loops)-1]
	return s
}

// outOf makes a statement that leaves a loop, whatever is around.
func (g *maker) outOf(loop *Stmt) *Stmt {
	for range 3 {
		if s := g.leave(&Cond{}); s.Kind != Continue {
			return s
		}
	}
	return &Stmt{Kind: Break, To: loop, Slot: -1}
}

func (g *maker) region(depth int, meet bool) *Stmt {
	s := &Stmt{Kind: Region, ID: g.id(), Slot: -1, Blocks: make([]Block, 1+g.r.IntN(3))}
	for range s.Blocks {
		s.Next = append(s.Next, g.one(3))
	}
	at := len(g.regions)
	g.regions, g.inTail = append(g.regions, s), append(g.inTail, 0)
	for i := range s.Blocks {
		g.inTail[at] = i
		s.Blocks[i] = g.block(depth+1, meet && (i == 0 || g.o.Loose))
	}
	g.regions, g.inTail = g.regions[:at], g.inTail[:at]
	return s
}

func (g *maker) id() int {
	g.ids++
	return g.ids
}

// meeting makes an operation between lanes.
func (g *maker) meeting() *Stmt {
	s := &Stmt{ID: g.id(), Var: g.r.IntN(vars), Log: g.one(2), Sync: g.one(2), Slot: -1,
		Kind: []Kind{Vote, Vote, Vote, Shuffle, Shuffle, Exchange, Exchange, Exchange, Reduce, Barrier, Active, Masked}[g.r.IntN(12)]}
	switch s.Kind {
	case Vote:
		g.voted = s.Var
		s.Form, s.Cond = []Form{All, Any, Ballot, Ballot, Ballot, Uni}[g.r.IntN(6)], g.cond()
	case Reduce:
		g.voted = s.Var
		s.Form, s.Cond = Form(g.r.IntN(3)), g.cond()
	case Shuffle:
		s.Form, s.Amount, s.Value = Idx+Form(g.r.IntN(4)), g.r.Uint32N(32), g.expr(1)
	case Masked:
		s.Form, s.Cond, s.Value = []Form{All, Any, Ballot, Idx}[g.r.IntN(4)], g.cond(), g.expr(1)
	case Exchange:
		s.Amount, s.Value = g.r.Uint32N(uint32(g.p.Threads)), g.expr(1)
	}
	return s
}
