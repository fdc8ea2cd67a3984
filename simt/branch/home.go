package branch

import (
	"fmt"

	"jacquard/simt/lane"
)

// homes is what a policy that mixes warps keeps of every lane, wherever it runs: a lane's
// registers, return and break addresses and its place at a barrier stay with its home warp.
type homes struct {
	n       int
	alive   WarpSet
	live    [lane.MaxWarps]lane.Mask
	waiting [lane.MaxWarps]waiting
	frames  [lane.MaxWarps]frames
	one     [1]path // scratch of leave
}

// move sends lanes of one home warp to a place.
type move struct {
	pc    uint32
	warp  int
	lanes lane.Mask
}

func (h *homes) start(masks []lane.Mask) {
	h.n, h.alive = len(masks), 0
	for w, m := range masks {
		h.live[w] = m
		h.waiting[w].reset()
		h.frames[w].reset()
		if m != 0 {
			h.alive |= 1 << w
		}
	}
}

// Mixes is true: see Policy.
func (h *homes) Mixes() bool { return true }

// Warps is nil: see Policy.
func (h *homes) Warps() *Warps { return nil }

// Join leaves all where they are: join markers say nothing that the pcs do not.
func (h *homes) Join(*Cohort) error { return nil }

// Follow is false: who runs next is asked at every issue.
func (h *homes) Follow(*Cohort) bool { return false }

func (h *homes) Alive() WarpSet       { return h.alive }
func (h *homes) Live(w int) lane.Mask { return h.live[w] }

// scatter carries out e for all lanes of c. It adds to moves where those go that can run on,
// the lanes that leave the straight way before the others, and returns the warps of c all of whose
// live lanes now wait at one barrier.
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
		switch h.waiting[w].standing(h.live[w]) {
		case Waits:
			arrived |= 1 << w
		case Ended:
			h.alive &^= 1 << w
		}
	}
	return moves, arrived, nil
}

// leave carries out e for lanes m of warp w, part i of the cohort, and returns where those
// go that do not go on at the next instruction. The paths are good until the next call.
func (h *homes) leave(w int, m lane.Mask, i int, e *Event) ([]path, error) {
	switch f := &h.frames[w]; e.Kind {
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
	case JoinAt, QuadOn, QuadPop:
		return nil, nil
	case BreakAddr:
		return nil, f.push(m, frame{e.Target, false})
	case Break:
		return f.breaks(e.Lanes[i])
	case Call:
		h.one[0] = path{e.Target, m}
		return h.one[:], f.push(m, frame{e.Next, true})
	case PreReturn:
		return nil, f.push(m, frame{e.Target, true})
	case Return:
		to, outside := f.returns(e.Lanes[i])
		h.live[w] &^= outside
		return to, nil
	case Exit:
		h.live[w] &^= m
		return nil, nil
	case Arrive:
		h.waiting[w].arrive(e.Barrier, e.Next, m)
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
		for _, p := range h.waiting[w].paths {
			moves = append(moves, move{p.pc, w, p.mask})
		}
		h.waiting[w].reset()
	}
	return moves
}

// fingerprint appends what the lanes themselves hold.
func (h *homes) fingerprint(to []byte) []byte {
	for w := range h.n {
		to = h.frames[w].fingerprint(h.waiting[w].fingerprint(to), h.live[w])
	}
	return to
}
