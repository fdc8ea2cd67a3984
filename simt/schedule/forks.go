package schedule

import (
	"math"

	"jacquard/simt/branch"
	"jacquard/simt/count"
	"jacquard/simt/lane"
	"jacquard/simt/program"
)

// runFork takes the front through the fork that begins at u. It reports false if the front must go
// step by step, because other warps are in the fork's code, or time or room is short; then nothing
// has happened.
func (x *issuer) runFork(u *program.Op, until uint64) bool {
	f, k := &x.front, u.Fork
	switch {
	case x.forks == nil || !x.known[u.At] || f.stop <= max(k.Meet, u.To) && f.stop >= u.At ||
		uint64(k.Most) > until-f.latest-f.steps:
		return false
	case !x.forks.Room(&f.Cohort):
		return false
	case k.Meet == 0:
		return x.toBreak(u)
	case f.meet <= k.Meet:
		return false
	}
	x.runLocal(&f.Sel, u.At+1, k.At)
	var parted branch.WarpSet
	switch taken, left := x.choose(&x.code[k.At]); {
	case left == 0:
		x.allTake(k)
	case taken == 0:
		x.noneTakes(k)
	default:
		parted = x.someTake(k)
	}
	x.forks.Met(&f.Cohort, parted, k.Ways())
	if x.code[k.Meet].Acts {
		x.runLocal(&f.Sel, k.Meet, k.Meet+1)
	}
	f.steps += uint64(k.At - u.At + 2)
	f.at = k.Meet + 1
	return true
}

// choose finds the lanes that take branch u, and makes the sides of them and of the others. It
// returns the columns of both.
func (x *issuer) choose(u *program.Op) (taken, left lane.Mask) {
	f, went, stayed := &x.front, &x.sides[0], &x.sides[1]
	lane.Conditions(&x.ev.Lanes, x.st.Flags[u.Guard.Reg], uint8(u.Guard.Cond), &f.Sel)
	went.N, stayed.N = 0, 0
	for k, m := range f.Mask[:f.N] {
		t := m & x.ev.Lanes[k]
		r := m &^ t
		x.ev.Lanes[k] = t
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
func (x *issuer) allTake(k *program.Fork) {
	f := &x.front
	x.meter.Uniform(k.At, &f.Sel, true)
	x.issued(k.At+1, &f.Mask)
	x.runLocal(&f.Sel, k.Other, k.Meet)
	f.steps += uint64(k.Meet - k.Other)
	f.from = k.Other
}

// noneTakes goes on where no lane takes the branch of the fork.
func (x *issuer) noneTakes(k *program.Fork) {
	f := &x.front
	x.meter.Uniform(k.At, &f.Sel, false)
	x.noteUntaken(k.At)
	x.runLocal(&f.Sel, k.At+1, k.End())
	if k.End() < k.Other {
		x.meter.Uniform(k.End(), &f.Sel, true)
		x.issued(k.Other, &f.Mask)
		f.from = k.Meet
	}
	f.steps += uint64(k.Other - k.At - 1)
}

// someTake goes on where some lanes of the front take the branch of the fork and some do not. A
// divergent warp issues for one side after the other, in the policy's order. It returns these
// warps.
func (x *issuer) someTake(k *program.Fork) (parted branch.WarpSet) {
	f := &x.front
	went, stayed := &x.sides[0], &x.sides[1]
	from := f.from
	x.meter.Issue(from, k.At+1, &f.Sel)
	f.from = k.Meet
	last := x.forks.Order() == branch.TakenLast
	if last {
		x.runLocal(stayed, k.At+1, k.End())
	}
	if k.Other < k.Meet {
		x.runLocal(went, k.Other, k.Meet)
		x.meter.Tally(k.Other, k.Meet, went)
	}
	if !last {
		x.runLocal(stayed, k.At+1, k.End())
	}
	x.meter.Tally(k.At+1, k.Other, stayed)
	if k.End() < k.Other {
		x.meter.Each[k.End()].Branch.All(stayed)
	}
	if x.recorded != 0 {
		x.noteSides(f, from, k, &x.ev.Lanes, x.forks.Order())
	}
	return x.countParted(k)
}

// countParted counts the outcomes of the branch of a fork and the vetoes at its join, and adds to
// the time of each warp of the front the steps that only its own lanes took. It returns the
// divergent warps.
func (x *issuer) countParted(k *program.Fork) (parted branch.WarpSet) {
	f, t, o := &x.front, &x.table, &x.meter.Each[k.At].Branch
	vetoes := x.forks.Order() == branch.TakenVetoed
	swaps := uint64(0)
	if vetoes || k.Ways() == 2 {
		swaps = 1
	}
	least, most := uint64(math.MaxUint64), uint64(0)
	f.latest = 0
	for i, m := range f.Mask[:f.N] {
		w, went := f.Warp[i], x.ev.Lanes[i]
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
			x.meter.PartAndMeet(w, swaps)
			if !vetoes {
				break
			}
			time++
			x.meter.Veto(k.Meet, went)
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
func (x *issuer) toBreak(u *program.Op) bool {
	f, went := &x.front, &x.sides[0]
	taken, _ := x.choose(u)
	switch {
	case taken == 0:
		x.meter.Uniform(u.At, &f.Sel, false)
		x.noteUntaken(u.At)
		f.at++
		f.steps++
		return true
	case x.sides[1].N < f.N:
		return false
	}
	x.issued(u.At+1, &x.ev.Lanes)
	if x.recorded != 0 {
		x.note(u.To, u.To+1, f.steps+1, went, &went.Mask, false)
	}
	x.meter.Tally(u.To, u.To+1, went)
	o := &x.meter.Each[u.At].Branch
	o.NotTaken += uint64(f.N - went.N)
	o.Divergent += uint64(went.N)
	o.Threads += uint64(count.LanesOf(went))
	x.meter.Each[u.To].Branch.All(went)
	for i, m := range f.Mask[:f.N] {
		w, some := f.Warp[i], x.ev.Lanes[i]
		if some == 0 {
			continue
		}
		f.Mask[i] = m &^ some
		x.meter.PartFrom(w, some, m&^some)
		x.table.time[w]++ // the break
		f.latest = max(f.latest, x.table.time[w])
	}
	x.forks.Left(&f.Cohort, &x.ev.Lanes, u.Next)
	if went.N < f.N {
		f.even, f.free = false, false
	}
	f.Full, f.divided = false, false
	f.steps++
	f.at++
	f.from, f.PC = f.at, x.code[f.at].PC
	return true
}
