package check

import (
	"slices"

	"jacquard/simt/cfg"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// facts are what the code of a program tells about its accesses.
type facts struct {
	fences []bool // by instruction: a fence begins with it
	polls  []bool // by instruction: a load that is repeated until its value changes
	swaps  []bool // by instruction: a compare-and-swap
	polled bool   // there are polls
	orders bool   // there are fences or polls

	functions []*cfg.Function
	p         *program.Program
	sides     map[[2]int32]bool // what apart has found
}

// factsOf returns the facts of a program.
func (r *Race) factsOf(p *program.Program) *facts {
	if f := r.facts[p]; f != nil {
		return f
	}
	f := newFacts(p)
	if r.facts == nil {
		r.facts = map[*program.Program]*facts{}
	}
	r.facts[p] = f
	return f
}

func newFacts(p *program.Program) *facts {
	n := len(p.Code)
	f := &facts{fences: make([]bool, n), polls: make([]bool, n), swaps: make([]bool, n), p: p, sides: map[[2]int32]bool{}}
	if g, err := cfg.New(p.Kernel.Code); err == nil {
		f.functions = g.Functions
	}
	for i := range p.Code {
		u := &p.Code[i]
		if u.Refusal != nil {
			continue
		}
		f.fences[i] = isFence(u) && (i == 0 || !isFence(&p.Code[i-1]))
		f.swaps[i] = u.Ins.Op == tesla.OpAtom && u.Ins.Atom == tesla.AtomCas
		f.orders = f.orders || f.fences[i]
	}
	f.findPolls()
	f.orders = f.orders || f.polled
	return f
}

func isFence(u *program.Op) bool {
	return u.Refusal == nil && u.Accesses() && u.Space == program.SpaceFence
}

// findPolls finds loads in loops that do nothing but load and compare, do not step an address, and end
// by what was loaded.
func (f *facts) findPolls() {
	for _, fn := range f.functions {
		for l := range fn.Loops {
			if slices.ContainsFunc(fn.Loops, func(in cfg.Loop) bool { return in.Parent == l }) {
				continue
			}
			f.pollsOf(fn, l)
		}
	}
}

// mostPoll is the most instructions of a loop that polls.
const mostPoll = 24

// pollsOf finds the polls of an innermost loop.
func (f *facts) pollsOf(fn *cfg.Function, l int) {
	var loads []int
	size := 0
	written := map[int]int{} // writes by register
	for _, b := range fn.Body(l) {
		for i := fn.Blocks[b].First; i < fn.Blocks[b].Last; i++ {
			u := &f.p.Code[i]
			size++
			if size > mostPoll || u.Refusal != nil || u.Ins.Op.HandsOver(1) || u.Ins.Op == tesla.OpBar || u.Ins.Mods&(tesla.Lock|tesla.Unlock) != 0 {
				return
			}
			for _, r := range f.p.Effects(i).Registers {
				written[r]++
			}
			if u.Accesses() && (u.Space == program.SpaceGlobal || u.Space == program.SpaceShared) || f.readsShared(u) {
				loads = append(loads, i)
			}
		}
	}
	for _, i := range loads {
		u := &f.p.Code[i]
		if u.Accesses() && u.Space == program.SpaceGlobal && written[int(u.Ins.Src[0].Value)] > 0 {
			continue // another address each time, perhaps
		}
		if !f.ends(fn, l, i) {
			continue
		}
		f.polls[i], f.polled = true, true
	}
}

// ends reports whether a loop may end by what load i of its body has loaded.
func (f *facts) ends(fn *cfg.Function, l, load int) bool {
	depend := map[int]tesla.Registers{} // those that depend on it, where a block begins
	for more := true; more; {
		more = false
		for _, b := range fn.Body(l) {
			d, last := f.depend(&fn.Blocks[b], load, depend[b])
			outside := func(to int) bool { return !fn.InLoop(to, l) }
			if last && (fn.Leaves(b) || slices.ContainsFunc(fn.Targets(b), outside)) {
				return true
			}
			for _, to := range fn.Targets(b) {
				if all := depend[to].Union(d); all != depend[to] {
					depend[to], more = all, true
				}
			}
		}
	}
	return false
}

// depend returns the registers that depend on a load behind a block, by those before the block. last
// says that its last instruction depends on it.
func (f *facts) depend(b *cfg.Block, load int, d tesla.Registers) (_ tesla.Registers, last bool) {
	for i := b.First; i < b.Last; i++ {
		u := &f.p.Code[i]
		last = u.Ins.Uses().Meets(d)
		switch {
		case last || i == load:
			d = d.Union(u.Ins.Defs())
		case !u.Guarded && u.Ins.Dst.Kind != tesla.Half:
			d = d.Without(u.Ins.Defs())
		}
	}
	return d, last
}

// readsShared reports whether an operand of u is in shared memory.
func (f *facts) readsShared(u *program.Op) bool {
	return slices.ContainsFunc(u.Src[:], func(s program.Source) bool {
		return s.Mode == program.SrcShared || s.Mode == program.SrcSharedAt
	})
}

// apart reports whether two instructions are on different sides of a branch: lanes of a warp that
// come to them have parted, and have not met.
func (f *facts) apart(a, b int32) bool {
	key := [2]int32{min(a, b), max(a, b)}
	if v, ok := f.sides[key]; ok {
		return v
	}
	v := f.findApart(a, b)
	f.sides[key] = v
	return v
}

func (f *facts) findApart(a, b int32) bool {
	for _, fn := range f.functions {
		x, y := fn.Block(f.p.Code[a].PC), fn.Block(f.p.Code[b].PC)
		if x == cfg.None || y == cfg.None || x == y {
			continue
		}
		for d := range fn.Blocks {
			to := fn.Targets(d)
			if len(to) != 2 {
				continue
			}
			one, two := reach(fn, to[0], fn.IPostDom[d], d), reach(fn, to[1], fn.IPostDom[d], d)
			if one[x] && two[y] && !one[y] && !two[x] || one[y] && two[x] && !one[x] && !two[y] {
				return true
			}
		}
	}
	return false
}

// reach returns the blocks on the way from one to the block where the sides of branch d meet.
func reach(fn *cfg.Function, from, meet, d int) []bool {
	seen := make([]bool, len(fn.Blocks))
	todo := []int{from}
	for len(todo) > 0 {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if b == meet || b == d || seen[b] {
			continue
		}
		seen[b] = true
		todo = append(todo, fn.Targets(b)...)
	}
	return seen
}
