package check

import (
	"slices"

	"jacquard/simt/branch"
	"jacquard/simt/cfg"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// facts are what the code of a program tells about its accesses.
type facts struct {
	fences []bool // by instruction: a fence begins with it
	polls  []bool // by instruction: a load that is repeated until its value changes
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
	f := &facts{fences: make([]bool, n), polls: make([]bool, n), p: p, sides: map[[2]int32]bool{}}
	if g, err := cfg.New(p.Kernel.Code); err == nil {
		f.functions = g.Functions
	}
	for i := range p.Code {
		u := &p.Code[i]
		if u.Refusal != nil {
			continue
		}
		f.fences[i] = isFence(u) && (i == 0 || !isFence(&p.Code[i-1]))
		f.orders = f.orders || f.fences[i]
	}
	f.findPolls()
	f.orders = f.orders || f.polled
	return f
}

// swaps reports whether an instruction is a compare-and-swap.
func (f *facts) swaps(at int32) bool {
	in := f.p.Code[at].Ins
	return in.Op == tesla.OpAtom && in.Atom == tesla.AtomCas
}

func isFence(u *program.Op) bool {
	return u.Refusal == nil && u.Accesses() && u.Space == program.SpaceFence
}

// findPolls finds loads in loops that do nothing but load and compare, and do not step an address.
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

// pollsOf finds the polls of an innermost loop: it ends by what they load, and their addresses stay.
func (f *facts) pollsOf(fn *cfg.Function, l int) {
	var body []int
	var written tesla.Registers
	for _, b := range fn.Body(l) {
		for i := fn.Blocks[b].First; i < fn.Blocks[b].Last; i++ {
			u := &f.p.Code[i]
			if len(body) == mostPoll || u.Refusal != nil || u.Ins.Op.HandsOver(1) || u.Ins.Op == tesla.OpBar || u.Ins.Mods&(tesla.Lock|tesla.Unlock) != 0 {
				return
			}
			body = append(body, i)
			written = written.Union(u.Ins.Defs())
		}
	}
	for _, i := range body {
		if u := &f.p.Code[i]; f.loads(u) && !f.steps(body, written, u.Ins.Uses()) && f.ends(body, u.Ins.Defs()) {
			f.polls[i], f.polled = true, true
		}
	}
}

// loads reports whether u reads memory that other threads may write.
func (f *facts) loads(u *program.Op) bool {
	return u.Accesses() && (u.Space == program.SpaceGlobal || u.Space == program.SpaceShared) || f.readsShared(u)
}

// steps reports whether one of the registers, written somewhere in a body, may change from trip to
// trip: it is made of another one.
func (f *facts) steps(body []int, written, registers tesla.Registers) bool {
	for _, i := range body {
		u := &f.p.Code[i]
		if u.Ins.Defs().Meets(registers) && (u.Ins.Uses().Meets(written) || f.loads(u)) {
			return true
		}
	}
	return false
}

// ends reports whether a branch of the body goes by what registers hold.
func (f *facts) ends(body []int, registers tesla.Registers) bool {
	for range body { // what is made of them may stand before
		for _, i := range body {
			if in := f.p.Code[i].Ins; in.Uses().Meets(registers) {
				registers = registers.Union(in.Defs())
			}
		}
	}
	return slices.ContainsFunc(body, func(i int) bool {
		u := &f.p.Code[i]
		return u.Event == branch.Branch && u.Guarded && u.Ins.Uses().Meets(registers) || u.Event == branch.Break && u.Ins.Uses().Meets(registers)
	})
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
