package code

import "jacquard/internal/flowgraph"

// structure announces where the lanes of divergent branches meet again: at the immediate
// post-dominator. A region begins with a joinat at the end of a block and ends with a join at the
// start of another. Regions must nest on every path. A region that does not nest is left out, and
// its lanes meet later.
//
// If lanes that should be together are not proved to be, it returns ErrParted.
func structure(f *Func) error {
	s := newStructuring(f)
	if f.Dispatch == nil && !s.together() {
		return ErrParted
	}
	s.annotate()
	clean(f)
	return nil
}

// newStructuring finds regions that nest. It adds empty blocks to the function.
func newStructuring(f *Func) *structuring {
	if f.Dispatch != nil { // lanes break to it from everywhere: its breakaddr comes first
		f.Blocks = append([]*Block{empty(f.Blocks[0])}, f.Blocks...)
	}
	separate(f)
	addPreheaders(f)
	s := &structuring{f: f, g: newSegments(f), noBreaks: map[int32]bool{}, wide: map[int32]int32{}}
	s.meetings()
	if s.addWaits() {
		s.g = newSegments(f)
		s.meetings()
	}
	s.findExits()
	s.findBreaks()
	s.regions()
	for !s.check() {
	}
	return s
}

// structuring is the state of structure.
type structuring struct {
	f *Func
	g *graph

	class  []int32                  // by block: the end of the kernel that counts for its lanes, or -1
	ipdom  []int32                  // by block: where all ways to that end meet, or -1
	pdepth []int32                  // by block: post-dominators behind it
	back   []*flowgraph.Tree[int32] // by class: the post-dominators of its blocks

	starts  [][]int32 // by block: the blocks where regions meet that begin at its end, outermost first
	dropped []bool    // by block: a meeting place that does not nest
	stacks

	breakAt   []int32 // by block: where the loop ends that it announces, or -1
	breakLoop []int32 // by block: the innermost loop around it that lanes leave by breaks, or -1
	inner     []int32 // by block in such a loop: where lanes meet that stay in the loop
	exits
	noBreaks map[int32]bool  // ends of loops whose breaks do not nest
	wide     map[int32]int32 // by meeting place of a region that begins in front of all loops: where
}

// regions finds where regions should begin.
func (s *structuring) regions() {
	s.starts, s.dropped = make([][]int32, len(s.f.Blocks)), make([]bool, len(s.f.Blocks))
	s.stacks = newStacks(len(s.f.Blocks))
	for _, b := range s.g.Order {
		j := s.meeting(b)
		if j < 0 {
			continue
		}
		if p, ok := s.wide[j]; ok {
			if p >= 0 {
				s.start(p, j)
			}
			continue
		}
		p := s.hoist(b, j)
		if p < 0 {
			continue
		}
		p = s.widen(p, j)
		s.start(p, j)
	}
}

// meeting returns where the lanes of a divergent branch meet, or -1 if nothing would be gained.
func (s *structuring) meeting(b int32) int32 {
	e := &s.f.Blocks[b].End
	if !e.divides() {
		return -1
	}
	for _, t := range e.To {
		if t.waits {
			return int32(t.ID)
		}
	}
	if s.breakLoop != nil && s.breakLoop[b] >= 0 {
		return s.meetingWithin(b)
	}
	j := s.ipdom[b]
	if j < 0 || s.ends(b, int32(e.To[0].ID)) || s.ends(b, int32(e.To[1].ID)) {
		return -1 // the lanes of one side end
	}
	if s.costly(j) {
		return -1
	}
	return j
}

// hoist returns the block at whose end the region of block p and end j begins: in front of the
// loops around p that lanes have left at j. It returns -1 if there is no such block.
func (s *structuring) hoist(p, j int32) int32 {
	for {
		outer := int32(-1)
		for l := s.g.loop[p]; l >= 0; l = s.g.parent[l] {
			if !s.g.within(j, l) {
				outer = l
			}
		}
		if outer < 0 {
			return p
		}
		p = -1
		for _, q := range s.g.pred[outer] {
			if s.g.Dominates(outer, q) {
				continue
			}
			if p >= 0 {
				return -1
			}
			p = q
		}
		if p < 0 {
			return -1
		}
	}
}

// widen returns the block at whose end the region from p to j should begin. It lies above p if
// lanes reach j past p, so that the region holds all ways to j.
func (s *structuring) widen(p, j int32) int32 {
	q := s.g.Common(p, s.g.Above[j])
	if q == p || s.hoist(q, j) != q || s.g.loop[q] != s.g.loop[p] || !s.behindAll(q, j) {
		return p
	}
	return q
}

// start notes a region from the end of block p to j.
func (s *structuring) start(p, j int32) {
	if place := s.g.Place[p]; s.first[j] < 0 || place < s.first[j] {
		s.first[j] = place
	}
	list := s.starts[p]
	i := 0
	for ; i < len(list) && s.pdepth[list[i]] <= s.pdepth[j]; i++ {
		if list[i] == j {
			return
		}
	}
	list = append(list, 0)
	copy(list[i+1:], list[i:])
	list[i] = j
	s.starts[p] = list
}

// mostTries bounds the regions that are widened, and the loops whose breaks are given up one by one:
// the regions are found anew after each. Lanes that part all the same are dispatched.
const mostTries = 32

// drop changes a region that does not nest. Where it matters that lanes meet it becomes wider first,
// and then it is left out.
func (s *structuring) drop(x *open) {
	_, wide := s.wide[x.at]
	switch {
	case !x.loop && !wide && len(s.wide) < mostTries && s.f.Dispatch == nil && s.f.Meets():
		s.wide[x.at] = s.outside(x.at)
		s.regions()
		return
	case !x.loop:
		s.dropped[x.at] = true
		s.rewind(int(s.first[x.at]))
		return
	}
	s.noBreaks[x.at] = true
	s.findBreaks()
	s.regions()
}

// annotate writes the regions into the blocks.
func (s *structuring) annotate() {
	for _, b := range s.g.Order {
		k := s.f.Blocks[b]
		k.pops = [2]int{}
		for i := range len(k.successors()) {
			t := k.End.To[i]
			_, k.pops[i], k.breaks[i] = s.leave(b, int32(t.ID))
			t.joins = max(t.joins, k.pops[i])
		}
		x := s.out[b]
		n := x.size() - s.in[b].size()
		k.joinAts = make([]announcement, n)
		for ; n > 0; x, n = x.below, n-1 {
			_, joins, _ := x.leave(x.at)
			k.joinAts[n-1] = announcement{s.f.Blocks[x.at], joins, x.loop}
		}
	}
	for _, b := range s.f.Blocks {
		for i, t := range b.successors() {
			t.partly = t.partly || b.pops[i] < t.joins
		}
	}
}
