package simt

import (
	"iter"
	"math"
	"math/bits"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// table says where the warps of a convoy stand that are not in its front.
type table struct {
	ready  branch.WarpSet // have something to issue; those in the front too
	parked branch.WarpSet // stand at what others of their block notice, and wait for their turn
	failed branch.WarpSet // did wrong while they ran ahead: parked, too
	stands [lane.MaxWarps]stand
}

// stand is where a warp stands. Its time is the number of rounds since the wave began, when
// its next instruction issues.
type stand struct {
	time  uint64
	at    int32  // index of the next instruction
	pc    uint32 // its address, if there is none
	fault *Fault // what a failed warp did
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
		at, _ := c.p.index(c.next.PC[w])
		t.stands[w].at, t.stands[w].pc = int32(at), c.next.PC[w]
	}
}

// pick makes a front of warps that have not reached time until: of those that need not wait
// for others, else of those whose turn it is, the ones at the least place. So warps that parted meet
// again where their ways do. It reports false if there are none.
func (c *convoy) pick(until uint64) bool {
	if c.mixes {
		return c.pickIssue()
	}
	t := &c.table
	least, first := int32(math.MaxInt32), -1
	deepest := int32(-1)
	open := t.ready &^ t.parked
	for m := open; m != 0; m &= m - 1 {
		w := bits.TrailingZeros16(uint16(m))
		switch s := &t.stands[w]; {
		case s.time >= until:
			open &^= 1 << w
		case c.next.Nested[w] > deepest || c.next.Nested[w] == deepest && s.at < least:
			least, first, deepest = s.at, w, c.next.Nested[w]
		}
	}
	turn := open == 0
	if turn {
		open = c.turns(until)
		for m := open; m != 0; m &= m - 1 {
			if w := bits.TrailingZeros16(uint16(m)); t.stands[w].at < least {
				least, first = t.stands[w].at, w
			}
		}
	}
	if first < 0 {
		return false
	}
	c.gather(first, open)
	c.front.turn = turn
	return true
}

// gather makes a front of those of the open warps that stand where the given one does.
func (c *convoy) gather(first int, open branch.WarpSet) {
	t, f, s := &c.table, &c.front, &c.table.stands[first]
	next := c.next
	f.begin(s)
	f.Plain = next.Plain[first]
	f.free = true
	empty := next.Mask[first] == 0
	var touched, last branch.WarpSet
	var time uint64
	for m := t.ready; m != 0; m &= m - 1 {
		w := bits.TrailingZeros16(uint16(m))
		x := &t.stands[w]
		if x.at != s.at {
			if x.at > s.at {
				f.meet = min(f.meet, x.at)
			}
			continue
		}
		if open>>w&1 == 0 || (next.Mask[w] == 0) != empty || x.pc != s.pc && int(x.at) == len(c.code)-1 {
			continue
		}
		if own := c.own[w]; own != last {
			touched, last, time = touched|own, own, x.time
		} else if x.time != time {
			f.free = false
		}
		f.set |= 1 << w
		f.Add(w, next.Mask[w])
		f.Stop = min(f.Stop, next.Stop[w])
		f.Plain &= next.Plain[w]
		f.even = f.even && x.time == s.time
		f.latest = max(f.latest, x.time)
	}
	f.free = f.free && t.ready&touched == f.set
	t.parked &^= f.set
	c.aim()
}

// pickIssue makes a front of the one issue that a policy hands out that mixes warps.
func (c *convoy) pickIssue() bool {
	f := &c.front
	c.table.ready = 0
	if c.policy.Cohorts(c.policy.Alive(), c.formed[:]) == 0 {
		return false
	}
	f.begin(&c.table.stands[0])
	f.Cohort = c.formed[0]
	f.set, f.free = f.Warps(), true
	f.latest = c.table.stands[0].time // the block has one
	c.table.ready = f.set
	c.place()
	return true
}

// turns returns the parked warps whose turn it is before time until: of each block those with the
// least time, if they are at one place and no warp between them is elsewhere. A block whose
// turn has come to fail does so.
func (c *convoy) turns(until uint64) (open branch.WarpSet) {
	t := &c.table
	for _, b := range c.blocks {
		warps := t.ready & b.set
		first, time := -1, until
		for m := warps; m != 0; m &= m - 1 {
			if w := bits.TrailingZeros16(uint16(m)); t.stands[w].time < time {
				first, time = w, t.stands[w].time
			}
		}
		if first < 0 {
			continue
		}
		s := &t.stands[first]
		if t.failed>>first&1 != 0 {
			b.fault = s.fault
			c.drop(b)
			continue
		}
		for m := warps; m != 0; m &= m - 1 {
			w := bits.TrailingZeros16(uint16(m))
			x := &t.stands[w]
			if x.time != time {
				continue
			}
			if x.at != s.at || (c.next.Mask[w] == 0) != (c.next.Mask[first] == 0) || t.failed>>w&1 != 0 {
				break
			}
			open |= 1 << w
		}
	}
	return open
}

// standing is a stand with the lanes there.
type standing struct {
	stand
	mask lane.Mask
}

// standing yields the warps that have something to issue, in ascending order, with where they are.
func (c *convoy) standing() iter.Seq2[int, standing] {
	return func(yield func(int, standing) bool) {
		f, k := &c.front, 0
		for m := c.table.ready; m != 0; m &= m - 1 {
			w := lowestWarp(m)
			s := c.table.stands[w]
			var mask lane.Mask
			if f.set>>w&1 != 0 {
				s.at, mask = f.at, f.Mask[k]
				s.time += f.steps
				k++
			} else {
				mask = c.next.Mask[w]
			}
			if !yield(w, standing{s, mask}) {
				return
			}
		}
	}
}

// scatter puts the warps of the front back into the table.
func (c *convoy) scatter() {
	c.settle()
	t, f := &c.table, &c.front
	for _, w := range f.Warp[:f.N] {
		s := &t.stands[w]
		s.at, s.pc = f.at, f.PC
		s.time += f.steps
	}
	f.N, f.set = 0, 0
}

// park puts the warps of the front back to wait for their turn.
func (c *convoy) park() {
	c.table.parked |= c.front.set
	c.scatter()
}
