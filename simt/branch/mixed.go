package branch

import (
	"fmt"

	"jacquard/simt/lane"
)

// homes is the state of the lanes of a block under a policy that mixes warps: it stays with the
// home warp of a lane, as its registers do, wherever the lane runs.
type homes struct {
	n     int
	alive WarpSet
	warps [lane.MaxWarps]laneState
	one   [1]path // scratch of leave
}

// move sends lanes of one home warp to a pc.
type move struct {
	pc    uint32
	warp  int
	lanes lane.Mask
}

func (h *homes) start(masks []lane.Mask) {
	h.n, h.alive = len(masks), 0
	for w, m := range masks {
		h.warps[w].start(m)
		if m != 0 {
			h.alive |= 1 << w
		}
	}
}

// Join ignores the marker. Follow is false: the policy is asked for a cohort at every issue.
func (h *homes) Mixes() bool          { return true }
func (h *homes) Warps() *Warps        { return nil }
func (h *homes) Join(*Cohort) error   { return nil }
func (h *homes) Follow(*Cohort) bool  { return false }
func (h *homes) Alive() WarpSet       { return h.alive }
func (h *homes) Live(w int) lane.Mask { return h.warps[w].live }

// scatter carries out e for all lanes of c. It adds to moves where lanes go that can run on, first
// the lanes that do not go straight on, and returns the warps of c all of whose live lanes now
// wait at one barrier.
func (h *homes) scatter(c *Cohort, e *Event, moves []move) ([]move, WarpSet, error) {
	for i := range c.N {
		w, stay := int(c.Warp[i]), c.Mask[i]
		to, err := h.leave(w, stay, i, e)
		if err != nil {
			return moves, 0, &StackError{w, err.Error()}
		}
		for _, p := range to {
			moves = append(moves, move{p.pc, w, p.mask})
		}
	}
	var arrived WarpSet
	for i := range c.N {
		w, stay, next := int(c.Warp[i]), c.Mask[i], e.Next
		switch e.Kind {
		case Call, Exit, Arrive:
			stay = 0
		case Branch, Break, Return:
			stay &^= e.Lanes[i]
		}
		if e.Indirect {
			next = e.Nexts[i]
		}
		if stay != 0 {
			moves = append(moves, move{next, w, stay})
		}
		switch h.warps[w].Status() {
		case Waits:
			arrived |= 1 << w
		case Ended:
			h.alive &^= 1 << w
		}
	}
	return moves, arrived, nil
}

// leave carries out e for lanes m of warp w, warp i of the cohort, and returns the paths of lanes
// that do not go on at the next instruction. The paths are valid until the next call.
func (h *homes) leave(w int, m lane.Mask, i int, e *Event) ([]path, error) {
	switch s := &h.warps[w]; e.Kind {
	case Branch:
		target := e.Target
		if e.Indirect {
			target = e.Targets[i]
		}
		if e.Lanes[i] == 0 {
			return nil, nil
		}
		h.one[0] = path{target, e.Lanes[i]}
		return h.one[:], nil
	case JoinAt, BreakAddr, PreReturn, QuadOn, QuadPop:
		return nil, s.annotate(e.Kind, m, e.Target)
	case Break:
		return s.breaks(e.Lanes[i])
	case Call:
		h.one[0] = path{e.Target, m}
		return h.one[:], s.push(m, frame{e.Next, true})
	case Return:
		to, outside := s.returns(e.Lanes[i])
		s.live &^= outside
		return to, nil
	case Exit:
		s.live &^= m
		return nil, nil
	case Arrive:
		s.arrive(e.Barrier, e.Next, m)
		return nil, nil
	}
	panic(fmt.Sprintf("branch: unknown event %d", e.Kind))
}

// release ends the waiting of warps and adds to moves where their lanes go on.
func (h *homes) release(warps WarpSet, moves []move) []move {
	for w := range h.n {
		if warps>>w&1 == 0 {
			continue
		}
		s := &h.warps[w]
		for _, p := range s.paths {
			moves = append(moves, move{p.pc, w, p.mask})
		}
		s.waiting.reset()
	}
	return moves
}

// fingerprint appends the state of the lanes.
func (h *homes) fingerprint(to []byte) []byte {
	for w := range h.n {
		to = h.warps[w].fingerprint(to)
	}
	return to
}

// dynamicWarp is the lanes of one issue: at one pc, of any home warps, no two in one lane column,
// because a lane cannot leave the column of the register file that holds its registers.
type dynamicWarp struct {
	pc    uint32
	taken lane.Mask // columns: the union of lanes
	lanes [lane.MaxWarps]lane.Mask
}

// add takes the lanes of m whose columns are free, and returns the others.
func (d *dynamicWarp) add(w int, m lane.Mask) lane.Mask {
	fit := m &^ d.taken
	d.lanes[w] |= fit
	d.taken |= fit
	return m &^ fit
}

// pack adds the lanes of the move to dynamic warps at its pc, and appends a warp for lanes whose
// columns are taken. Lanes that come to an empty list in the order of their home warps are packed
// into the fewest warps.
func pack(list []dynamicWarp, m move) []dynamicWarp {
	for i := range list {
		if d := &list[i]; d.pc == m.pc {
			if m.lanes = d.add(m.warp, m.lanes); m.lanes == 0 {
				return list
			}
		}
	}
	list = append(list, dynamicWarp{pc: m.pc})
	list[len(list)-1].add(m.warp, m.lanes)
	return list
}

// cohort sets c to the issue of d.
func (d *dynamicWarp) cohort(c *Cohort, stop uint32) {
	c.reset(d.pc, stop)
	for w, m := range d.lanes {
		if m != 0 {
			c.Add(w, m)
		}
	}
}

func (d *dynamicWarp) fingerprint(to []byte) []byte {
	to = appendWord(to, d.pc)
	for _, m := range d.lanes {
		to = appendWord(to, uint32(m))
	}
	return to
}
