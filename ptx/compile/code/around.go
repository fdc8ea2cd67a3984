package code

// open is the regions around a place: a stack.
type open struct {
	at    int32 // where the innermost region ends
	loop  bool  // it is a loop that lanes leave by breaks
	depth int   // regions in the stack
	place int   // in the order of blocks: of the one at whose end it begins
	below *open

	loops *open // the stack from the innermost such loop on, or nil
	jump  *open // a stack some way below: see down
	last  *open // the stack made before whose innermost region ends at the same place
	same  *open // a stack that was found to have the same regions
}

// stacks is the regions around all blocks, as far as they are known.
type stacks struct {
	out, in []*open // by block: around its end, and its start without those that end there
	from    []int   // by block: the place in the order, + 1, of the first from which lanes come, or 0
	last    []*open // by block: the last made of the stacks whose innermost region ends there
	first   []int32 // by block: the first place where a region begins that ends there
	next    int     // place in the order of the block that is looked at next
}

func newStacks(n int) stacks {
	return stacks{out: make([]*open, n), in: make([]*open, n), from: make([]int, n), last: make([]*open, n), first: fill(n, -1)}
}

// rewind forgets what came of the blocks from a place in the order on.
func (s *stacks) rewind(place int) {
	s.next = place
	for b := range s.from {
		if s.from[b] > place {
			s.from[b] = 0
		}
		for s.last[b] != nil && s.last[b].place >= place {
			s.last[b] = s.last[b].last
		}
	}
}

// within returns the stack with one more region.
func (s *stacks) within(o *open, at int32, loop bool) *open {
	in := &open{at: at, loop: loop, depth: o.size() + 1, place: s.next, below: o, jump: o, last: s.last[at]}
	s.last[at] = in
	if o != nil {
		in.loops = o.loops
		if o.depth-o.jump.size() == o.jump.size()-o.jump.under().size() {
			in.jump = o.jump.under()
		}
	}
	if loop {
		in.loops = in
	}
	return in
}

func (o *open) size() int {
	if o == nil {
		return 0
	}
	return o.depth
}

// under returns the stack to which that jumps.
func (o *open) under() *open {
	if o == nil {
		return nil
	}
	return o.jump
}

// down returns the stack of the outer regions, n of them, in steps as many as the logarithm of those
// left out (Myers, "An applicative random-access stack", 1983).
func (o *open) down(n int) *open {
	for o.size() > n {
		if o.jump.size() >= n {
			o = o.jump
		} else {
			o = o.below
		}
	}
	return o
}

// has reports whether a region in the stack ends at block t.
func (s *stacks) has(o *open, t int32) bool {
	for x := s.last[t]; x != nil; x = x.last {
		if o.down(x.depth) == x {
			return true
		}
	}
	return false
}

// push returns the regions around the end of a block. The one for the dispatch is the outermost.
func (s *structuring) push(b int32, around *open) *open {
	if j := s.breakAt[b]; j >= 0 && s.f.Blocks[j] == s.f.Dispatch {
		around = s.within(around, j, true)
	}
	for _, j := range s.starts[b] {
		if !s.dropped[j] && (around == nil || around.at != j) {
			around = s.within(around, j, false)
		}
	}
	if j := s.breakAt[b]; j >= 0 && s.f.Blocks[j] != s.f.Dispatch {
		around = s.within(around, j, true)
	}
	return around
}

// leave returns what [open.leave] does for lanes on the way from block b to block t. Lanes on the way
// to another end come to none of the regions around.
func (s *structuring) leave(b, t int32) (around *open, joins int, breaks bool) {
	if s.ends(b, t) && s.f.Blocks[t] != s.f.Dispatch {
		return nil, 0, false
	}
	return s.out[b].leave(t)
}

// leave returns the regions around block t for lanes that come out of those in o, the number of
// regions that end there, and whether the lanes break to get there.
func (o *open) leave(t int32) (around *open, joins int, breaks bool) {
	if o != nil && o.loops != nil && o.loops.at == t {
		o, breaks = o.loops.below, true
	}
	for ; o != nil && o.at == t && !o.loop; o = o.below {
		joins++
	}
	return o, joins, breaks
}

// differ compares two stacks and returns the innermost region of the deeper one, or nil if they
// are the same.
func differ(a, b *open) *open {
	if a.size() < b.size() {
		a, b = b, a
	}
	if a.size() > b.size() {
		return a
	}
	for x, y := a, b; x != y && x.same != y && y.same != x; x, y = x.below, y.below {
		if x.at != y.at || x.loop != y.loop {
			return x
		}
	}
	if a != b {
		a.same = b
	}
	return nil
}

// check follows all ways and finds the regions around each block. If these differ between ways, it
// drops a meeting place and returns false: the next check goes on where that makes a difference.
func (s *structuring) check() bool {
	for ; s.next < len(s.g.Order); s.next++ {
		b := s.g.Order[s.next]
		s.out[b] = s.push(b, s.in[b])
		if x := s.barred(b); x != nil {
			s.drop(x)
			return false
		}
		for _, t := range s.g.succ[b] {
			if x := s.enter(b, t); x != nil {
				s.drop(x)
				return false
			}
		}
	}
	return true
}

// enter notes the regions around block t for lanes that come from block b. It returns one that has to
// be dropped if they are others on another way, or lanes come to the end of one from within another.
func (s *structuring) enter(b, t int32) *open {
	around, _, _ := s.leave(b, t)
	if s.from[t] > 0 {
		return differ(s.in[t], around)
	}
	s.in[t], s.from[t] = around, s.next+1
	if s.has(around, t) {
		return around
	}
	return nil
}
