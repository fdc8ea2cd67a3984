package branch

import (
	"cmp"
	"fmt"

	"jacquard/simt/lane"
)

// homes is the state of the lanes of a block under a policy that mixes warps. It stays with the
// home warp of a lane, as the registers do, wherever the lane runs.
type homes struct {
	n     int
	width int  // columns; 0 is all
	free  bool // lanes may leave their columns
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
	h.n, h.alive, h.width = len(masks), 0, cmp.Or(h.width, lane.Width)
	for w, m := range masks {
		h.warps[w].start(m)
		if m != 0 {
			h.alive |= 1 << w
		}
	}
}

// Join ignores the marker.
func (h *homes) Warps() *Warps        { return nil }
func (h *homes) Join(*Cohort) error   { return nil }
func (h *homes) Alive() WarpSet       { return h.alive }
func (h *homes) Live(w int) lane.Mask { return h.warps[w].live }

// scatter carries out e for all lanes of c. It appends to moves where the lanes that can run go
// on, first the lanes that do not go straight on. It returns the warps of c whose live lanes all
// wait at one barrier now.
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

// leave carries out e for lanes m of warp w, warp i of the cohort. It returns the paths of lanes
// that do not go on at the next instruction, valid until the next call.
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

// release ends the waiting of warps and appends to moves where their lanes go on.
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

// state appends the state of the lanes, one home warp after the other.
func (h *homes) state(to State) State {
	for w := range h.n {
		begin := len(to)
		to = h.warps[w].state(to)
		for i := range to[begin:] {
			to[begin+i].Warp = uint8(w)
		}
	}
	return to
}

// ofHomes appends an entry for every home warp that has lanes.
func ofHomes(to State, e Entry, lanes *[lane.MaxWarps]lane.Mask) State {
	for w, m := range lanes {
		if m != 0 {
			e.Warp, e.Mask = uint8(w), m
			to = append(to, e)
		}
	}
	return to
}

// dynamicWarp holds the lanes of one issue: at one pc, of any home warps, no two in one lane
// column, because a lane cannot leave the column of the register file that holds its registers.
// Narrow warps have fewer columns: lanes of a home warp share one if they are a multiple of the
// width apart. If lanes leave their columns, they fill the warp from the lowest column on.
type dynamicWarp struct {
	pc    uint32
	taken lane.Mask // columns
	lanes [lane.MaxWarps]lane.Mask
}

// add gives the dynamic warp the lanes of m whose columns are free, lowest first, and returns the
// other lanes.
func (h *homes) add(d *dynamicWarp, w int, m lane.Mask) lane.Mask {
	if h.free {
		return d.fill(w, m, h.width)
	}
	for rest := m; rest != 0; {
		group := lane.Group(rest, h.width)
		at := first(group)
		fit := rest & group &^ (d.taken << at)
		d.lanes[w] |= fit
		d.taken |= fit >> at
		rest &^= group
		m &^= fit
	}
	return m
}

// fill takes lanes of m, lowest first, while there is room, and returns the other lanes.
func (d *dynamicWarp) fill(w int, m lane.Mask, width int) lane.Mask {
	for ; m != 0 && d.taken>>(width-1)&1 == 0; m &= m - 1 {
		d.lanes[w] |= m & -m
		d.taken = d.taken<<1 | 1
	}
	return m
}

// whole appends the lanes m of home warp w, as they stand, as dynamic warps.
func (h *homes) whole(list []dynamicWarp, pc uint32, w int, m lane.Mask) []dynamicWarp {
	for m != 0 {
		group := lane.Group(m, h.width)
		list = append(list, dynamicWarp{pc: pc})
		h.add(&list[len(list)-1], w, m&group)
		m &^= group
	}
	return list
}

// pack adds the lanes of the move to dynamic warps at its pc, and appends warps for lanes whose
// columns are taken. If the list is empty and lanes come in the order of their home warps, pack
// uses the fewest warps.
func (h *homes) pack(list []dynamicWarp, m move) []dynamicWarp {
	for i := 0; m.lanes != 0; i++ {
		if i == len(list) {
			list = append(list, dynamicWarp{pc: m.pc})
		}
		if d := &list[i]; d.pc == m.pc {
			m.lanes = h.add(d, m.warp, m.lanes)
		}
	}
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

// state appends the dynamic warp; at is its index among the others.
func (d *dynamicWarp) state(to State, at int, runs bool) State {
	e := running(WarpEntry, d.pc, 0, runs)
	e.Number = uint32(at)
	return ofHomes(to, e, &d.lanes)
}
