package code

import (
	"slices"

	"jacquard/tesla"
)

// At the start of a block with Meet all live lanes of a warp must be together: the machine counts a
// warp at a barrier when the first of its lanes comes there, and a vote is one of the lanes that are
// there. This file proves that regions bring them together. Where they do not, package code
// dispatches lanes (dispatch.go).

// Meets reports whether it matters that lanes meet.
func (f *Func) Meets() bool {
	for _, b := range f.Blocks {
		if b.Meet {
			return true
		}
	}
	return false
}

// addWaits has lanes wait where others of their warp part from them to end, so that these end before
// the next block with Meet: a lane that ended has done what comes before a barrier. It reports
// whether there are such places.
func (s *structuring) addWaits() bool {
	if !s.f.Meets() {
		return false
	}
	p := newProof(s)
	found := false
	for _, b := range s.g.Order {
		e := &s.f.Blocks[b].End
		if !e.divides() {
			continue
		}
		for i, t := range e.To {
			stay, leave := int32(t.ID), int32(e.To[1-i].ID)
			if p.meeting[stay] && !p.meeting[leave] && !s.ends(b, stay) && s.ends(b, leave) && p.acts[leave] {
				s.f.divert([]*Block{s.f.Blocks[b]}, t, t.Depth).waits = true
				found = true
			}
		}
	}
	return found
}

// divides reports whether lanes of a warp may part at the end.
func (e *End) divides() bool { return e.Kind == Branch && !e.Uniform && e.To[0] != e.To[1] }

// together reports whether the live lanes of a warp are together at every block with Meet. Lanes that
// part at a branch must meet before a block with Meet to which both sides lead, and so must lanes of
// one side that come back to the branch while the others are at such a block. Lanes that may end
// without one must end before the others come to one.
func (s *structuring) together() bool {
	if !s.f.Meets() {
		return true
	}
	p := newProof(s)
	for _, b := range s.g.Order {
		e := &s.f.Blocks[b].End
		if e.divides() && (p.meeting[e.To[0].ID] || p.meeting[e.To[1].ID]) && !p.branch(b) {
			return false
		}
	}
	return true
}

// proof holds the facts about blocks that together needs.
type proof struct {
	s       *structuring
	meeting []bool // by block: lanes may come to a block with Meet
	ending  []bool // by block: lanes may end without a block with Meet, from there on
	acts    []bool // by block: lanes that go on there may change memory, and may end
	side    [2]reach
	back    []int32 // by block: the last branch + 1 for which again has seen it
	budget  int     // steps left
}

// reach is the blocks to which lanes come from one side of a branch before they meet the others.
type reach struct {
	seen  []int32 // by block: the last branch + 1 for which it was reached
	meets bool    // at some of them all lanes should be together
	bars  bool    // some has a barrier
	joins bool    // lanes from there meet the others
}

// stepsPerBlock bounds the work of a proof. One that takes longer fails.
const stepsPerBlock = 200

func newProof(s *structuring) *proof {
	n := len(s.f.Blocks)
	p := &proof{s: s, budget: stepsPerBlock * n}
	p.side[0].seen, p.side[1].seen, p.back = make([]int32, n), make([]int32, n), make([]int32, n)
	var meeting, exits, acts []int32
	for _, b := range s.g.Order {
		k := s.f.Blocks[b]
		if k.Meet {
			meeting = append(meeting, b)
		}
		if k.End.Kind == Exit {
			exits = append(exits, b)
		}
		if k.acts() {
			acts = append(acts, b)
		}
	}
	always := func(int32) bool { return true }
	p.meeting, p.acts = s.leadTo(meeting, always), s.leadTo(acts, always)
	p.ending = s.leadTo(exits, func(b int32) bool { return !s.f.Blocks[b].Meet })
	for b, exits := range s.leadTo(exits, always) {
		p.acts[b] = p.acts[b] && exits
	}
	return p
}

// leadTo returns, by block, whether lanes may come from there to one of a list by blocks that may be
// passed alone.
func (s *structuring) leadTo(list []int32, pass func(b int32) bool) []bool {
	found := make([]bool, len(s.f.Blocks))
	list = slices.DeleteFunc(slices.Clone(list), func(b int32) bool { return !pass(b) })
	for _, b := range list {
		found[b] = true
	}
	for len(list) > 0 {
		b := list[len(list)-1]
		list = list[:len(list)-1]
		for _, p := range s.g.pred[b] {
			if !found[p] && pass(p) {
				found[p] = true
				list = append(list, p)
			}
		}
	}
	return found
}

// acts reports whether the block changes memory that other lanes see.
func (b *Block) acts() bool {
	for i := range b.Code {
		in := &b.Code[i].In
		switch in.Op.Class() {
		case tesla.ClassShared, tesla.ClassGlobal, tesla.ClassAtomic:
			if in.Op.HandsOver(0) || in.Op.HandsOver(1) || in.Op.HandsOver(2) {
				return true
			}
		}
	}
	return false
}

// branch reports whether lanes that part at the end of block b meet in time.
func (p *proof) branch(b int32) bool {
	for i, t := range p.s.f.Blocks[b].End.To {
		if !p.walk(&p.side[i], b, int32(t.ID)) {
			return false
		}
	}
	for i := range p.side {
		x, y := &p.side[i], &p.side[1-i]
		other := int32(p.s.f.Blocks[b].End.To[1-i].ID)
		if x.meets && p.ending[other] && p.acts[other] && (x.bars || !y.joins) {
			return false
		}
		if x.meets && y.joins && p.again(b, other) {
			return false
		}
	}
	return !p.common(b)
}

// common reports whether lanes come from both sides of branch b to one block with Meet.
func (p *proof) common(b int32) bool {
	if !p.side[0].meets || !p.side[1].meets {
		return false
	}
	for i, k := range p.s.f.Blocks {
		if k.Meet && p.side[0].seen[i] == b+1 && p.side[1].seen[i] == b+1 {
			return true
		}
	}
	return false
}

// walk finds the blocks to which lanes come from block b by way of t before a region ends that holds
// the end of b. It reports false when the budget is spent.
func (p *proof) walk(r *reach, b, t int32) bool {
	r.meets, r.bars, r.joins = false, false, false
	class, least := p.s.class[b], p.s.out[b].size()
	var work []int32
	visit := func(from, to int32) {
		around, _, _ := p.s.leave(from, to)
		if p.s.class[to] == class && around.size() < least {
			r.joins = true
			return
		}
		if r.seen[to] == b+1 {
			return
		}
		r.seen[to] = b + 1
		k := p.s.f.Blocks[to]
		r.meets, r.bars = r.meets || k.Meet, r.bars || k.Bar
		work = append(work, to)
	}
	for visit(b, t); len(work) > 0; p.budget-- {
		if p.budget <= 0 {
			return false
		}
		from := work[len(work)-1]
		work = work[:len(work)-1]
		for _, to := range p.s.g.succ[from] {
			visit(from, to)
		}
	}
	return true
}

// again reports whether lanes may come from one side of branch b back to b without a block with Meet,
// or the budget is spent.
func (p *proof) again(b, side int32) bool {
	var work []int32
	visit := func(t int32) {
		if p.back[t] != b+1 && !p.s.f.Blocks[t].Meet {
			p.back[t] = b + 1
			work = append(work, t)
		}
	}
	for visit(side); len(work) > 0; p.budget-- {
		from := work[len(work)-1]
		work = work[:len(work)-1]
		if from == b || p.budget <= 0 {
			return true
		}
		for _, t := range p.s.g.succ[from] {
			visit(t)
		}
	}
	return false
}
