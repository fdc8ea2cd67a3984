package schedule

import (
	"unsafe"

	"jacquard/simt/branch"
	"jacquard/simt/engine"
	"jacquard/simt/lane"
)

// relay returns the Relay for the engine, or nil if the engine must not go from warp to warp: a
// listener looks at each turn, or warps wait in a way that the engine does not know.
func (b *block) relay() *engine.Relay {
	alive := b.alive()
	if b.whole == nil || b.exact || b.st.Hook != nil && b.meeting.to != nil ||
		b.held != b.untold || b.waiting[0] != b.held || b.ready|b.held != alive {
		return nil
	}
	b.Alive, b.Held = uint32(alive), uint32(b.held)
	return &b.Relay
}

// opened tells the policy that barriers opened while the engine went from warp to warp.
func (b *block) opened() {
	if b.Brief > b.brief {
		b.brief = b.Brief
		b.passed(branch.WarpSet(b.Alive | b.Ended))
	}
}

// passed tells the policy of warps that went through a barrier as a whole.
func (b *block) passed(warps branch.WarpSet) {
	b.told = b.whole.Passed(warps) || b.told
}

// spare returns how many regions the engine may keep of warp w.
func (b *block) spare(w int) int {
	if b.nesting == nil {
		return 0
	}
	return b.nesting.Spare(w)
}

// offer lets the engine go on with warp w later, if all its lanes are together.
func (b *block) offer(w int) {
	b.Warps &^= 1 << w
	if b.whole == nil || b.next.Stop[w] != branch.NoStop || b.next.Mask[w] == 0 || b.next.Mask[w] != b.policy.Live(w) || !b.whole.Idle(w) {
		return
	}
	b.Warps |= 1 << w
	b.Lanes[w], b.Live[w] = b.next.Mask[w], b.next.Mask[w]
	b.Tells[w], b.Regions[w] = &b.tells.of(b.toSkip(b.next.Skippable[w]))[0], uint32(b.spare(w))
}

// mayRunFromStart reports whether runFromStart may run a block that is ready to begin: the engine
// may run all its warps, and the kernel begins with straight-line code.
func (b *block) mayRunFromStart() bool {
	u := &b.code[0]
	return !u.Control && u.Fork == nil && b.relay() != nil && b.Warps == b.Alive
}

// runFromStart runs the first turn of a block, and the turns that the engine takes after it. It
// reports whether the block has ended. Most blocks have, and leave little to bring up to date: the
// next block begins as this one did.
func (b *block) runFromStart() (ended bool) {
	b.atStart = false
	if b.g.stopped(b.meter.Issued) { // the engine does not ask
		b.bring(0)
		b.halt(&b.code[0])
		return true
	}
	t := b.newTurn(0, b.Lanes[0], 0, -1)
	t.Tells, t.Regions = unsafe.Slice(b.Tells[0], len(b.code)), int(b.Regions[0])
	t.Room, t.Clock, t.Heeds, t.Relay = b.Until, 0, b.Fresh&1 != 0, &b.Relay
	began, all := beginning{lanes: t.Lanes}, b.Alive
	b.End, b.Todo = b.Until, all&^1
	b.runTurns(b.runner, t)
	if t.Warp < 0 && b.Ended == all && b.Moved == 0 {
		for w, n := range b.Ran[:b.Count] {
			b.meter.Issued += n
			b.meter.Depth = max(b.meter.Depth, int(b.Deepest[w]))
		}
		b.opened()
		b.gone, b.ready = branch.WarpSet(all), 0
		return true
	}
	b.bring(0)
	b.takeIn(t, 0, began, false)
	b.goOn(b.stuckAt())
	return false
}

// endTurns brings barriers, counts and the policy up to date after the engine ended turns. The
// first was of warp w, and began at began. Afterwards t.Moves has only the moves of the turn of
// t.Warp, and endTurns returns where that turn began.
func (b *block) endTurns(t *engine.Turn, w int, began beginning) beginning {
	held := branch.WarpSet(b.Held)
	b.waiting[0], b.held, b.untold = held, held, held
	b.ready = branch.WarpSet(b.Alive) &^ held
	b.gone |= branch.WarpSet(b.Ended)
	b.meter.Partial += uint64(b.Fewer)
	for m := branch.WarpSet(b.Touched); m != 0; m &= m - 1 {
		w := lowestWarp(m)
		if b.Alive>>w&1 != 0 {
			b.pc[w] = b.code[b.At[w]].PC
		}
		if held>>w&1 != 0 {
			b.last[w] = arrival{at: b.At[w] - 1, time: b.Time[w] - 1}
		}
		if n := b.Ran[w]; n > 0 {
			b.meter.Ran(uint8(w), lane.All, n, 0)
		}
		if n := b.Deepest[w]; n > 0 {
			b.deepened(w, int(n))
		}
		b.Ran[w], b.Deepest[w] = 0, 0
	}
	opened := b.Brief > b.brief
	b.opened()
	if opened && b.st.Hook != nil {
		b.tellOpened()
	}
	if opened && b.Odd == 1 {
		for m := b.Alive; m != 0; m &= m - 1 {
			w := lowestWarp(branch.WarpSet(m))
			b.last[w].at = b.At[w] - 1
		}
		if b.misses.met(b, branch.WarpSet(b.Alive)); len(b.missed) > 0 {
			b.Odd = 2 // the first mistake is enough
		} else {
			b.Odd = 0
		}
	}
	if b.st.Hook != nil {
		b.Odd = 1 // the hook hears of each opening
	}
	b.Touched, b.Ended, b.Moved, b.Fewer = 0, 0, 0, 0
	b.front.N = 0
	if len(b.lent) > 0 {
		b.nesting.Go(w, b.Lanes[w])
	}
	began = b.endedMoves(t, w, began)
	open := t.Open
	for len(open) > 0 && open[0].Warp != t.Warp {
		n := 1
		for n < len(open) && open[n].Warp == open[0].Warp {
			n++
		}
		b.openRegions(open[0].Warp, open[:n], b.Lanes[open[0].Warp])
		b.Warps &^= 1 << open[0].Warp // others wait for its lanes
		open = open[n:]
	}
	t.Open = append(t.Open[:0], open...)
	return began
}

// endedMoves counts the moves of turns that the engine ended. The first was of warp w, and began at
// began. t.Moves keeps the moves of the turn of t.Warp; endedMoves returns where that turn began.
func (b *block) endedMoves(t *engine.Turn, w int, began beginning) beginning {
	var at [lane.MaxWarps]beginning
	at[w] = began
	of := func(w int) beginning {
		if at[w].lanes == 0 {
			return beginning{lanes: b.next.Mask[w]}
		}
		return at[w]
	}
	last := 0
	for i, m := range t.Moves {
		if m.Kind == engine.Parked {
			w := int(m.At)
			at[w] = b.countMoves(uint8(w), of(w), t.Moves[last:i], uint64(m.Steps))
			last = i + 1
		}
	}
	t.Moves = append(t.Moves[:0], t.Moves[last:]...)
	if t.Warp < 0 {
		return beginning{}
	}
	return of(t.Warp)
}

// deepened records that the engine had n regions of warp w open.
func (b *block) deepened(w, n int) {
	if b.told {
		b.nesting.Opened(w, n)
	} else { // the policy has no open regions
		b.meter.Depth = max(b.meter.Depth, n)
	}
}

// tellEnds tells the policy of the warps that ended.
func (b *block) tellEnds() {
	for ; b.gone != 0; b.gone &= b.gone - 1 {
		w := lowestWarp(b.gone)
		b.pc[w] = b.code[b.At[w]].PC
		b.together(w, branch.Exit)
		b.meter.Forget(&b.front.Sel)
		b.front.N = 0
	}
}

// together reports to the policy an event of all lanes of warp w that has happened, and cannot
// fail.
func (b *block) together(w int, kind branch.EventKind) {
	b.told = true
	b.bring(w)
	u, e := &b.code[b.At[w]-1], &b.ev
	e.Kind, e.Next, e.Indirect, e.Barrier = kind, u.Next, false, u.Ins.Barrier.ID
	e.Lanes[0] = b.front.Mask[0]
	b.policy.Control(&b.front.Cohort, e)
}
