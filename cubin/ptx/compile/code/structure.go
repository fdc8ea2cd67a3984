package code

import "jacquard/flowgraph"

// structure announces where the lanes of divergent branches meet again: at the immediate
// post-dominator. A region begins with a joinat at the end of a block and ends with a join at the
// start of another. Regions must nest on every path; those that would not are left out, and their
// lanes meet later.
func structure(f *Func) {
	addPreheaders(f)
	s := &structuring{f: f, g: newGraph(f)}
	s.noBreaks, s.wide = map[int32]bool{}, map[int32]bool{}
	s.meetings()
	s.findBreaks()
	s.regions()
	for !s.check() {
	}
	s.annotate()
	clean(f)
}

// addPreheaders puts an empty block in front of every loop that lanes enter in more than one way.
func addPreheaders(f *Func) {
	g := newGraph(f)
	blocks := f.Blocks
	for _, head := range g.Order {
		if g.loop[head] != head {
			continue
		}
		h := blocks[head]
		outside, jump := 0, true
		for _, p := range g.pred[head] {
			if !g.Dominates(head, p) {
				outside++
				jump = jump && blocks[p].End.Kind == Jump
			}
		}
		if outside == 1 && jump {
			continue
		}
		pre := &Block{Depth: max(h.Depth-1, 0), End: End{Kind: Jump, To: [2]*Block{h}, Line: h.End.Line}}
		if head == 0 {
			f.Blocks = append([]*Block{pre}, f.Blocks...)
			continue
		}
		for _, p := range g.pred[head] {
			if !g.Dominates(head, p) {
				blocks[p].redirect(h, pre)
			}
		}
		f.Blocks = append(f.Blocks, pre)
	}
}

// redirect leads ways to one block to another.
func (b *Block) redirect(from, to *Block) {
	for i := range b.End.To {
		if b.End.To[i] == from {
			b.End.To[i] = to
		}
	}
}

// structuring is the state of structure.
type structuring struct {
	f       *Func
	g       *graph
	ipdom   []int32   // by block: where all ways meet that do not end early, or -1
	pdepth  []int32   // by block: post-dominators behind it
	starts  [][]int32 // by block: the blocks where regions meet that begin at its end, outermost first
	out     []*open   // by block: the regions around its end
	in      []*open   // by block: the regions around its start, without those that end there
	known   []bool
	last    int32          // the last block that ends the kernel, -1 for none
	dropped map[int32]bool // meeting places that do not nest

	breakAt   []int32        // by block: where the loop ends that it announces, or -1
	breakLoop []int32        // by block: the innermost loop around it that lanes leave by breaks, or -1
	inner     []int32        // by block in such a loop: where lanes meet that stay in the loop
	noBreaks  map[int32]bool // ends of loops whose breaks do not nest
	wide      map[int32]bool // meeting places of regions that begin in front of all loops
}

// open is the regions around a place: a stack.
type open struct {
	at    int32 // where the innermost region ends
	loop  bool  // it is a loop that lanes leave by breaks
	below *open
}

// maxEnds bounds the ends of the kernel that are tried.
const maxEnds = 8

// meetings finds the post-dominators of all blocks. Ends of the kernel but one do not count: lanes
// that end need not be waited for. The one is that before which most branches meet.
func (s *structuring) meetings() {
	best := -1
	tried := 0
	for i := len(s.g.Order) - 1; i >= 0 && tried < maxEnds; i-- {
		end := s.g.Order[i]
		if s.f.Blocks[end].End.Kind != Exit {
			continue
		}
		tried++
		t := *s
		t.meetingsBefore(end)
		n := 0
		for _, b := range s.g.Order {
			switch j := t.meeting(b); {
			case j == end:
				n++
			case j >= 0:
				n += 2
			}
		}
		if n > best {
			*s, best = t, n
		}
	}
	if best < 0 {
		s.meetingsBefore(-1)
	}
}

// meetingsBefore finds the post-dominators of all blocks if only one end counts.
func (s *structuring) meetingsBefore(end int32) {
	n := len(s.f.Blocks)
	s.last, s.ipdom, s.pdepth = end, make([]int32, n), make([]int32, n)
	if end < 0 {
		for i := range s.ipdom {
			s.ipdom[i] = -1
		}
		return
	}
	back := flowgraph.Dominators(end, s.g.pred, s.g.succ)
	s.ipdom = back.Above
	for _, b := range back.Order[1:] {
		s.pdepth[b] = s.pdepth[s.ipdom[b]] + 1
	}
}

// regions finds where regions should begin.
func (s *structuring) regions() {
	s.starts, s.dropped = make([][]int32, len(s.f.Blocks)), map[int32]bool{}
	for _, b := range s.g.Order {
		j := s.meeting(b)
		if j < 0 {
			continue
		}
		if s.wide[j] {
			if p := s.outside(j); p >= 0 {
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
	if e.Kind != Branch || e.Uniform || e.To[0] == e.To[1] {
		return -1
	}
	if s.breakLoop != nil && s.breakLoop[b] >= 0 {
		return s.meetingWithin(b)
	}
	j := s.ipdom[b]
	if j < 0 || !s.arrives(e.To[0]) || !s.arrives(e.To[1]) {
		return -1 // the lanes of one side end
	}
	if k := s.f.Blocks[j]; k.End.Kind == Exit && len(k.Code) <= 1 {
		return -1 // meeting costs more than it saves
	}
	return j
}

// arrives reports whether lanes in a block may come to the last end of the kernel.
func (s *structuring) arrives(b *Block) bool {
	return int32(b.ID) == s.last || s.ipdom[b.ID] >= 0
}

// hoist returns the block at whose end a region begins that holds block p and ends at j: in front
// of the loops around p that lanes have left at j. -1 if there is no such place.
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

// widen returns the block at whose end the region from p to j should begin: further up, if lanes
// come to j past p, so that all ways to j are in the region.
func (s *structuring) widen(p, j int32) int32 {
	q := p
	for _, x := range s.g.pred[j] {
		if !s.g.Dominates(j, x) {
			q = s.g.Common(q, x)
		}
	}
	if q == p || s.hoist(q, j) != q || s.g.loop[q] != s.g.loop[p] {
		return p
	}
	for x := q; x >= 0; x = s.ipdom[x] {
		if x == j {
			return q
		}
	}
	return p
}

// start notes a region from the end of block p to j.
func (s *structuring) start(p, j int32) {
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

// check follows all ways and finds the regions around each block. If these differ between ways, it
// drops a meeting place and returns false.
func (s *structuring) check() bool {
	n := len(s.f.Blocks)
	s.in, s.out, s.known = make([]*open, n), make([]*open, n), make([]bool, n)
	s.known[0] = true
	for _, b := range s.g.Order {
		s.out[b] = s.push(b, s.in[b])
		for _, t := range s.g.succ[b] {
			around, _, _ := s.out[b].leave(t)
			if !s.known[t] {
				s.in[t], s.known[t] = around, true
			}
			if x := differ(s.in[t], around); x != nil {
				s.drop(x)
				return false
			}
			if around.has(t) {
				s.drop(around)
				return false
			}
		}
	}
	return true
}

// drop leaves a region out.
func (s *structuring) drop(x *open) {
	switch {
	case !x.loop && !s.wide[x.at] && s.f.meets():
		s.wide[x.at] = true
		s.regions()
		return
	case !x.loop:
		s.dropped[x.at] = true
		return
	}
	s.noBreaks[x.at] = true
	s.findBreaks()
	s.regions()
}

// push returns the regions around the end of a block.
func (s *structuring) push(b int32, around *open) *open {
	for _, j := range s.starts[b] {
		if !s.dropped[j] && (around == nil || around.at != j) {
			around = &open{j, false, around}
		}
	}
	if j := s.breakAt[b]; j >= 0 {
		around = &open{j, true, around}
	}
	return around
}

// leave returns the regions around block t for lanes that come out of those in o, the number of
// regions that end there, and whether the lanes break to get there.
func (o *open) leave(t int32) (around *open, joins int, breaks bool) {
	for x := o; x != nil; x = x.below {
		if x.loop {
			if breaks = x.at == t; breaks {
				o = x.below
			}
			break
		}
	}
	for ; o != nil && o.at == t && !o.loop; o = o.below {
		joins++
	}
	return o, joins, breaks
}

func (o *open) has(t int32) bool {
	for ; o != nil; o = o.below {
		if o.at == t {
			return true
		}
	}
	return false
}

func (o *open) depth() int {
	n := 0
	for ; o != nil; o = o.below {
		n++
	}
	return n
}

// differ compares two stacks and returns the innermost region of the deeper one, or nil if they
// are the same.
func differ(a, b *open) *open {
	if a.depth() < b.depth() {
		a, b = b, a
	}
	if a.depth() > b.depth() {
		return a
	}
	for ; a != b; a, b = a.below, b.below {
		if a.at != b.at || a.loop != b.loop {
			return a
		}
	}
	return nil
}

// annotate writes the regions into the blocks.
func (s *structuring) annotate() {
	for _, b := range s.g.Order {
		k := s.f.Blocks[b]
		k.pops, k.joinAts = [2]int{}, nil
		for i := range len(k.successors()) {
			t := k.End.To[i]
			_, k.pops[i], k.breaks[i] = s.out[b].leave(int32(t.ID))
			t.joins = max(t.joins, k.pops[i])
		}
		around := s.in[b]
		for _, j := range s.starts[b] {
			if s.dropped[j] || around != nil && around.at == j {
				continue
			}
			around = &open{j, false, around}
			_, n, _ := around.leave(j)
			k.joinAts = append(k.joinAts, announcement{s.f.Blocks[j], n, false})
		}
		if j := s.breakAt[b]; j >= 0 {
			_, n, _ := around.leave(j)
			k.joinAts = append(k.joinAts, announcement{s.f.Blocks[j], n, true})
		}
	}
	for _, b := range s.f.Blocks {
		for i, t := range b.successors() {
			t.partly = t.partly || b.pops[i] < t.joins
		}
	}
}
