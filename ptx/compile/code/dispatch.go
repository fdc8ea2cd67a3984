package code

import (
	"errors"
	"slices"

	"jacquard/tesla"
)

// Where regions do not bring the lanes of a warp together before a barrier, a vote or a shuffle, all
// ways to such places lead through one block, the dispatch. Lanes get there by breaks, so that they
// wait for all others of their warp that have not ended, however these were parted. Each lane brings
// the number of the place to which it goes, and those with the least number go on first: places are
// numbered in the order of the code, in which lanes in a loop come before those behind it. Places to
// which all lanes come are the last. A way to the next round of a loop that passes a vote or a
// shuffle to which not all come is a place, too: the last of the loop.

// gather makes sure that lanes meet where they must, if need be by a dispatch.
func gather(f *Func) error {
	if !f.Meets() {
		return nil
	}
	if !f.Gather {
		together := newStructuring(f).together()
		clean(f)
		if together {
			return nil
		}
	}
	return addDispatch(f)
}

// ErrParted is returned by the passes if the allocation of registers changed the flow graph so that
// regions do not bring lanes together any more. It cannot happen with Func.Gather.
var ErrParted = errors.New("lanes of a warp may part before a barrier, a vote or a shuffle")

// ErrNoVotes is the error for kernels that need a dispatch on devices whose warps cannot vote.
var ErrNoVotes = errors.New("the lanes of a warp may part before they look at each other, and to bring them " +
	"together takes votes, which sm_12 and later devices have")

// addDispatch leads all ways to blocks with Meet through a dispatch.
func addDispatch(f *Func) error {
	g := newGraph(f)
	if len(g.pred[0]) == 0 { // all lanes begin together
		f.Blocks[0].Meet = false
	} else {
		f.Blocks = append([]*Block{empty(f.Blocks[0])}, f.Blocks...)
		g = newGraph(f)
	}
	votes := slices.ContainsFunc(f.Blocks, func(b *Block) bool { return b.Meet && !b.Bar })
	if votes {
		addRounds(f, g)
		g = newGraph(f)
	}
	var places, last []*Block
	for _, b := range blockOrder(f, g, false) {
		switch k := f.Blocks[b]; {
		case k.All:
			last = append(last, k)
		case k.Meet:
			places = append(places, k)
		}
	}
	places = append(places, last...)
	switch len(places) {
	case 0: // all lanes begin together, and never look at each other again
		return nil
	case 1:
		f.Dispatch = places[0]
		f.Dispatch.dispatches = true
		f.split(f.Dispatch)
		return nil
	}
	if votes && f.Arch < tesla.SM12 {
		return ErrNoVotes
	}
	d := &dispatch{f: f, places: places, number: f.NewReg(Word), votes: votes}
	for _, k := range places {
		d.depth = max(d.depth, k.Depth)
	}
	f.Dispatch = d.block()
	for i, k := range places {
		var from []*Block
		for _, p := range g.pred[k.ID] {
			from = append(from, f.Blocks[p])
		}
		stub := f.divert(from, k, k.Depth)
		stub.Code = []Instr{load(d.number, uint32(i))}
		stub.End.To[0] = f.Dispatch
	}
	d.choose(f.Dispatch, 0, len(places))
	for r := range f.Regs { // ways through the dispatch are not told apart by the number any more
		f.Regs[r].Open = true
	}
	return nil
}

// split gives the branch of the dispatch a block of its own. The dispatch has the highest addresses:
// lanes of one side, on a jump there, would come behind those of the other, where lanes at the lowest
// address run first.
func (f *Func) split(b *Block) {
	if b.End.divides() {
		f.Blocks = append(f.Blocks, &Block{Depth: b.Depth, End: b.End})
		b.End = End{Kind: Jump, To: [2]*Block{f.Blocks[len(f.Blocks)-1]}, Line: b.End.Line}
	}
}

// addRounds makes a place of the ways to the next round of each loop that pass a vote or a shuffle.
// Lanes that go round without one do not wait: where some ways pass one and others do not, a
// register says it. Lanes do not wait at places to which all come either.
func addRounds(f *Func, g *graph) {
	votes := map[int32][]*Block{} // in the loop of a header
	for b, k := range f.Blocks {
		if k.votes() {
			for l := g.loop[b]; l >= 0; l = g.parent[l] {
				votes[l] = append(votes[l], k)
			}
		}
	}
	for head := range int32(len(f.Blocks)) {
		if len(votes[head]) == 0 {
			continue
		}
		var back, outside []*Block
		free := false // lanes can come back without a vote
		reached := f.rounds(g, head)
		for _, p := range g.pred[head] {
			if !g.Dominates(head, p) {
				outside = append(outside, f.Blocks[p])
				continue
			}
			if free = free || reached[0][p]; reached[1][p] {
				back = append(back, f.Blocks[p])
			}
		}
		if len(back) > 0 {
			to := f.Blocks[head]
			round := f.divert(back, to, to.Depth)
			round.Meet = true
			if free {
				f.onlyVoters(round, outside, votes[head])
			}
		}
	}
}

// votes reports whether the block has a vote or a shuffle to which not all lanes of a warp come.
func (b *Block) votes() bool { return b.Meet && !b.All }

// onlyVoters has lanes come to round only if they voted since they came into the loop or were last at
// round.
func (f *Func) onlyVoters(round *Block, outside, votes []*Block) {
	voted := f.NewReg(Word)
	set := func(b *Block, n uint32) { b.Code = slices.Insert(b.Code, 0, load(voted, n)) }
	to := round.End.To[0]
	if len(outside) > 0 {
		set(f.divert(outside, to, max(to.Depth-1, 0)), 0)
	}
	for _, b := range votes {
		set(b, 1)
	}
	test := &Block{Depth: round.Depth, End: End{Kind: Branch, To: [2]*Block{to, round}, Line: round.line()}}
	f.Blocks = append(f.Blocks, test)
	for _, b := range f.Blocks {
		if b != test {
			b.redirect(round, test)
		}
	}
	test.End.Guard = f.compare(test, voted, 0, tesla.Equal, test.End.Line)
	set(round, 0)
}

// rounds returns the blocks of the loop of a header that lanes reach from it without a vote or a
// shuffle, and those that lanes reach behind one.
func (f *Func) rounds(g *graph, head int32) (reached [2][]bool) {
	reached = [2][]bool{make([]bool, len(f.Blocks)), make([]bool, len(f.Blocks))}
	type at struct{ b, voted int32 }
	var work []at
	add := func(x at) {
		if f.Blocks[x.b].votes() {
			x.voted = 1
		}
		if !reached[x.voted][x.b] {
			reached[x.voted][x.b] = true
			work = append(work, x)
		}
	}
	for add(at{b: head}); len(work) > 0; {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		for _, to := range g.succ[x.b] {
			if to != head && g.within(to, head) {
				add(at{to, x.voted})
			}
		}
	}
	return reached
}

// dispatch writes the code of the dispatch.
type dispatch struct {
	f      *Func
	places []*Block
	number Reg  // of the place to which a lane goes
	votes  bool // lanes may have different numbers
	depth  int
}

func (d *dispatch) block() *Block {
	b := &Block{Depth: d.depth, dispatches: true}
	d.f.Blocks = append(d.f.Blocks, b)
	return b
}

// choose ends block b: lanes go on to the one of places from .. to-1 that is theirs.
func (d *dispatch) choose(b *Block, from, to int) {
	if to-from == 1 {
		d.goOn(b, from)
		return
	}
	middle := (from + to) / 2
	low, high := d.block(), d.block()
	b.End = End{Kind: Branch, To: [2]*Block{low, high}, Line: d.places[from].line()}
	b.End.Guard = d.compare(b, middle, tesla.Less)
	if d.votes {
		b.End.Guard, b.End.Uniform = d.any(b, b.End.Guard), true
	}
	d.choose(low, from, middle)
	d.choose(high, middle, to)
}

// goOn ends block b: lanes go on to place n. Others wait for the next dispatch. Where there are
// others, the block is no part of the dispatch, so that its address is lower: policies that run the
// lanes at the lowest address first then run the lanes that go on.
func (d *dispatch) goOn(b *Block, n int) {
	to := d.places[n]
	b.End = End{Kind: Jump, To: [2]*Block{to}, Line: to.line()}
	if d.votes {
		b.dispatches = false
		b.End.Kind, b.End.To[1], b.End.Guard = Branch, d.f.Dispatch, d.compare(b, n, tesla.Equal)
	}
}

// compare appends a comparison of the lanes' number with another.
func (d *dispatch) compare(b *Block, n int, c tesla.Cmp) Guard {
	return d.f.compare(b, d.number, uint32(n), c, d.places[n].line())
}

// compare appends a comparison of a register with a number.
func (f *Func) compare(b *Block, with Reg, n uint32, c tesla.Cmp, at Line) Guard {
	in := Instr{In: tesla.Instruction{Op: tesla.OpISet, Type: tesla.U32, Cmp: c}, Line: at}
	in.In.Dst.Kind, in.In.Src[0].Kind, in.Src[0].Regs[0] = tesla.Discard, tesla.Reg, with
	if word, ok := f.Literal(n, LiteralReach); ok {
		in.In.Src[1] = word
	} else {
		r := f.NewReg(Word)
		b.Code = append(b.Code, load(r, n))
		in.In.Src[1].Kind, in.Src[1].Regs[0] = tesla.Reg, r
	}
	in.CDst = f.NewReg(Cond)
	b.Code = append(b.Code, in)
	return Guard{Reg: in.CDst, Cond: tesla.CondLG}
}

// any appends a vote: the guard that it returns holds in all lanes if g holds in one.
func (d *dispatch) any(b *Block, g Guard) Guard {
	in := Instr{In: tesla.Instruction{Op: tesla.OpVote, Vote: tesla.VoteAny}, Guard: g, CDst: d.f.NewReg(Cond)}
	b.Code = append(b.Code, in)
	return Guard{Reg: in.CDst, Cond: tesla.CondLG}
}

// load is r = n.
func load(r Reg, n uint32) Instr {
	in := Instr{In: tesla.Instruction{Op: tesla.OpMov, Type: tesla.B32}}
	in.In.Dst.Kind, in.Dst.Regs[0] = tesla.Reg, r
	in.In.Src[0] = tesla.Operand{Kind: tesla.Imm, Value: n}
	return in
}

// breakToDispatch announces the dispatch at the entry, and again where lanes go on from it.
func (s *structuring) breakToDispatch() {
	d := s.f.Dispatch
	if d == nil {
		return
	}
	s.breakAt[0] = int32(d.ID)
	if s.class[d.ID] == 0 { // lanes may come back
		s.breakAt[d.ID] = int32(d.ID)
	}
}

// barred returns the innermost loop that lanes leave by breaks if they cannot break from block b to
// the dispatch for it.
func (s *structuring) barred(b int32) *open {
	for _, t := range s.f.Blocks[b].successors() {
		if t != s.f.Dispatch {
			continue
		}
		for x := s.out[b]; x != nil; x = x.below {
			if x.loop && x.at == int32(t.ID) {
				return nil
			}
			if x.loop {
				return x
			}
		}
	}
	return nil
}

// dispatchLast moves the dispatch behind all blocks from which lanes come there, and those where
// others of their warp end: policies that run the lanes at the lowest address first wait for both.
func dispatchLast(f *Func, g *graph, order []int32) []int32 {
	first := make([]bool, len(f.Blocks))
	var work []int32
	add := func(b int32) {
		if !first[b] && !f.Blocks[b].dispatches {
			first[b] = true
			work = append(work, b)
		}
	}
	spread := func(along [][]int32) {
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			for _, x := range along[b] {
				add(x)
			}
		}
	}
	for _, b := range order {
		if slices.Contains(f.Blocks[b].successors(), f.Dispatch) {
			add(b)
		}
	}
	spread(g.pred)
	for b, in := range first {
		if in {
			work = append(work, int32(b))
		}
	}
	spread(g.succ)
	var out, dispatch, rest []int32
	for _, b := range order {
		switch {
		case first[b]:
			out = append(out, b)
		case f.Blocks[b].dispatches:
			dispatch = append(dispatch, b)
		default:
			rest = append(rest, b)
		}
	}
	return slices.Concat(out, dispatch, rest)
}
