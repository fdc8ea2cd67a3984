package schedule

import (
	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// barriers record where warps wait.
type barriers struct {
	waiting [16]branch.WarpSet     // by barrier
	wait    branch.WarpSet         // at any barrier
	last    [lane.MaxWarps]arrival // by warp
}

// arrival is a warp's last arrival at a barrier.
type arrival struct {
	at   int32 // index of the instruction
	id   uint8
	time uint64
}

// hold makes warps wait at the barrier of their last arrival.
func (b *barriers) hold(warps branch.WarpSet) {
	b.wait |= warps
	for ; warps != 0; warps &= warps - 1 {
		w := lowestWarp(warps)
		b.waiting[b.last[w].id] |= 1 << w
	}
}

// open releases the warps of a block, own, if all that are alive wait at one barrier. Ended warps
// are not waited for.
func (b *barriers) open(own, alive branch.WarpSet) (released branch.WarpSet) {
	for id, w := range b.waiting {
		if w &= own; w != 0 && w&alive == alive&own {
			b.waiting[id] &^= own
			released |= w
		}
	}
	b.wait &^= released
	return released
}

// openBarriers releases every barrier at which all live warps of a block wait, for the blocks of
// warps, and counts the rounds in which they did not issue. They go on at the time of the latest
// arrival.
func (c *convoy) openBarriers(warps branch.WarpSet) {
	if c.barriers.wait == 0 {
		return
	}
	alive := c.policy.Alive()
	var released branch.WarpSet
	for ; warps != 0; warps &^= c.own[lowestWarp(warps)] {
		first := lowestWarp(warps)
		time, open := c.table.time[first], c.barriers.open(c.own[first], alive)
		released |= open
		for m := open; m != 0; m &= m - 1 {
			w := lowestWarp(m)
			c.meter.Each[c.barriers.last[w].at].Waited += time - c.table.time[w]
			c.table.time[w] = time
		}
		if open != 0 && c.inStep != nil {
			c.inStep.Opened(c.block(first).ordinal())
		}
	}
	if released != 0 {
		c.policy.Release(released)
		c.put(released)
	}
}
