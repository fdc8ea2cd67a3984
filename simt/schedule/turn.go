package schedule

import (
	"jacquard/simt/branch"
	"jacquard/simt/engine"
	"jacquard/simt/lane"
	"jacquard/simt/program"
)

// takeTurns has the ready warps that have not reached time until take turns, lowest warp first,
// until none is left: a barrier that opens makes warps ready again. Their first turn after it is
// brief.
func (b *block) takeTurns(until uint64) {
	for {
		brief, end, took := b.brief, until, false
		if brief > 0 {
			end = min(brief, until)
		}
		for w := 0; w < b.own.Warps && b.brief == brief; w++ {
			if b.ready>>w&1 != 0 && b.time[w] < end {
				b.turn(w, end)
				took = true
			}
		}
		switch {
		case took:
		case end == until:
			return
		default:
			b.brief = 0
		}
	}
}

// turn is the turn of warp w. It ends before a control instruction that the warp comes to at time
// until or later, so straight code is never cut, unless turns are of one instruction. It also ends
// where the warp waits at a barrier, ends or faults.
func (b *block) turn(w int, until uint64) {
	b.bring(w)
	stuck := int32(-1) // a control instruction that the engine left
	for f := &b.front; f.N > 0; {
		u := &b.code[f.at]
		switch {
		case f.time >= until && (u.Control || b.exact):
			b.rest()
			return
		case u.Control && b.g.stopped(b.meter.Issued):
			b.halt(u)
		case u.Fork != nil && b.runFork(u, until):
		case u.Event == branch.Arrive && b.arriveWhole(u):
		case f.at != stuck && b.watched == nil && b.runOn(until):
			if stuck = -1; b.code[f.at].Control {
				stuck = f.at
			}
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

// runOn runs the warp of the front on through code of which the policy need not be told. It reports
// false if the first instruction is of another kind.
func (b *block) runOn(until uint64) bool {
	f, t := &b.front, &b.going
	w, mask := f.Warp[0], f.Mask[0]
	t.Warp, t.Lanes, t.At, t.Stop, t.Skippable = int(w), mask, f.at, f.stop, f.Skippable
	t.Room, t.Clock, t.Steps = b.room(until), f.time, 0
	if b.forks != nil { // a fork may begin there
		t.Skippable &^= branch.KindsOf(branch.JoinAt)
	}
	t.Open, t.Moves, t.Deepest = t.Open[:0], t.Moves[:0], 0
	if b.nesting != nil {
		t.Regions = b.nesting.Spare(int(w))
	}
	if mask == 0 || b.exact {
		b.RunOn(t)
	} else {
		b.runner.RunOn(t)
	}
	if t.Steps == 0 {
		return false
	}
	f.time += t.Steps
	b.moveTo(t.At)
	b.countMoves(t, mask)
	if t.Deepest > 0 {
		b.openRegions(t)
	}
	if b.st.Raised != nil {
		b.stop(b.st.Caught())
	}
	return true
}

// countMoves counts the steps of a turn that the lanes of mask began, and how lanes part and meet.
func (b *block) countMoves(t *engine.Turn, mask lane.Mask) {
	w := uint8(t.Warp)
	counted := uint64(0) // steps
	more := 0            // places that the policy does not know of
	to := func(steps uint64) {
		if steps > counted {
			b.meter.Ran(w, mask, steps-counted, more)
			counted = steps
		}
	}
	for i := range t.Moves {
		m := &t.Moves[i]
		steps := uint64(m.Steps)
		switch m.Kind {
		case engine.Forked:
			to(steps)
			k := b.code[m.At].Fork
			b.countFork(w, k, mask, m.Lanes, more)
			counted += uint64(k.SideSteps())
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
		}
		mask = m.Lanes
	}
	to(t.Steps)
}

// countFork counts the sides of a fork in which the lanes of a warp part and meet.
func (b *block) countFork(w uint8, k *program.Fork, all, taken lane.Mask, more int) {
	left := all &^ taken
	b.meter.PartAndMeet(w, 1, more)
	b.meter.Diverged(k.At, taken)
	b.meter.TallyWarp(k.Other, k.Meet, taken)
	b.meter.Veto(k.Meet, taken)
	b.meter.TallyWarp(k.At+1, k.Other, left)
	if k.End() < k.Other {
		b.meter.Uniform(k.End(), left, true)
	}
}

// openRegions tells the policy of the regions that the engine opened, and of the lanes that go on.
func (b *block) openRegions(t *engine.Turn) {
	b.nesting.Opened(t.Warp, t.Deepest)
	for _, r := range t.Open {
		u := &b.code[r.At]
		to := u.Ins.Target
		if u.Event == branch.Branch {
			to = u.Next
		}
		b.nesting.Open(t.Warp, u.Event, to, r.Lanes)
	}
	b.nesting.Go(t.Warp, t.Lanes)
	b.front.Mask[0], b.front.Full = t.Lanes, t.Lanes == lane.All
}

// room returns how many steps the front may take before the next control instruction is left to
// another turn, or to a look at the watchdog.
func (b *block) room(until uint64) uint64 {
	room := uint64(1)
	if f := &b.front; f.time < until {
		room = until - f.time
	}
	if most := b.g.l.Watchdog; most > 0 {
		room = min(room, max(most, b.meter.Issued+1)-b.meter.Issued)
	}
	return room
}
