package maze

import (
	"strings"

	"jacquard/simt/lane"
	"jacquard/tesla"
)

// stroll leads a warp by the rules of Takahashi's machine as C. Collange describes them in "Stack-less
// SIMT reconvergence at low cost" (2011), section 2.4. Where the walk goes without lanes is as
// docs/divergence.md says.
type stroll struct {
	follower
	late    bool // the machine knows one instruction late whether a lane is active
	twice   bool // branches and breaks have a copy
	walk    uint32
	waiting lane.Mask // at a barrier
}

func newStroll(f follower, options string) rules {
	return &stroll{
		follower: f,
		late:     !strings.Contains(options, "delay=0"),
		twice:    strings.Contains(options, "branches=twice"),
	}
}

func (s *stroll) run() error {
	for {
		ready := s.live() &^ s.waiting
		if ready == 0 {
			if s.waiting == 0 {
				return nil
			}
			ready, s.waiting = s.waiting, 0
			s.walk = s.least(ready)
		}
		if err := s.next(ready); err != nil {
			return err
		}
	}
}

// least returns the least address of lanes.
func (s *stroll) least(m lane.Mask) uint32 {
	least := ^uint32(0)
	for _, group := range s.apart(m) {
		least = min(least, s.first(group))
	}
	return least
}

// next issues the instruction that the walk is at and takes the walk on.
func (s *stroll) next(ready lane.Mask) (err error) {
	active := s.those(ready, s.walk)
	var i issue
	if active == 0 {
		i = s.fetch(s.walk, 0)
	} else if i, err = s.issue(active); err != nil {
		return err
	}
	target := i.next
	switch i.op {
	case tesla.OpBra:
		target = i.target
	case tesla.OpBreak:
		if i.taken != 0 {
			target = s.least(i.taken)
		}
	case tesla.OpBar:
		s.waiting |= active
	}
	late := s.late
	if s.twice && (i.op == tesla.OpBra || i.op == tesla.OpBreak) {
		s.fetch(i.pc, 0)
		late = false
	}
	if ready = s.live() &^ s.waiting; ready != 0 {
		s.walk = s.to(&i, target, late && active != 0, late, s.least(ready))
	}
	return nil
}

// to returns where the walk goes; least is the least address of a lane.
func (s *stroll) to(i *issue, target uint32, some, late bool, least uint32) uint32 {
	end := uint32(len(s.m.Code)) * size
	if !i.chooses() {
		if i.next >= end {
			return least
		}
		return i.next
	}
	low, high := min(target, i.next), max(target, i.next)
	to := high
	if some || !late && least == low {
		to = low
	}
	for _, pc := range []uint32{to, i.next} { // it passes no lanes
		if pc <= least && pc < end {
			return pc
		}
	}
	return least
}
