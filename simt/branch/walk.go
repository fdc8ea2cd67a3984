package branch

import "jacquard/simt/lane"

// walk is the control state of schemes that keep a pc for every lane and one for the warp,
// which walks through the code: the lanes whose pc it comes to run along. A guide says where it
// goes from a control instruction, which can be where nobody is: such an issue is empty.
type walk struct {
	guide  guide
	behind []uint32 // by word: the address behind the first control instruction from there on
	at     uint32
	active lane.Mask
	pc     [lane.Width]uint32 // of lanes that can run; behind the walk while it goes straight on
	live   lane.Mask
	waiting
	frames
}

// guide is what makes a scheme of walks.
type guide interface {
	// turn returns where the walk goes from a control instruction; some lane can run.
	turn(w *walk, t turn) uint32

	// pass returns where the walk goes that came to pc by going straight on.
	pass(w *walk, pc uint32) uint32

	// stop returns the first pc ahead at which the walk may have to turn or meets lanes,
	// although no control instruction is there.
	stop(w *walk) uint32
}

// turn is a control instruction behind the walk.
type turn struct {
	next, target uint32    // address behind it, and where it leads; next if that is nowhere else
	moved        lane.Mask // lanes that executed it; their pcs are where they go on
}

// newWalks returns what makes the walks of a kernel.
func newWalks(k *Kernel, g guide) func() Flow {
	var behind []uint32
	for _, in := range k.Code {
		if in.Kind != 0 {
			for uint32(len(behind)) < in.Next/4 {
				behind = append(behind, in.Next)
			}
		}
	}
	return func() Flow { return &walk{guide: g, behind: behind} }
}

func (w *walk) Start(mask lane.Mask) {
	w.pc, w.live = [lane.Width]uint32{}, mask
	w.waiting.reset()
	w.frames.reset()
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

// ready returns the lanes that can run.
func (w *walk) ready() lane.Mask { return w.live &^ w.lanes }

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

func (w *walk) Pick() (uint32, lane.Mask, uint32, Kinds) {
	return w.at, w.active, w.guide.stop(w), 0
}

func (w *walk) Advance(pc uint32) {
	w.send(w.active, pc)
	w.goTo(w.guide.pass(w, pc))
}

// Join markers are ignored.
func (w *walk) Join(pc uint32) (bool, error) {
	w.send(w.active, pc)
	w.at = pc
	return true, nil
}

// turnAt goes on from a control instruction that the lanes of moved have executed.
func (w *walk) turnAt(moved lane.Mask, target, next uint32) {
	if w.ready() == 0 {
		w.active = 0
		return
	}
	w.goTo(w.guide.turn(w, turn{next, target, moved}))
}

func (w *walk) Branch(taken lane.Mask, target, next uint32) error {
	moved := w.active
	w.send(moved, next)
	w.send(taken, target)
	w.turnAt(moved, target, next)
	return nil
}

func (w *walk) JoinAt(_, next uint32) error { return w.goOn(next) }
func (w *walk) QuadOn(next uint32) error    { return w.goOn(next) }
func (w *walk) QuadPop(next uint32) error   { return w.goOn(next) }
func (w *walk) goOn(next uint32) error      { w.Advance(next); return nil }

func (w *walk) BreakAddr(target, next uint32) error {
	err := w.push(w.active, frame{target, false})
	w.Advance(next)
	return err
}

func (w *walk) PreReturn(target, next uint32) error {
	err := w.push(w.active, frame{target, true})
	w.Advance(next)
	return err
}

func (w *walk) Break(taken lane.Mask, next uint32) error {
	to, err := w.breaks(taken)
	if err == nil {
		w.leave(to, next)
	}
	return err
}

// leave sends the lanes of the paths there, and the others that ran on to next.
func (w *walk) leave(to []path, next uint32) {
	moved, target := w.active, next
	w.send(moved, next)
	for i, p := range to {
		w.send(p.mask, p.pc)
		if i == 0 || p.pc < target {
			target = p.pc
		}
	}
	w.turnAt(moved, target, next)
}

func (w *walk) Call(target, next uint32) error {
	moved := w.active
	err := w.push(moved, frame{next, true})
	w.send(moved, target)
	w.turnAt(moved, target, next)
	return err
}

// Return ends lanes that are in no call.
func (w *walk) Return(taken lane.Mask, next uint32) error {
	to, ended := w.returns(taken)
	w.live &^= ended
	w.leave(to, next)
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

// Release begins the walk anew where the first of the lanes are.
func (w *walk) Release() {
	for _, p := range w.paths {
		w.send(p.mask, p.pc)
	}
	w.waiting.reset()
	w.goTo(w.guide.pass(w, w.least()))
}

func (w *walk) Standing() Standing { return w.standing(w.live) }
func (w *walk) Live() lane.Mask    { return w.live }
func (w *walk) Depth() int         { return w.deepest }

func (w *walk) Places(to []Place) []Place {
	for left := w.ready(); left != 0; {
		pc := w.pc[first(left)]
		var here lane.Mask
		for m := left; m != 0; m &= m - 1 {
			if l := first(m); w.pc[l] == pc {
				here |= 1 << l
			}
		}
		to = appendPlace(to, pc, here)
		left &^= here
	}
	return w.waiting.places(to)
}

func (w *walk) Fingerprint(to []byte) []byte {
	to = appendPath(to, path{w.at, w.active})
	for m := w.ready() &^ w.active; m != 0; m &= m - 1 {
		l := first(m)
		to = appendWord(append(to, byte(l)), w.pc[l])
	}
	return w.frames.fingerprint(w.waiting.fingerprint(append(to, 0xff)), w.live)
}
