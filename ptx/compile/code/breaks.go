package code

import "jacquard/internal/flowgraph"

// Lanes that leave a loop from within an if would keep the others from meeting behind that if. In
// such a loop all lanes leave by breaks: a breakaddr in front of the loop announces where it ends,
// lanes that break wait for that, and the others meet as if there were no such ways.

// findBreaks finds the loops that lanes leave by breaks, and where lanes meet within them.
func (s *structuring) findBreaks() {
	none := len(s.noBreaks) > mostTries
	n := len(s.f.Blocks)
	s.breakAt, s.breakLoop, s.inner = make([]int32, n), make([]int32, n), make([]int32, n)
	for i := range s.inner {
		s.breakAt[i], s.breakLoop[i], s.inner[i] = -1, -1, -1
	}
	s.breakToDispatch()
	for _, head := range s.g.Order { // outer loops first
		if s.g.loop[head] != head {
			continue
		}
		j := s.behind[head]
		if j < 0 || none || s.noBreaks[j] || !s.gains[head] {
			continue
		}
		if out := s.g.parent[head]; out >= 0 && !s.g.within(j, out) {
			continue // the way out leaves the loop around, too
		}
		if p := s.hoist(head, j); p >= 0 && s.breakAt[p] < 0 {
			s.breakAt[p] = j
			s.meetingsWithin(head)
		}
	}
}

// exits is how lanes leave loops, by header.
type exits struct {
	behind []int32 // the block where all go that leave, or -1
	gains  []bool  // breaks let lanes meet in the loop that else would meet behind it
}

// findExits finds for each loop the blocks that lanes reach when they leave it, except lanes that
// end. It also finds whether a divergent branch in the loop meets only outside, although both its
// sides stay in the loop.
func (s *structuring) findExits() {
	n := len(s.f.Blocks)
	s.exits = exits{fill(n, -1), make([]bool, n)}
	several := make([]bool, n)
	for _, b := range s.g.Order {
		for _, t := range s.g.succ[b] {
			for l := s.g.loop[b]; l >= 0 && !s.g.within(t, l) && !s.ends(b, t); l = s.g.parent[l] {
				several[l] = several[l] || s.behind[l] >= 0 && s.behind[l] != t
				s.behind[l] = t
			}
		}
		e := &s.f.Blocks[b].End
		if !e.divides() || s.ipdom[b] < 0 {
			continue
		}
		for l := s.g.loop[b]; l >= 0 && !s.g.within(s.ipdom[b], l); l = s.g.parent[l] {
			stay := s.g.within(int32(e.To[0].ID), l) && s.g.within(int32(e.To[1].ID), l)
			s.gains[l] = s.gains[l] || stay
		}
	}
	for l, j := range s.behind {
		if several[l] || j >= 0 && s.f.Blocks[j].isExit() {
			s.behind[l] = -1
		}
	}
}

// meetingsWithin finds where lanes in a loop meet that go on in it: at the latest at its header, for
// the next round.
func (s *structuring) meetingsWithin(head int32) {
	n := len(s.f.Blocks)
	end := int32(n) // of a round
	succ, pred := make([][]int32, n+1), make([][]int32, n+1)
	for _, b := range s.g.Order {
		if !s.g.within(b, head) {
			continue
		}
		for _, t := range s.g.succ[b] {
			switch {
			case t == head:
				succ[b], pred[end] = append(succ[b], end), append(pred[end], b)
			case s.g.within(t, head):
				succ[b], pred[t] = append(succ[b], t), append(pred[t], b)
			}
		}
	}
	meet := flowgraph.Dominators(end, pred, succ).Above
	for _, b := range s.g.Order {
		if !s.g.within(b, head) {
			continue
		}
		s.breakLoop[b], s.inner[b] = head, meet[b]
		if meet[b] == end {
			s.inner[b] = head
		}
	}
}

// meetingWithin returns where the lanes of a branch in a loop that lanes leave by breaks meet, or
// -1 if the lanes of one side leave or end.
func (s *structuring) meetingWithin(b int32) int32 {
	head := s.breakLoop[b]
	for _, t := range s.f.Blocks[b].End.To {
		if !s.g.within(int32(t.ID), head) || s.inner[t.ID] < 0 {
			return -1
		}
	}
	return s.inner[b]
}
