package check

import (
	"jacquard/simt/lane"
	"jacquard/simt/program"
)

// stepVotes is how the lanes of a block's warps voted since the last barrier. The n-th votes that
// lanes of a warp cast at one instruction are taken to be one vote, as lanes in lockstep vote
// together. So their order does not matter.
type stepVotes struct {
	polls map[pollKey]*polls
	held  int // votes in polls
}

// mostPolls is how many votes of a block are remembered between two barriers, some 8 MB; later
// votes are not looked at.
const mostPolls = 1 << 20

type pollKey struct {
	warp int
	at   int32 // index of the instruction
}

// polls are the votes of a warp at one instruction.
type polls struct {
	next [lane.Width]int // the number of each lane's next vote
	held []poll
}

// poll is one vote: the lanes for which the condition held, and the others.
type poll struct{ yes, no lane.Mask }

// recycle forgets everything.
func (v *stepVotes) recycle() {
	clear(v.polls)
	v.held = 0
}

// note notes that lanes m of warp w vote at u, the lanes of yes for it. It returns one of these votes
// that is not unanimous, nil if there is none: lanes that vote apart would get another answer.
func (v *stepVotes) note(u *program.Op, w int, m, yes lane.Mask) (split *poll) {
	key := pollKey{w, u.At}
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
