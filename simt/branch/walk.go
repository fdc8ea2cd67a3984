package branch

import (
	"slices"

	"jacquard/simt/cfg"
	"jacquard/simt/lane"
)

// walk is the control state of a warp as one pc per lane and one pc for the warp, which walks
// through the code: lanes run along when it comes to their pc. A guide says where the walk goes
// from a control instruction. Without lanes at the walk's pc the issue is empty.
type walk struct {
	guide  guide
	behind []uint32 // by word: the address after the next control instruction that is no annotation
	before []uint32 // by word: the address of the control instruction that ends there
	plain  []bool   // by instruction: see follows
	at     uint32
	active lane.Mask
	pc     [lane.Width]uint32 // of lanes that can run; stale while the walk goes straight on
	twice  bool               // branches and breaks are issued again, empty, before the walk turns
	again  bool               // the instruction is at its second issue
	first  turn               // of the first issue
	laneState
}

// guide is what differs between policies over walks.
type guide interface {
	// turn returns where the walk goes from a control instruction; some lane can run.
	turn(w *walk, t turn) uint32

	// pass returns where the walk goes after it came straight on to pc.
	pass(w *walk, pc uint32) uint32

	// stop returns the first pc ahead at which the walk may turn or meets lanes, although no
	// control instruction is there.
	stop(w *walk) uint32
}

// turn is a control instruction that the walk came through.
type turn struct {
	next, target uint32    // the address after it, and its target, or next if it has none
	moved        lane.Mask // lanes that executed it, with their new pcs
}

// newWalks returns a function that makes walks of a kernel like a given one, which has a guide.
func newWalks(k *Kernel, like walk) func() Flow {
	for _, in := range k.Code {
		if in.Kind != 0 {
			end := int(in.Next / 4)
			if KindsOf(in.Kind)&annotations == 0 {
				like.behind = append(like.behind, slices.Repeat([]uint32{in.Next}, end-len(like.behind))...)
			}
			like.before = append(like.before, slices.Repeat([]uint32{NoStop}, end-len(like.before))...)
			like.before = append(like.before, in.PC)
		}
	}
	for i := range k.Code {
		w := like
		like.plain = append(like.plain, w.follows(&k.Code[i]))
	}
	return func() Flow {
		w := like
		return &w
	}
}

func (w *walk) Start(mask lane.Mask) {
	w.pc, w.again = [lane.Width]uint32{}, false
	w.laneState.start(mask)
	w.goTo(0)
}

func (w *walk) goTo(pc uint32) {
	w.at, w.active = pc, 0
	for m := w.ready(); m != 0; m &= m - 1 {
		if l := first(m); w.pc[l] == pc {
			w.active |= 1 << l
		}
	}
}

// send gives the lanes of m a new pc.
func (w *walk) send(m lane.Mask, pc uint32) {
	for ; m != 0; m &= m - 1 {
		w.pc[first(m)] = pc
	}
}

// least returns the least pc of a lane that can run.
func (w *walk) least() uint32 { return w.leastOf(w.ready()) }

func (w *walk) leastOf(m lane.Mask) uint32 {
	least := NoStop
	for ; m != 0; m &= m - 1 {
		least = min(least, w.pc[first(m)])
	}
	return least
}

// ahead returns the least pc greater than the walk's of a lane that can run.
func (w *walk) ahead() uint32 {
	ahead := NoStop
	for m := w.ready() &^ w.active; m != 0; m &= m - 1 {
		if pc := w.pc[first(m)]; pc > w.at {
			ahead = min(ahead, pc)
		}
	}
	return ahead
}

// Pick lets the engine skip plain instructions while no lane is elsewhere, and plain annotations
// always.
func (w *walk) Pick() (pc uint32, mask lane.Mask, stop uint32, skippable Kinds) {
	if !w.again {
		skippable = annotations
		if w.active == w.live {
			skippable |= choices
		}
	}
	return w.at, w.active, w.guide.stop(w), skippable
}

// Tells implements Selective.
func (w *walk) Tells(_ Kinds, at int) Tell {
	if w.plain[at] {
		return TellNever
	}
	return TellAlways
}

// follows reports whether the walk goes along with lanes that are all together and take the
// instruction one way, or that none takes.
func (w *walk) follows(in *Instruction) bool {
	goes := func(taken lane.Mask, to uint32) bool {
		w.Start(1)
		w.send(1, in.PC)
		w.goTo(in.PC)
		switch in.Kind {
		case Branch:
			w.Branch(taken, in.Target, in.Next)
		case Break:
			w.Break(taken, in.Next)
		case Return:
			w.Return(taken, in.Next)
		default:
			w.Advance(in.Next)
		}
		return w.at == to && w.active == 1 && !w.again
	}
	switch {
	case in.Kind == Branch && in.Indirect:
		return false
	case in.Kind == Branch && !goes(1, in.Target):
		return false
	}
	return in.Kind == Branch && !in.Guarded || goes(0, in.Next)
}

func (w *walk) Advance(pc uint32) {
	w.send(w.active, pc)
	w.goTo(w.guide.pass(w, pc))
}

// Join ignores the marker.
func (w *walk) Join(pc uint32) (bool, error) {
	w.send(w.active, pc)
	w.at = pc
	return true, nil
}

// turnAt goes on from a control instruction that the lanes moved have executed.
func (w *walk) turnAt(moved lane.Mask, target, next uint32) {
	if w.ready() == 0 {
		w.active = 0
		return
	}
	w.goTo(w.guide.turn(w, turn{next, target, moved}))
}

// chooseAt is turnAt for branches and breaks, which may be issued twice.
func (w *walk) chooseAt(moved lane.Mask, target, next uint32) {
	switch {
	case !w.twice:
		w.turnAt(moved, target, next)
	case w.again:
		w.again = false
		w.turnAt(w.first.moved, w.first.target, w.first.next)
	default:
		w.again, w.first = true, turn{next, target, moved}
		w.at, w.active = w.before[next/4], 0
	}
}

func (w *walk) Branch(taken lane.Mask, target, next uint32) error {
	moved := w.active
	w.send(moved, next)
	w.send(taken, target)
	w.chooseAt(moved, target, next)
	return nil
}

func (w *walk) Annotate(kind EventKind, target, next uint32) error {
	err := w.annotate(kind, w.active, target)
	w.Advance(next)
	return err
}

func (w *walk) Break(taken lane.Mask, next uint32) error {
	to, err := w.breaks(taken)
	if err == nil {
		moved, target := w.leave(to, next)
		w.chooseAt(moved, target, next)
	}
	return err
}

// leave sends the lanes of the paths to their pcs, and the other active lanes to next. It returns
// the lanes that were active and the least pc of the paths.
func (w *walk) leave(to []path, next uint32) (moved lane.Mask, target uint32) {
	moved, target = w.active, next
	w.send(moved, next)
	for i, p := range to {
		w.send(p.mask, p.pc)
		if i == 0 || p.pc < target {
			target = p.pc
		}
	}
	return moved, target
}

func (w *walk) Call(target, next uint32) error {
	moved := w.active
	err := w.push(moved, frame{next, true})
	w.send(moved, target)
	w.turnAt(moved, target, next)
	return err
}

// Return ends lanes outside any call.
func (w *walk) Return(taken lane.Mask, next uint32) error {
	to, ended := w.returns(taken)
	w.live &^= ended
	moved, target := w.leave(to, next)
	w.turnAt(moved, target, next)
	return nil
}

func (w *walk) Exit() error {
	moved, next := w.active, w.behind[w.at/4]
	w.live &^= moved
	w.turnAt(moved, next, next)
	return nil
}

func (w *walk) Arrive(barrier uint8, next uint32) error {
	moved := w.active
	if moved != 0 {
		w.arrive(barrier, next, moved)
	}
	w.turnAt(moved, next, next)
	return nil
}

// Release starts the walk again at the least pc of its lanes.
func (w *walk) Release() {
	for _, p := range w.paths {
		w.send(p.mask, p.pc)
	}
	w.waiting.reset()
	w.goTo(w.guide.pass(w, w.least()))
}

func (w *walk) Depth() int { return w.deepest }

func (w *walk) Places(to []Place) []Place {
	list := make([]path, 0, lane.Width)
	for m := w.ready(); m != 0; m &= m - 1 {
		list = addPath(list, path{w.pc[first(m)], m & -m})
	}
	for _, p := range list {
		to = appendPlace(to, p.pc, p.mask)
	}
	return w.waiting.places(to)
}

// State gives the walk, with the lanes that run along, and the pcs of the other lanes.
func (w *walk) State(to State) State {
	if to = w.laneState.state(to); w.ready() == 0 {
		return to
	}
	if w.again {
		to = append(to, entryOf(CopyEntry, w.first.target, w.first.moved))
	}
	to = append(to, running(PathEntry, w.at, w.active, true))
	list := make([]path, 0, lane.Width)
	for m := w.ready() &^ w.active; m != 0; m &= m - 1 {
		list = addPath(list, path{w.pc[first(m)], m & -m})
	}
	for _, p := range list {
		to = append(to, entryOf(LaneEntry, p.pc, p.mask))
	}
	return to
}

// ascending is the part of a guide that walks through the code by address. Lanes wait ahead of
// the walk, and it stops at their pcs.
type ascending struct{ end uint32 } // of the code

// pass goes straight on; at the end of the code it goes back to lanes that wait.
func (a ascending) pass(w *walk, pc uint32) uint32 {
	if pc >= a.end {
		return w.least()
	}
	return pc
}

func (ascending) stop(w *walk) uint32 { return w.ahead() }

// joins holds, by word, where the walk goes on if it finds no lane to follow at the end of the
// word's block; NoStop if lanes can wait nowhere ahead.
type joins []uint32

func newJoins(g *cfg.Graph) joins { return slices.Repeat(joins{NoStop}, int(codeEnd(g)/4)) }

func (t joins) set(b *cfg.Block, pc uint32) {
	for word := b.Start / 4; word < b.End/4; word++ {
		t[word] = pc
	}
}

// before returns the entry of the block with the instruction before pc.
func (t joins) before(pc uint32) uint32 {
	if word := int(pc/4) - 1; word >= 0 && word < len(t) {
		return t[word]
	}
	return NoStop
}
