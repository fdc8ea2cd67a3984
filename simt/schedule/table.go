package schedule

import (
	"iter"
	"math"
	"math/bits"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
)

// table has the positions of a convoy's warps that are not in its front.
type table struct {
	ready   branch.WarpSet                // have an instruction to issue; also the front's
	parked  branch.WarpSet                // wait for their turn before a visible instruction
	failed  branch.WarpSet                // faulted while they ran ahead: parked, too
	stopped branch.WarpSet                // of blocks that faulted: they never have a turn
	at      [lane.MaxWarps]int32          // index of the next instruction
	time    [lane.MaxWarps]uint64         // round of its issue since the wave began
	pc      [lane.MaxWarps]uint32         // its address, if it is off code
	fault   [lane.MaxWarps]*machine.Fault // of a failed warp
}

func lowestWarp(s branch.WarpSet) int { return bits.TrailingZeros16(uint16(s)) }

// innermost returns the position of the most deeply nested open warps that have not reached time
// until, the least index among several. ok is false if there are none. Warps are at many positions
// when this matters, so the loop has no branch.
func (t *table) innermost(next *branch.Warps, open branch.WarpSet, until uint64) (at int32, ok bool) {
	least := uint64(math.MaxUint64)
	for w := range lane.MaxWarps {
		here := uint64(uint32(^next.Nested[w]))<<32 | uint64(uint32(t.at[w]))
		early := uint64(int64(t.time[w]-until)>>63) & -uint64(open>>w&1)
		least = min(least, here|^early)
	}
	return int32(uint32(least)), least != math.MaxUint64
}

// around returns the warps at an index, and the first index ahead with ready warps.
func (t *table) around(at int32) (here branch.WarpSet, meet int32) {
	ahead := uint32(math.MaxUint32)
	for w := range lane.MaxWarps {
		there := t.at[w]
		here |= branch.WarpSet((uint32(there^at)-1)>>31) << w
		ahead = min(ahead, uint32(there-at-1)|-uint32(^t.ready>>w&1))
	}
	if ahead >= nowhere {
		return here, nowhere
	}
	return here, at + 1 + int32(ahead)
}

// ahead returns the first index ahead of the front with other warps.
func (t *table) ahead(f *front) (meet int32) {
	meet = nowhere
	for m := t.ready &^ f.set; m != 0; m &= m - 1 {
		if at := t.at[lowestWarp(m)]; at > f.at {
			meet = min(meet, at)
		}
	}
	return meet
}

// pick makes a front of warps that have not reached time until. Warps that are not parked come
// first, the most deeply nested at the least index, so that divergent warps meet again where their
// code does. Otherwise the front takes parked warps that have their turn. pick reports false if
// there is no such warp.
func (c *convoy) pick(until uint64) bool {
	if c.mixes {
		return c.pickIssue()
	}
	t := &c.table
	open := t.ready &^ t.parked
	at, ok := t.innermost(c.next, open, until)
	if !ok {
		stopped := t.stopped
		if open = c.turns(until); open == 0 {
			return t.stopped != stopped && c.pick(until)
		}
		at = nowhere
		for m := open; m != 0; m &= m - 1 {
			at = min(at, t.at[lowestWarp(m)])
		}
	}
	c.gather(at, open, until)
	c.front.turn = !ok
	return true
}

// gather makes a front of the open warps at an index that have not reached time until.
func (x *issuer) gather(at int32, open branch.WarpSet, until uint64) {
	t, f, next := &x.table, &x.front, x.next
	here, meet := t.around(at)
	here &= open
	for t.time[lowestWarp(here)] >= until {
		here &= here - 1
	}
	first := lowestWarp(here)
	pc, time := t.pc[first], t.time[first]
	f.begin(at, pc)
	empty := next.Mask[first] == 0
	offCode := int(at) == len(x.code)-1
	free, even := true, true
	latest := time
	stop, skippable := next.Stop[first], next.Skippable[first]
	var set, touched, last branch.WarpSet
	began := time // the time of the first warp of a block
	for ; here != 0; here &= here - 1 {
		w := lowestWarp(here) % lane.MaxWarps
		mask, when := next.Mask[w], t.time[w]
		if when >= until || (mask == 0) != empty || offCode && t.pc[w] != pc {
			continue
		}
		if own := x.own[w]; own != last {
			touched, last, began = touched|own, own, when
		}
		free = free && when == began
		even = even && when == time
		latest = max(latest, when)
		stop = min(stop, next.Stop[w])
		skippable &= next.Skippable[w]
		set |= 1 << w
		f.Add(w, mask)
	}
	f.free, f.even = free && t.ready&touched == set && t.stopped&touched == 0, even
	f.meet, f.latest, f.Stop, f.Skippable, f.set = meet, latest, stop, skippable, set
	t.parked &^= set
	f.findStop(x.p)
}

// pickIssue makes a front of the next issue under a policy that mixes warps.
func (c *convoy) pickIssue() bool {
	f := &c.front
	c.table.ready = 0
	if c.blocks[0].done { // the block faulted; the policy does not know
		return false
	}
	if c.policy.Cohorts(c.policy.Alive(), c.formed[:]) == 0 {
		return false
	}
	f.begin(0, 0)
	f.Cohort = c.formed[0]
	f.set, f.free = f.Warps(), true
	f.latest = c.table.time[0] // the block has one time
	c.table.ready = f.set
	f.locate(c.p)
	return true
}

// turns returns the parked warps that have their turn before time until: in each block, the warps
// with the least time at one index, up to the first warp of that time elsewhere. A failed warp that
// has its turn stops its block.
func (c *convoy) turns(until uint64) (open branch.WarpSet) {
	t := &c.table
	for _, b := range c.blocks {
		warps := t.ready & b.set
		first, time := -1, until
		for m := warps; m != 0; m &= m - 1 {
			if w := lowestWarp(m); t.time[w] < time {
				first, time = w, t.time[w]
			}
		}
		if first < 0 || t.stopped&b.set != 0 {
			continue
		}
		if t.failed>>first&1 != 0 {
			c.stopAt(b, t.fault[first], b.set&c.front.set)
			continue
		}
		for m := warps; m != 0; m &= m - 1 {
			w := lowestWarp(m)
			if t.time[w] != time {
				continue
			}
			if t.at[w] != t.at[first] || (c.next.Mask[w] == 0) != (c.next.Mask[first] == 0) || t.failed>>w&1 != 0 {
				break
			}
			open |= 1 << w
		}
	}
	return open
}

// position is the next issue of a warp: lanes, instruction and time.
type position struct {
	at   int32 // index of the next instruction
	time uint64
	mask lane.Mask
}

// positions yields the ready warps in ascending order.
func (x *issuer) positions() iter.Seq2[int, position] {
	return func(yield func(int, position) bool) {
		f, k := &x.front, 0
		for m := x.table.ready; m != 0; m &= m - 1 {
			w := lowestWarp(m)
			s := position{x.table.at[w], x.table.time[w], 0}
			if f.set>>w&1 != 0 {
				s = position{f.at, s.time + f.steps, f.Mask[k]}
				k++
			} else if x.next != nil {
				s.mask = x.next.Mask[w]
			}
			if !yield(w, s) {
				return
			}
		}
	}
}
