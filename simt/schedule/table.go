package schedule

import (
	"iter"
	"math"
	"math/bits"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
)

// table says where the warps of a convoy stand that are not in its front.
type table struct {
	ready   branch.WarpSet                // have something to issue; those in the front too
	parked  branch.WarpSet                // stand at what others of their block notice, and wait for their turn
	failed  branch.WarpSet                // did wrong while they ran ahead: parked, too
	stopped branch.WarpSet                // of blocks that faulted: they never have a turn
	at      [lane.MaxWarps]int32          // index of the next instruction
	time    [lane.MaxWarps]uint64         // rounds since the wave began: when that issues
	pc      [lane.MaxWarps]uint32         // its address, if there is no such instruction
	fault   [lane.MaxWarps]*machine.Fault // what a failed warp did
}

func (t *table) reset() {
	*t = table{}
}

// stand puts warps, which are in no front, where the policy has them.
func (c *convoy) stand(warps branch.WarpSet) {
	t := &c.table
	t.ready = t.ready&^warps | c.next.Ready&warps
	for m := c.next.Ready & warps; m != 0; m &= m - 1 {
		w := lowestWarp(m)
		at, _ := c.p.Index(c.next.PC[w])
		t.at[w], t.pc[w] = int32(at), c.next.PC[w]
	}
}

// pick makes a front of warps that have not reached time until. Warps that are not parked come
// first, those most deeply nested, at the least place. Else the front is of parked warps that have
// their turn. So warps that parted meet again where their ways do. pick reports false if there is
// no such warp.
func (c *convoy) pick(until uint64) bool {
	if c.mixes {
		return c.pickIssue()
	}
	t := &c.table
	open := t.ready &^ t.parked
	at, ok := c.innermost(open, until)
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
	turn := !ok
	c.gather(at, open, until)
	c.front.turn = turn
	return true
}

// innermost returns where those of the open warps stand that have not reached time until and are
// deepest nested, the least place of several. It reports false if there are none. Warps are at many
// places when this matters, so none is a branch here.
func (c *convoy) innermost(open branch.WarpSet, until uint64) (at int32, ok bool) {
	t, next := &c.table, c.next
	least := uint64(math.MaxUint64)
	for w := range lane.MaxWarps {
		here := uint64(uint32(^next.Nested[w]))<<32 | uint64(uint32(t.at[w]))
		early := uint64(int64(t.time[w]-until)>>63) & -uint64(open>>w&1)
		least = min(least, here|^early)
	}
	return int32(uint32(least)), least != math.MaxUint64
}

// around returns which warps stand at index at, and the first index ahead where ready ones stand.
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

// gather makes a front of those of the open warps that stand at an index and have not reached time
// until.
func (c *convoy) gather(at int32, open branch.WarpSet, until uint64) {
	t, f, next := &c.table, &c.front, c.next
	here, meet := t.around(at)
	here &= open
	for t.time[lowestWarp(here)] >= until {
		here &= here - 1
	}
	first := lowestWarp(here)
	pc, time := t.pc[first], t.time[first]
	f.begin(at, pc)
	empty := next.Mask[first] == 0
	wild := int(at) == len(c.code)-1
	free, even := true, true
	latest := time
	stop, plain := next.Stop[first], next.Skippable[first]
	var set, touched, last branch.WarpSet
	began := time // of the first warp of a block
	for ; here != 0; here &= here - 1 {
		w := lowestWarp(here) % lane.MaxWarps
		mask, when := next.Mask[w], t.time[w]
		if when >= until || (mask == 0) != empty || wild && t.pc[w] != pc {
			continue
		}
		if own := c.own[w]; own != last {
			touched, last, began = touched|own, own, when
		}
		free = free && when == began
		even = even && when == time
		latest = max(latest, when)
		stop = min(stop, next.Stop[w])
		plain &= next.Skippable[w]
		set |= 1 << w
		f.Add(w, mask)
	}
	f.free, f.even = free && t.ready&touched == set && t.stopped&touched == 0, even
	f.meet, f.latest, f.Stop, f.Skippable, f.set = meet, latest, stop, plain, set
	t.parked &^= set
	c.findStop()
}

// pickIssue makes a front of the one issue that a policy hands out that mixes warps.
func (c *convoy) pickIssue() bool {
	f := &c.front
	c.table.ready = 0
	if c.blocks[0].done { // it faulted, of which the policy knows nothing
		return false
	}
	if c.policy.Cohorts(c.policy.Alive(), c.formed[:]) == 0 {
		return false
	}
	f.begin(0, 0)
	f.Cohort = c.formed[0]
	f.set, f.free = f.Warps(), true
	f.latest = c.table.time[0] // the block has one
	c.table.ready = f.set
	c.place()
	return true
}

// turns returns the parked warps that have their turn before time until: in each block, the warps
// with the least time that stand at one place, up to the first warp of that time elsewhere. A
// failed warp that has its turn stops its block.
func (c *convoy) turns(until uint64) (open branch.WarpSet) {
	t := &c.table
	for _, b := range c.blocks {
		warps := t.ready & b.set
		first, time := -1, until
		for m := warps; m != 0; m &= m - 1 {
			if w := bits.TrailingZeros16(uint16(m)); t.time[w] < time {
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
			w := bits.TrailingZeros16(uint16(m))
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

// standing is where lanes of a warp stand.
type standing struct {
	at   int32 // index of the next instruction
	time uint64
	mask lane.Mask
}

// standing yields the warps that have something to issue, in ascending order, with where they are.
func (c *convoy) standing() iter.Seq2[int, standing] {
	return func(yield func(int, standing) bool) {
		f, k := &c.front, 0
		for m := c.table.ready; m != 0; m &= m - 1 {
			w := lowestWarp(m)
			s := standing{c.table.at[w], c.table.time[w], 0}
			if f.set>>w&1 != 0 {
				s = standing{f.at, s.time + f.steps, f.Mask[k]}
				k++
			} else if c.next != nil {
				s.mask = c.next.Mask[w]
			}
			if !yield(w, s) {
				return
			}
		}
	}
}

// scatter puts the warps of the front back into the table.
func (c *convoy) scatter() {
	c.flush()
	t, f := &c.table, &c.front
	for _, w := range f.Warp[:f.N] {
		t.at[w], t.pc[w] = f.at, f.PC
		t.time[w] += f.steps
	}
	f.N, f.set = 0, 0
}

// park puts the warps of the front back into the table, to wait for their turn. Warps of a stopped
// block have no turn: they wait before visible instructions alone.
func (c *convoy) park() {
	warps := c.front.set
	if !c.code[c.front.at].Visible {
		warps &^= c.table.stopped
	}
	c.table.parked |= warps
	c.scatter()
}
