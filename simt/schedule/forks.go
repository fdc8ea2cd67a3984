package schedule

import (
	"math"

	"jacquard/simt/branch"
	"jacquard/simt/count"
	"jacquard/simt/lane"
	"jacquard/simt/program"
)

// runFork takes the front through the fork that begins at u. It reports false if the front has to
// go step by step, because others stand on its way, or time or room is short; then nothing has
// happened.
func (c *convoy) runFork(u *program.Op, until uint64) bool {
	f, k := &c.front, u.Fork
	switch {
	case c.forks == nil || !c.g.scheme.forks[u.At] || f.stop <= max(k.Meet, u.To) && f.stop >= u.At || uint64(k.Most) > until-f.latest-f.steps:
		return false
	case !c.forks.Room(&f.Cohort):
		return false
	case k.Meet == 0:
		return c.toBreak(u)
	case f.meet <= k.Meet:
		return false
	}
	c.runLocal(&f.Sel, u.At+1, k.At)
	var parted branch.WarpSet
	switch taken, left := c.choose(&c.code[k.At]); {
	case left == 0:
		c.allTake(k)
	case taken == 0:
		c.noneTakes(k)
	default:
		parted = c.someTake(k)
	}
	c.forks.Met(&f.Cohort, parted, k.Ways())
	if c.code[k.Meet].Acts {
		c.runLocal(&f.Sel, k.Meet, k.Meet+1)
	}
	f.steps += uint64(k.At - u.At + 2)
	f.at = k.Meet + 1
	return true
}

// runLocal executes code that touches registers only.
func (c *convoy) runLocal(s *lane.Sel, from, to int32) { c.engine.Run(s, int(from), int(to)) }

// choose finds out which lanes take the branch u, and makes the sides of them and of the others. It
// returns the columns of both.
func (c *convoy) choose(u *program.Op) (taken, left lane.Mask) {
	f, went, stayed := &c.front, &c.sides[0], &c.sides[1]
	lane.Conditions(&c.ev.Lanes, c.st.Flags[u.Guard.Reg], uint8(u.Guard.Cond), &f.Sel)
	went.N, stayed.N = 0, 0
	for k, m := range f.Mask[:f.N] {
		t := m & c.ev.Lanes[k]
		r := m &^ t
		c.ev.Lanes[k] = t
		taken, left = taken|t, left|r
		i, j := went.N%lane.MaxWarps, stayed.N%lane.MaxWarps
		went.Warp[i], went.Mask[i] = f.Warp[k], t
		stayed.Warp[j], stayed.Mask[j] = f.Warp[k], r
		if t != 0 {
			went.N++
		}
		if r != 0 {
			stayed.N++
		}
	}
	return taken, left
}

// allTake goes on where all lanes take the branch of the fork.
func (c *convoy) allTake(k *program.Fork) {
	f := &c.front
	c.meter.Uniform(k.At, &f.Sel, true)
	c.meter.Issue(int(f.from), int(k.At)+1, &f.Sel)
	c.noteRun(k.At + 1)
	c.runLocal(&f.Sel, k.Other, k.Meet)
	f.steps += uint64(k.Meet - k.Other)
	f.from = k.Other
}

// noneTakes goes on where no lane takes the branch of the fork.
func (c *convoy) noneTakes(k *program.Fork) {
	f := &c.front
	c.meter.Uniform(k.At, &f.Sel, false)
	c.noteUntaken(k.At)
	c.runLocal(&f.Sel, k.At+1, k.End())
	if k.End() < k.Other {
		c.meter.Uniform(k.End(), &f.Sel, true)
		c.meter.Issue(int(f.from), int(k.Other), &f.Sel)
		c.noteRun(k.Other)
		f.from = k.Meet
	}
	f.steps += uint64(k.Other - k.At - 1)
}

// someTake goes on where some lanes of the front take the branch of the fork and some do not. A
// warp whose lanes part issues for one side after the other, in the policy's order. It returns
// these warps.
func (c *convoy) someTake(k *program.Fork) (parted branch.WarpSet) {
	f := &c.front
	went, stayed := &c.sides[0], &c.sides[1]
	from := f.from
	c.meter.Issue(int(from), int(k.At)+1, &f.Sel)
	f.from = k.Meet
	last := c.forks.Order() == branch.TakenLast
	if last {
		c.runLocal(stayed, k.At+1, k.End())
	}
	if k.Other < k.Meet {
		c.runLocal(went, k.Other, k.Meet)
		c.meter.Tally(int(k.Other), int(k.Meet), went)
	}
	if !last {
		c.runLocal(stayed, k.At+1, k.End())
	}
	c.meter.Tally(int(k.At)+1, int(k.Other), stayed)
	if k.End() < k.Other {
		c.meter.Each[k.End()].Branch.All(stayed)
	}
	c.noteSides(from, k)
	return c.countParted(k)
}

// countParted counts what the branch of a fork and the waiting at its join come to, and lets the
// time of each warp of the front pass that another way would not have taken. It returns the warps
// whose lanes parted.
func (c *convoy) countParted(k *program.Fork) (parted branch.WarpSet) {
	f, t, o := &c.front, &c.table, &c.meter.Each[k.At].Branch
	vetoes := c.forks.Order() == branch.TakenVetoed
	swaps := uint64(0)
	if vetoes || k.Ways() == 2 {
		swaps = 1
	}
	least, most := uint64(math.MaxUint64), uint64(0)
	f.latest = 0
	for i, m := range f.Mask[:f.N] {
		w, went := f.Warp[i], c.ev.Lanes[i]
		n := bitCount(went)
		o.Threads += uint64(n)
		var time uint64
		switch went {
		case 0:
			o.NotTaken++
			time = uint64(k.Other - k.At - 1)
		case m:
			o.Taken++
			time = uint64(k.Meet - k.Other)
		default:
			o.Divergent++
			time = uint64(k.Meet - k.At - 1)
			parted |= 1 << w
			c.meter.PartAndMeet(w, swaps)
			if !vetoes {
				break
			}
			time++
			c.meter.Veto(int(k.Meet), went)
		}
		t.time[w] += time
		least, most, f.latest = min(least, time), max(most, time), max(f.latest, t.time[w])
	}
	if least != most {
		f.even, f.free = false, false
	}
	return parted
}

// toBreak takes the front past the branch to a break u, unless all lanes of a warp take it.
func (c *convoy) toBreak(u *program.Op) bool {
	f, went := &c.front, &c.sides[0]
	taken, _ := c.choose(u)
	switch {
	case taken == 0:
		c.meter.Uniform(u.At, &f.Sel, false)
		c.noteUntaken(u.At)
		f.at++
		f.steps++
		return true
	case c.sides[1].N < f.N:
		return false
	}
	c.meter.Issue(int(f.from), int(u.At)+1, &f.Sel)
	c.noteParting(u.At)
	c.noteBreaks(u.To)
	c.meter.Tally(int(u.To), int(u.To)+1, went)
	o := &c.meter.Each[u.At].Branch
	o.NotTaken += uint64(f.N - went.N)
	o.Divergent += uint64(went.N)
	o.Threads += uint64(count.LanesOf(went))
	c.meter.Each[u.To].Branch.All(went)
	for i, m := range f.Mask[:f.N] {
		w, some := f.Warp[i], c.ev.Lanes[i]
		if some == 0 {
			continue
		}
		f.Mask[i] = m &^ some
		c.meter.PartFrom(w, some, m&^some)
		c.table.time[w]++ // the break
		f.latest = max(f.latest, c.table.time[w])
	}
	c.forks.Left(&f.Cohort, &c.ev.Lanes, u.Next)
	if went.N < f.N {
		f.even, f.free = false, false
	}
	f.Full, f.divided = false, false
	f.steps++
	f.at++
	f.from, f.PC = f.at, c.code[f.at].PC
	return true
}
