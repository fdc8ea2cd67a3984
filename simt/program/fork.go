package program

import (
	"jacquard/simt/branch"
	"jacquard/tesla"
)

// Fork is a short piece of code in which lanes of a warp part and meet again before other warps can
// notice. Forks are found before the run. A fork runs as a whole, and a policy that knows forks
// (branch.Forks) is told the outcome instead of one event after the other.
//
// A fork has one of two forms, which cover most divergent code of compilers. The first is an
// announced "if", with or without "else", whose sides are straight-line code:
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
type Fork struct {
	At    int32 // index of the branch
	Other int32 // index of L
	Meet  int32 // index of M; 0 for a branch to a break
	Most  int32 // instructions issued by a warp that goes both ways

	Number int32 // index of an announced fork in Program.Forks
}

// findForks finds where forks begin, and numbers the announced forks.
func (p *Program) findForks() {
	for i := range p.Code {
		switch u := &p.Code[i]; {
		case u.Event == branch.JoinAt:
			if u.Fork = p.announced(i); u.Fork != nil {
				u.Fork.Number = int32(len(p.Forks))
				p.Forks = append(p.Forks, u.Fork)
			}
		case p.parts(u) && p.is(u.To, branch.Break):
			u.Fork = &Fork{At: u.At, Other: u.To, Most: 2}
		}
	}
}

// ForksFor returns, by the index of their first instruction, the forks that a policy knows; nil if
// none.
func (p *Program) ForksFor(policy branch.Policy) []bool {
	forks, ok := policy.(branch.Forks)
	if !ok {
		return nil
	}
	known := make([]bool, len(p.Code))
	for i := range p.Code {
		k := p.Code[i].Fork
		if k == nil {
			continue
		}
		meet := branch.NoStop
		if k.Meet != 0 {
			meet = p.Code[k.Meet].PC
		}
		known[i] = forks.Knows(p.Code[k.At].Next, meet)
	}
	return known
}

// parts reports whether u is a branch that some lanes may take.
func (p *Program) parts(u *Op) bool {
	return u.Guarded && u.To >= 0 && u.only(branch.Branch)
}

// is reports whether the instruction at index i is of the given kind, for all lanes.
func (p *Program) is(i int32, kind Event) bool {
	u := &p.Code[i]
	return !u.Guarded && u.only(kind)
}

// only reports whether u is just a control event of a kind, with a known target.
func (u *Op) only(kind Event) bool {
	return u.Event == kind && u.Marker == tesla.MarkerNone && !u.Acts && u.Ins.Op != tesla.OpBraIndirect
}

// announced returns the fork that begins with the announcement at index i, or nil.
func (p *Program) announced(i int) *Fork {
	u := &p.Code[i]
	if !p.is(u.At, branch.JoinAt) || u.To <= u.At || !p.joins(u.To) {
		return nil
	}
	f := &Fork{At: p.Code[i+1].End, Meet: u.To}
	at := &p.Code[f.At]
	if !p.parts(at) || at.To <= at.At+1 || at.To > f.Meet || !p.isLocal(u.At+1, f.At) {
		return nil
	}
	f.Other = at.To
	f.Most = f.Meet - u.At + 2
	if f.Other < f.Meet && (!p.is(f.End(), branch.Branch) || p.Code[f.End()].To != f.Meet) {
		return nil
	}
	if !p.isLocal(f.At+1, f.End()) || !p.isLocal(f.Other, f.Meet) {
		return nil
	}
	return f
}

// joins reports whether the instruction at index i has a join marker and touches registers only.
func (p *Program) joins(i int32) bool {
	u := &p.Code[i]
	return u.Marker == tesla.MarkerJoin && u.Event == 0 && !u.MayFault && u.local()
}

// isLocal reports whether [from, to) is straight-line code that touches registers only.
func (p *Program) isLocal(from, to int32) bool {
	for i := from; i < to; i++ {
		if u := &p.Code[i]; u.Control || !u.local() {
			return false
		}
	}
	return from <= to
}

// local reports whether u touches registers only, apart from its control event.
func (u *Op) local() bool {
	return !u.TouchesMemory() && !u.Steps() && u.Ins.Op != tesla.OpMovFromSpecial
}

// End returns the index after the straight-line code of lanes that do not take the branch.
func (k *Fork) End() int32 {
	if k.Other < k.Meet {
		return k.Other - 1 // the branch to M is left out
	}
	return k.Meet
}

// Ways returns how many sides have instructions.
func (k *Fork) Ways() int {
	if k.Other < k.Meet {
		return 2
	}
	return 1
}

// SideSteps is the number of instructions on both sides that a parted warp issues, with the join
// that the lanes of the first side issue in vain.
func (k *Fork) SideSteps() int32 { return k.Meet - k.At }
