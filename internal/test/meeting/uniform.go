package meeting

// prune takes out the operations between lanes at places to which some live threads may not come:
// all that the control flow does not show to be reached by all. A branch that is never taken does
// not count.
func (p *Program) prune() {
	u := &pruner{p: p, meets: make([]bool, len(p.Funcs)), together: map[*Stmt]bool{}}
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
	// together are the loops that all threads run in the same rounds.
	together map[*Stmt]bool
}

// target is where some lanes go that leave a statement: behind a loop or region, to a loop's next
// round, or out of a function (the zero target). The others stay.
type target struct {
	of    *Stmt
	again bool
}

type targets map[target]bool

func (t targets) add(o targets) {
	for s := range o {
		t[s] = true
	}
}

// block prunes a block that all live threads come to, or not, and returns where some of them go.
func (u *pruner) block(b *Block, all bool) (away targets) {
	away = targets{}
	var kept Block
	for _, s := range *b {
		here := all && len(away) == 0
		if s.meets() && !here {
			continue
		}
		kept = append(kept, s)
		away.add(u.statement(s, here))
	}
	*b = kept
	return away
}

func (u *pruner) statement(s *Stmt, all bool) (away targets) {
	away = targets{}
	switch s.Kind {
	case Jump, Break, Continue, Return:
		if !all { // otherwise all go together
			away[target{s.To, s.Kind == Continue}] = true
		}
	case Call:
		u.meets[s.Func] = u.meets[s.Func] && all
	case If:
		for i := range s.Blocks {
			t := u.block(&s.Blocks[i], all && uniformCond(s.Cond, u.together))
			if !s.Cond.Never || i == 1 {
				away.add(t)
			}
		}
	case Switch:
		falls := false // some lanes left the block before, the others fall through
		for i := range s.Blocks {
			t := u.block(&s.Blocks[i], all && uniformExpr(s.Value, u.together) && !falls)
			falls = s.Next[i] && (falls || len(t) > 0)
			away.add(t)
		}
	case Loop:
		return u.loop(s, all)
	case Region:
		for i := range s.Blocks {
			away.add(u.block(&s.Blocks[i], all && i == 0))
		}
		delete(away, target{of: s})
	}
	return away
}

// loop prunes a loop. All lanes come to each round if none leaves the loop alone.
func (u *pruner) loop(s *Stmt, all bool) (away targets) {
	all = all && (s.Value == nil || uniformExpr(s.Value, u.together)) && (s.Cond == nil || uniformCond(s.Cond, u.together))
	for {
		away, u.together[s] = targets{}, all
		for i := range s.Blocks {
			away.add(u.block(&s.Blocks[i], all && len(away) == 0))
		}
		delete(away, target{s, true})
		if !all || len(away) == 0 {
			delete(away, target{of: s})
			return away
		}
		all = false
	}
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
