package meeting

// prune takes out the operations between lanes at places to which some live threads may not come:
// all that the control flow does not show to be reached by all. A branch that is never taken does
// not count.
func (p *Program) prune() {
	u := &pruner{p: p, meets: make([]bool, len(p.Funcs))}
	for i := range u.meets {
		u.meets[i] = true
	}
	u.block(&p.Body, true)
	for i, f := range p.Funcs {
		u.block(&f.Body, u.meets[i])
	}
}

type pruner struct {
	p     *Program
	meets []bool // functions that all callers call with all threads
}

// targets are the loops, regions and functions (nil) to which some lanes leave a statement.
type targets map[*Stmt]bool

func (t targets) add(o targets) {
	for s := range o {
		t[s] = true
	}
}

// block prunes a block that all live threads come to, or not.
func (u *pruner) block(b *Block, all bool) (away targets) {
	away = targets{}
	var kept Block
	for _, s := range *b {
		if s.meets() && (!all || len(away) > 0) {
			continue
		}
		kept = append(kept, s)
		away.add(u.statement(s, all && len(away) == 0))
	}
	*b = kept
	return away
}

func (u *pruner) statement(s *Stmt, all bool) (away targets) {
	away = targets{}
	switch s.Kind {
	case Jump, Break, Continue:
		away[s.To] = true
	case Return:
		away[nil] = true
	case Call:
		u.meets[s.Func] = u.meets[s.Func] && all
	case If:
		for i := range s.Blocks {
			t := u.block(&s.Blocks[i], all && uniformCond(s.Cond))
			if !s.Cond.Never || i == 1 {
				away.add(t)
			}
		}
	case Switch:
		falls := false // some lanes left the block before, the others fall through
		for i := range s.Blocks {
			t := u.block(&s.Blocks[i], all && uniformExpr(s.Value) && !falls)
			falls = s.Next[i] && (falls || len(t) > 0)
			away.add(t)
		}
	case Loop:
		breaks := leaves(s.Blocks[0], s)
		away.add(u.block(&s.Blocks[0], all && uniformExpr(s.Value) && !breaks))
		delete(away, s)
	case Region:
		for i := range s.Blocks {
			away.add(u.block(&s.Blocks[i], all && i == 0))
		}
		delete(away, s)
	}
	return away
}

// leaves reports whether lanes leave a loop, but by its end or by a continue.
func leaves(b Block, loop *Stmt) bool {
	inner := map[*Stmt]bool{}
	var walk func(b Block) bool
	walk = func(b Block) bool {
		for _, s := range b {
			inner[s] = true
			switch {
			case s.Kind == Return, s.Kind == Break && s.To == loop,
				s.To != nil && s.To != loop && !inner[s.To]:
				return true
			}
			for i, c := range s.Blocks {
				never := s.Kind == If && s.Cond.Never && i == 0
				if !never && walk(c) {
					return true
				}
			}
		}
		return false
	}
	return walk(b)
}

// each visits all statements of a block, outer ones first.
func each(b Block, visit func(*Stmt)) {
	for _, s := range b {
		visit(s)
		for _, c := range s.Blocks {
			each(c, visit)
		}
	}
}
