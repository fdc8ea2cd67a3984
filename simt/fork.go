package simt

import (
	"jacquard/simt/branch"
	"jacquard/tesla"
)

// fork is a piece of code in which the lanes of a warp part and are together again before anybody
// else can notice: known before the run, it is gone through in one go, and a policy that knows
// forks (branch.Forks) is told what came of it instead of one event after the other.
//
// It is of one of two forms, of which compilers make most code that parts lanes. The first is an
// announced "if", with or without "else", whose sides are straight code:
//
//	    joinat M
//	    ...
//	    (guard) bra L   <- at
//	    one side
//	    bra M           <- without "else" this is missing, and L is M
//	L:  other side
//	M:  join
//
// The second is a guarded branch to a break: (guard) bra L, where L: break.
type fork struct {
	at    int32 // index of the branch
	other int32 // index of L
	meet  int32 // index of M; 0 for a branch to a break
	most  int32 // instructions that a warp issues, if it goes both ways
}

// findForks notes where forks begin.
func (p *Program) findForks() {
	for i := range p.code {
		switch u := &p.code[i]; {
		case u.event == branch.JoinAt:
			u.fork = p.announced(i)
		case p.parts(u) && p.is(u.to, branch.Break):
			u.fork = &fork{at: u.at, other: u.to, most: 2}
		}
	}
}

// forksFor returns which of the forks a policy knows, by the instruction that they begin with.
func (p *Program) forksFor(policy branch.Policy) []bool {
	forks, ok := policy.(branch.Forks)
	if !ok {
		return nil
	}
	known := make([]bool, len(p.code))
	for i := range p.code {
		k := p.code[i].fork
		if k == nil {
			continue
		}
		meet := branch.NoStop
		if k.meet != 0 {
			meet = p.code[k.meet].pc
		}
		known[i] = forks.Knows(p.code[k.at].next, meet)
	}
	return known
}

// parts reports whether u is a branch that some lanes may take.
func (p *Program) parts(u *uop) bool {
	return u.guarded && u.to >= 0 && u.only(branch.Branch)
}

// is reports whether the instruction at index i is of the given kind, for all lanes.
func (p *Program) is(i int32, kind event) bool {
	u := &p.code[i]
	return !u.guarded && u.only(kind)
}

// only reports whether u is a control event of a kind that leads to a known place, and nothing else.
func (u *uop) only(kind event) bool {
	return u.event == kind && u.marker == tesla.MarkerNone && u.exec == nil && u.ins.Op != tesla.OpBraIndirect
}

// announced returns the fork that begins with the announcement at index i, nil if none does.
func (p *Program) announced(i int) *fork {
	u := &p.code[i]
	if !p.is(u.at, branch.JoinAt) || u.to <= u.at || !p.joins(u.to) {
		return nil
	}
	f := &fork{at: p.code[i+1].end, meet: u.to}
	at := &p.code[f.at]
	if !p.parts(at) || at.to <= at.at+1 || at.to > f.meet || !p.quiet(u.at+1, f.at) {
		return nil
	}
	f.other = at.to
	f.most = f.meet - u.at + 2
	if f.other == f.meet {
		if p.quiet(f.at+1, f.meet) {
			return f
		}
		return nil
	}
	if leave := &p.code[f.other-1]; !p.is(leave.at, branch.Branch) || leave.to != f.meet {
		return nil
	}
	if p.quiet(f.at+1, f.other-1) && p.quiet(f.other, f.meet) {
		return f
	}
	return nil
}

// joins reports whether the instruction at index i has a join marker and touches registers only.
func (p *Program) joins(i int32) bool {
	u := &p.code[i]
	return u.marker == tesla.MarkerJoin && u.event == 0 && !u.lone && !u.noticed && u.led > 0
}

// quiet reports whether [from, to) is straight code that nobody notices.
func (p *Program) quiet(from, to int32) bool {
	return from == to || from < to && p.code[from].quiet >= to-from
}

// end returns the index behind the straight code of those who do not take the branch.
func (k *fork) end() int32 {
	if k.other < k.meet {
		return k.other - 1 // where they leave
	}
	return k.meet
}

// ways returns how many ways lead through some instructions.
func (k *fork) ways() int {
	if k.other < k.meet {
		return 2
	}
	return 1
}
