package check

import (
	"math/bits"

	"jacquard/simt/lane"
	"jacquard/simt/program"
)

// stepVotes is how the lanes of a block's warps voted since the last barrier. A lane's n-th vote at
// a place is taken to be one vote with the n-th of the others of its warp: lanes in step vote
// together. So it does not matter in which order they come.
type stepVotes struct {
	polls map[pollKey]*polls
	held  int // votes in polls
}

// mostPolls is how many votes of a block are remembered between two barriers, some 8 MB; what comes
// after is not looked at.
const mostPolls = 1 << 20

type pollKey struct {
	warp int
	at   *program.Op
}

// polls are the votes of a warp at a place.
type polls struct {
	next [lane.Width]int // the number of each lane's next vote
	held []poll
}

// poll is one vote: for which lanes the condition held, and for which it did not.
type poll struct{ yes, no lane.Mask }

// recycle forgets everything.
func (v *stepVotes) recycle() {
	clear(v.polls)
	v.held = 0
}

// note is told that lanes m of warp w vote at u, those in yes for it. It returns a vote that is not
// unanimous, if there is one among them: lanes that do not vote together learn something else.
func (v *stepVotes) note(u *program.Op, w int, m, yes lane.Mask) (split *poll) {
	key := pollKey{w, u}
	p := v.polls[key]
	if p == nil {
		if v.polls == nil {
			v.polls = map[pollKey]*polls{}
		}
		p = &polls{}
		v.polls[key] = p
	}
	for left := m; left != 0; left &= left - 1 {
		l := lowest(left)
		n := p.next[l]
		if n == len(p.held) {
			if v.held == mostPolls {
				continue
			}
			v.held++
			p.held = append(p.held, poll{})
		}
		p.next[l]++
		p.held[n].yes |= yes & left & -left
		p.held[n].no |= left & -left &^ yes
	}
	for left := m; left != 0 && split == nil; left &= left - 1 {
		if n := p.next[lowest(left)]; n > 0 && p.held[n-1].yes != 0 && p.held[n-1].no != 0 {
			split = &p.held[n-1]
		}
	}
	return split
}

// vote is told that lanes m of warp w vote at u, those in yes for it.
func (s *stepWatch) vote(u *program.Op, w int, m, yes lane.Mask) {
	if s.found != nil {
		return
	}
	if split := s.votes.note(u, w, m, yes); split != nil {
		s.voted(u, w, split.yes, split.no)
	}
}

// joined is told that the answer of a vote of warp w is another because lanes of other warps voted
// with it.
func (s *stepWatch) joined(u *program.Op, w int, m lane.Mask) {
	if s.found == nil {
		s.voted(u, w, m, 0)
	}
}

// voted keeps a vote as the first dependence of the block.
func (s *stepWatch) voted(u *program.Op, w int, first, then lane.Mask) {
	s.found = &Dependence{
		Kernel: s.st.Program.Kernel.Name, Policy: s.apart, Block: s.b.Index, Warp: w,
		First: Access{u.PC, u.Ins.String(), first, false}, Then: Access{u.PC, u.Ins.String(), then, false},
	}
}

func lowest(m lane.Mask) int { return bits.TrailingZeros32(uint32(m)) }
