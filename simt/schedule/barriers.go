package schedule

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"jacquard/simt/branch"
	"jacquard/simt/engine"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// barriers record where warps wait.
type barriers struct {
	waiting [16]branch.WarpSet     // by barrier
	held    branch.WarpSet         // at any barrier
	untold  branch.WarpSet         // held warps whose arrival the policy was not told
	last    [lane.MaxWarps]arrival // by warp
	brief   uint64                 // engine.Relay.Brief of the last barrier of which the policy knows
}

// arrival is a warp's last arrival at a barrier.
type arrival struct {
	at   int32 // index of the instruction
	id   uint8
	time uint64
}

// wait makes warps wait at the barrier of their last arrival.
func (b *barriers) wait(warps branch.WarpSet) {
	b.held |= warps
	for ; warps != 0; warps &= warps - 1 {
		w := lowestWarp(warps)
		b.waiting[b.last[w].id] |= 1 << w
	}
}

// open releases the waiting warps if all warps in alive wait at one barrier.
func (b *barriers) open(alive branch.WarpSet) (released branch.WarpSet) {
	for id, w := range b.waiting {
		if w != 0 && w&alive == alive {
			b.waiting[id] = 0
			released |= w
		}
	}
	b.held &^= released
	return released
}

// arriveWhole makes the front's warp arrive at barrier u, if the front has all its live lanes. The
// policy need not be told: the lanes go on together. It reports false if the policy must be told.
func (b *block) arriveWhole(u *program.Op) bool {
	f := &b.front
	if b.whole == nil || u.Marker != tesla.MarkerNone || f.Mask[0] == 0 || f.stop >= 0 {
		return false
	}
	w := int(f.Warp[0])
	if f.Mask[0] != b.policy.Live(w) || !b.whole.Idle(w) {
		return false
	}
	b.meter.Issue(u.At, u.At+1, &f.Sel)
	if b.recorded {
		b.note(u.At, u.At+1, f.time, &f.Sel, &f.Mask, false)
	}
	if f.Mask[0] != b.g.masks[w] {
		b.meter.Partial++
	}
	b.last[w] = arrival{u.At, u.Ins.Barrier.ID, f.time}
	if b.meeting.to != nil {
		b.meeting.to.Arrived(u, w, f.Mask[0])
	}
	b.wait(1 << w)
	b.untold |= 1 << w
	b.ready &^= 1 << w
	b.At[w], b.pc[w], b.Time[w] = u.At+1, u.Next, f.time+1
	f.N = 0
	b.offer(w)
	b.openBarriers()
	return true
}

// tellArrivals tells the policy of the arrivals in b.untold.
func (b *block) tellArrivals() {
	for ; b.untold != 0; b.untold &= b.untold - 1 {
		b.together(lowestWarp(b.untold), branch.Arrive)
		b.front.N = 0
	}
}

// openBarriers releases a barrier at which all live warps of the block wait, and counts the rounds
// that they waited. They go on at the time of the latest arrival, or of the latest end of another
// warp.
func (b *block) openBarriers() {
	alive := b.alive()
	if b.held&alive != alive {
		return
	}
	released := b.barriers.open(alive)
	if released == 0 {
		return
	}
	b.misses.met(b, alive)
	b.meeting.meets(true)
	latest := slices.Max(b.Time[:b.st.Warps])
	b.Brief, b.Todo = latest+engine.BriefRounds, 0
	b.brief = b.Brief
	b.Fresh = 0
	if told := released &^ b.untold; told != 0 {
		b.policy.Release(told)
	}
	if passed := released & b.untold; passed != 0 {
		b.passed(passed)
	}
	for m := released; m != 0; m &= m - 1 {
		w := lowestWarp(m)
		b.meter.Waited[b.last[w].at] += latest - b.Time[w]
		b.Time[w] = latest
		if b.untold>>w&1 != 0 {
			b.ready |= 1 << w // its place is up to date
		} else if !b.mixes {
			b.put(w)
		}
	}
	b.untold &^= released
	b.tellOpened()
}

// tellOpened tells those who look for mistakes that a barrier opened.
func (d *diagnosing) tellOpened() {
	if d.inStep != nil {
		d.inStep.Opened()
	}
	if d.watcher != nil {
		d.watcher.Opened()
	}
}

// deadlock returns the fault of a block in which all live warps wait at barriers that cannot open.
// The fault lists the waiting lanes of each barrier.
func (b *block) deadlock(alive branch.WarpSet) *machine.Fault {
	b.tellArrivals()
	b.tellEnds()
	b.meeting.meets(false)
	at := map[uint32][]string{} // by the pc at which the lanes go on
	first := lowestWarp(alive)
	for w := range b.st.Warps {
		if alive>>w&1 == 0 {
			continue
		}
		lanes := map[uint32]lane.Mask{}
		for _, p := range b.policy.Places(w, nil) {
			lanes[p.PC] |= p.Lanes
		}
		for pc, m := range lanes {
			at[pc] = append(at[pc], lanesOf(w, m))
		}
	}
	var where []string
	for _, pc := range slices.Sorted(maps.Keys(at)) {
		where = append(where, b.barrierBefore(pc)+": "+strings.Join(at[pc], ", "))
	}
	var time uint64
	for m := alive; m != 0; m &= m - 1 { // all live warps wait
		time = max(time, b.last[lowestWarp(m)].time)
	}
	return b.st.FaultAt(&b.code[b.last[first].at], time, machine.FaultBarrier, first,
		b.policy.Live(first), "no barrier can open; "+strings.Join(where, "; "))
}

// lanesOf names lanes of a warp.
func lanesOf(w int, m lane.Mask) string { return fmt.Sprintf("warp %d lanes %08x", w, uint32(m)) }

// barrierBefore describes the barrier of lanes that go on at pc.
func (b *block) barrierBefore(pc uint32) string {
	if i, ok := b.p.Index(pc); ok && i > 0 && b.code[i-1].Event == branch.Arrive {
		u := &b.code[i-1]
		return fmt.Sprintf("at barrier %d, pc 0x%x", u.Ins.Barrier.ID, u.PC)
	}
	return fmt.Sprintf("on the way to pc 0x%x", pc) // the warp arrived without these lanes
}
