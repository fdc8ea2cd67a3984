package schedule

import (
	"jacquard/simt/branch"
	"jacquard/simt/engine"
	"jacquard/simt/lane"
)

// takeTurns gives turns to the ready warps that have not reached time until, lowest warp first,
// until none is left: a barrier that opens makes warps ready again, with a brief first turn. The
// engine may go on to a later time, which it leaves in b.Until.
func (b *block) takeTurns(until uint64) {
	b.Until = until
	if b.atStart && b.runFromStart() {
		return
	}
	for {
		for b.Todo != 0 {
			w := lowestWarp(branch.WarpSet(b.Todo))
			b.Todo &^= 1 << w
			b.turn(w)
		}
		b.End = b.Until
		if b.Brief > 0 {
			b.End = min(b.Brief, b.Until)
		}
		b.Todo = b.Due(uint32(b.ready), b.End)
		switch {
		case b.Todo != 0:
		case b.End == b.Until:
			return
		default:
			b.Brief = 0
		}
	}
}

// turn is the turn of warp w, and of the warps to which the engine goes on.
func (b *block) turn(w int) {
	b.bring(w)
	b.goOn(-1)
	b.found()
}

// goOn goes on with the turn of the front. The first turn of a block's warp ends before the warp
// overwrites memory that others may have yet to read. Any turn ends before a control instruction
// at the end of the pass or later, so straight-line code is cut only if turns are of one
// instruction. A turn also ends where the warp waits at a barrier, ends or faults. The engine left
// the control instruction at index stuck to the schedule; -1 is none.
func (b *block) goOn(stuck int32) {
	for f := &b.front; f.N > 0; {
		u := &b.code[f.at]
		switch {
		case u.Overwrites && b.heeds():
			b.Fresh &^= 1 << f.Warp[0]
			b.rest()
			return
		case f.time >= b.End && (u.Control || b.exact):
			b.rest()
			return
		case u.Control && b.g.stopped(b.meter.Issued):
			b.halt(u)
		case u.Fork != nil && b.runFork(u):
		case u.Event == branch.Arrive && b.arriveWhole(u):
		case f.at != stuck && !b.stepwise() && b.runOn():
			stuck = b.stuckAt()
		case !u.Control:
			b.straight(u, 1)
		default:
			b.control(u)
		}
		if f.N > 0 && f.at == f.stop {
			b.ask()
		}
	}
}

// heeds reports whether the turn of the front ends before it overwrites.
func (b *block) heeds() bool { return b.Fresh>>b.front.Warp[0]&1 != 0 }

// stuckAt returns the control instruction before which the engine left the front, or -1.
func (b *block) stuckAt() int32 {
	if at := b.front.at; b.code[at].Control {
		return at
	}
	return -1
}

// newTurn returns a turn of warp w with lanes, from an index on. It lends the engine no regions.
func (b *block) newTurn(w int, lanes lane.Mask, at, stop int32) *engine.Turn {
	t := &b.going
	t.Warp, t.Lanes, t.At, t.Stop = w, lanes, at, stop
	t.Steps, t.Branches, t.Deepest = 0, 0, 0
	t.Open, t.Moves, t.Cuts, b.lent = t.Open[:0], t.Moves[:0], t.Cuts[:0], b.lent[:0]
	return t
}

// runOn runs the front's warp through code that the policy need not be told of. It reports false
// if the first instruction is of another kind. If the engine went on to other warps, the front is
// the warp whose turn it did not finish, if any.
func (b *block) runOn() bool {
	f := &b.front
	w, mask := int(f.Warp[0]), f.Mask[0]
	t := b.newTurn(w, mask, f.at, f.stop)
	t.Tells, t.Relay = b.tells.of(b.toSkip(f.Skippable)), nil
	if b.offer(w); b.nesting != nil || b.Warps>>w&1 != 0 {
		t.Relay = b.relay()
	} else if b.code[f.at].Control && t.Tells[f.at] == branch.TellAlways {
		return false
	}
	t.Regions, t.Room, t.Clock, t.Heeds = b.spare(w), b.room(), f.time, b.heeds()
	began, stepped := beginning{lanes: mask}, mask == 0 || b.exact
	if b.nesting != nil && !stepped {
		began.more = b.lend(t)
	}
	lent := len(t.Open) > 0
	if stepped {
		b.runTurns(b, t)
	} else {
		b.runTurns(b.runner, t)
	}
	return b.takeIn(t, w, began, lent)
}

// takeIn brings the block up to date after turns of the engine. The first was of warp w, the front,
// and began at began, with or without lent regions. takeIn returns the result of runOn.
func (b *block) takeIn(t *engine.Turn, w int, began beginning, lent bool) bool {
	f, relayed := &b.front, b.Touched != 0
	if relayed {
		if began = b.endTurns(t, w, began); t.Warp < 0 {
			return true
		}
		lent = lent && t.Warp == w
		b.bring(t.Warp)
	}
	b.Warps &^= 1 << t.Warp // until its turn is over
	if b.counting != nil && t.Branches > 0 {
		b.told = true
		b.counting.Branched(t.Warp, int(t.Branches))
	}
	if t.Steps > 0 || relayed {
		f.time += t.Steps
		b.moveTo(t.At)
		b.countMoves(uint8(t.Warp), began, t.Moves, t.Steps)
	}
	if t.Deepest > 0 {
		b.deepened(t.Warp, t.Deepest)
	}
	if len(t.Open) > 0 || lent {
		b.openRegions(t.Warp, t.Open, t.Lanes)
		f.Mask[0], f.Full = t.Lanes, t.Lanes == lane.All
	}
	if t.Steps == 0 && !relayed {
		return false
	}
	if b.st.Raised != nil {
		b.stop(b.st.Caught())
	}
	return true
}

// toSkip returns the events of k that the engine may skip.
func (b *block) toSkip(k branch.Kinds) branch.Kinds {
	if b.forks != nil { // a fork may begin there
		k &^= branch.KindsOf(branch.JoinAt)
	}
	return k
}

// beginning is the state of a warp where its turn begins.
type beginning struct {
	lanes lane.Mask // lanes that go on
	more  int       // places of other lanes that the policy does not know
}

// countMoves counts the steps of a turn of warp w, and its divergence. It returns where the next
// turn begins if the engine goes on with the warp.
func (b *block) countMoves(w uint8, began beginning, moves []engine.Move, steps uint64) beginning {
	if len(moves) == 0 {
		if steps > 0 {
			b.meter.Ran(w, began.lanes, steps, began.more)
		}
		return began
	}
	counted := uint64(0) // steps
	mask, more := began.lanes, began.more
	to := func(steps uint64) {
		if steps > counted {
			b.meter.Ran(w, mask, steps-counted, more)
			counted = steps
		}
	}
	b.moved = true
	for len(moves) > 0 {
		m := &moves[0]
		steps := uint64(m.Steps)
		switch m.Kind {
		case engine.Forked:
			k, n := b.code[m.At].Fork, b.listForks(moves)
			steps, sides := uint64(moves[n-1].Steps), uint64(k.SideSteps())
			to(steps - sides*uint64(n-1))
			b.meter.Forks(w, k, mask, b.forked, more)
			counted = steps + sides
			moves = moves[n:]
			continue
		case engine.Parted:
			to(steps)
			b.meter.Diverged(m.At, m.Lanes)
			more++
		case engine.Waited, engine.WaitedIn:
			to(steps - 1)
			if m.Kind == engine.WaitedIn {
				more--
			}
			to(steps)
			b.meter.Kept(m.At, mask)
		case engine.Met:
			to(steps)
			more--
		case engine.Broke, engine.BrokeIn:
			to(steps)
			if m.Kind == engine.Broke {
				more++
			}
			if m.Lanes&mask == 0 { // lanes on the other side of a branch break
				more--
			} else {
				b.meter.Diverged(m.At, mask&^m.Lanes)
			}
		}
		mask = m.Lanes
		moves = moves[1:]
	}
	to(steps)
	return beginning{mask, more}
}

// listForks lists in b.forked the lanes that took the branch of the first move's fork, each time
// that the warp went through it. It returns how often that was.
func (b *block) listForks(moves []engine.Move) (n int) {
	b.forked = b.forked[:0]
	for i := range moves {
		m := &moves[i]
		if m.Kind != engine.Forked || m.At != moves[0].At {
			break
		}
		b.forked = append(b.forked, m.Lanes)
	}
	return len(b.forked)
}

// lend lends the engine the regions of the front's warp that the policy knows, if lanes wait in
// some. It returns the number of places where lanes wait.
func (b *block) lend(t *engine.Turn) (places int) {
	if t.Lanes == b.policy.Live(t.Warp) {
		return 0
	}
	b.lent = b.nesting.Close(t.Warp, engine.MostLent, b.lent)
	for _, r := range b.lent {
		at, ok := b.p.Announces(r.Kind, r.PC)
		if !ok {
			for _, closed := range b.lent {
				b.nesting.Open(t.Warp, closed)
			}
			b.nesting.Go(t.Warp, t.Lanes)
			b.lent, t.Open = b.lent[:0], t.Open[:0]
			return 0
		}
		t.Open = append(t.Open, engine.Region{Warp: t.Warp, At: at, Lanes: r.Lanes, Waits: r.Waits})
		if r.Kind == branch.Branch || r.Waits != 0 {
			places++
		}
	}
	return places
}

// openRegions tells the policy which regions of warp w the engine leaves open, and which lanes go
// on.
func (b *block) openRegions(w int, list []engine.Region, lanes lane.Mask) {
	b.told = true
	for _, r := range list {
		u := &b.code[r.At]
		to := u.Ins.Target
		if u.Event == branch.Branch || u.Event == branch.Call {
			to = u.Next
		}
		b.nesting.Open(w, branch.Region{Kind: u.Event, PC: to, Lanes: r.Lanes, Waits: r.Waits})
	}
	b.nesting.Go(w, lanes)
}

// room returns how many steps the front may take before the next control instruction is left to
// another turn, or to a look at the watchdog.
func (b *block) room() uint64 {
	room := uint64(1)
	if f := &b.front; f.time < b.End {
		room = b.End - f.time
	}
	if most := b.g.l.Watchdog; most > 0 {
		room = min(room, max(most, b.meter.Issued+1)-b.meter.Issued)
	}
	return room
}
