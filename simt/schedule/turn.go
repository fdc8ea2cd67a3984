package schedule

import (
	"jacquard/simt/branch"
	"jacquard/simt/engine"
)

// takeTurns has the ready warps that have not reached time until take turns, lowest warp first,
// until none is left: a barrier that opens makes warps ready again.
func (b *block) takeTurns(until uint64) {
	for again := true; again; {
		again = false
		for w := range b.own.Warps {
			if b.ready>>w&1 != 0 && b.time[w] < until {
				b.turn(w, until)
				again = true
			}
		}
	}
}

// turn is the turn of warp w. It ends before a control instruction that the warp comes to at time
// until or later, so straight code is never cut, unless turns are of one instruction. It also ends
// where the warp waits at a barrier, ends or faults.
func (b *block) turn(w int, until uint64) {
	b.bring(w)
	for f := &b.front; f.N > 0; {
		u := &b.code[f.at]
		switch {
		case f.time >= until && (u.Control || b.exact):
			b.rest()
			return
		case u.Control && b.g.stopped(b.meter.Issued):
			b.halt(u)
		case u.Fork != nil && b.runFork(u, until):
		case b.watched == nil && b.runOn(until):
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
	*t = engine.Turn{
		Warp: int(w), Lanes: mask, At: f.at, Stop: f.stop, Skippable: f.Skippable,
		Room: b.room(until), Clock: f.time,
	}
	if b.forks != nil { // a fork may begin there
		t.Skippable &^= branch.KindsOf(branch.JoinAt)
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
	b.meter.Ran(w, mask, t.Steps)
	if b.st.Raised != nil {
		b.stop(b.st.Caught())
	}
	return true
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
