package schedule

import (
	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/program"
	"jacquard/simt/watch"
)

// forkRun is a fork that the front's warp goes through.
type forkRun struct {
	*block
	fork *program.Fork
}

// runFork takes the front's warp through the whole fork that begins at u. It reports false, and
// does nothing, if the warp must go step by step: the policy must be asked on the way, or time or
// room is short.
func (b *block) runFork(u *program.Op) bool {
	f, k := &b.front, u.Fork
	switch {
	case b.forks == nil || !b.known[u.At] || f.Empty() || f.time+uint64(k.Most) > b.End ||
		f.stop >= u.At && f.stop <= max(k.Meet, u.To):
		return false
	case !b.forks.Room(int(f.Warp[0])):
		return false
	case k.Meet == 0:
		return b.toBreak(u)
	}
	b.told = true
	r, m := forkRun{b, k}, f.Mask[0]
	r.run(m, u.At+1, k.At, f.time+1)
	taken, left := b.way(&b.code[k.At], int(f.Warp[0]), m)
	b.meter.Next(f.Warp[0], m)
	r.leg(u.At, k.At+1, m, taken)
	switch {
	case left == 0:
		b.meter.Uniform(k.At, m, true)
		r.takenSide(m)
	case taken == 0:
		b.meter.Uniform(k.At, m, false)
		r.otherSide(m)
	default:
		r.bothSides(taken, left)
	}
	b.forks.Met(int(f.Warp[0]), taken != 0 && left != 0, k.Ways())
	if b.code[k.Meet].Acts {
		r.run(m, k.Meet, k.Meet+1, f.time)
	}
	r.leg(k.Meet, k.Meet+1, m, m)
	b.moveTo(k.Meet + 1)
	return true
}

// bothSides issues both sides of the fork, one after the other, in the policy's order.
func (r forkRun) bothSides(taken, left lane.Mask) {
	b, k := r.block, r.fork
	order, swaps := b.forks.Order(), uint64(k.Ways()-1)
	if order == branch.TakenVetoed {
		swaps = 1
	}
	b.meter.PartAndMeet(b.front.Warp[0], swaps)
	b.meter.Diverged(k.At, taken)
	if order == branch.TakenLast {
		r.otherSide(left)
		r.takenSide(taken)
		return
	}
	r.takenSide(taken)
	if order == branch.TakenVetoed {
		b.meter.Veto(k.Meet, taken)
		r.note(watch.Stretch{From: k.Meet, To: k.Meet + 1, Active: taken, Vetoed: true})
	}
	r.otherSide(left)
}

// takenSide issues the side that the branch of the fork leads to.
func (r forkRun) takenSide(m lane.Mask) {
	r.run(m, r.fork.Other, r.fork.Meet, r.front.time)
	r.leg(r.fork.Other, r.fork.Meet, m, m)
}

// otherSide issues the side after the branch of the fork.
func (r forkRun) otherSide(m lane.Mask) {
	b, k := r.block, r.fork
	r.run(m, k.At+1, k.End(), b.front.time)
	if k.End() < k.Other { // the side ends with a branch to the join
		b.meter.Uniform(k.End(), m, true)
	}
	r.leg(k.At+1, k.Other, m, m)
}

// toBreak takes the front's warp past u, a branch to a break, unless all its lanes take the branch.
func (b *block) toBreak(u *program.Op) bool {
	b.told = true
	r, f, m := forkRun{b, u.Fork}, &b.front, b.front.Mask[0]
	taken, left := b.way(u, int(f.Warp[0]), m)
	if left == 0 {
		return false
	}
	b.meter.Next(f.Warp[0], m)
	r.leg(u.At, u.At+1, m, taken)
	if taken == 0 {
		b.meter.Uniform(u.At, m, false)
		b.moveTo(u.At + 1)
		return true
	}
	r.leg(u.To, u.To+1, taken, taken)
	b.meter.Diverged(u.At, taken)
	b.meter.Uniform(u.To, taken, true)
	b.meter.PartFrom(f.Warp[0], taken, left)
	f.Mask[0], f.Full = left, false
	b.forks.Left(int(f.Warp[0]), taken, u.Next)
	b.moveTo(u.At + 1)
	return true
}

// run executes code of a fork, from a time on, for lanes of the front's warp. The code
// accesses registers only.
func (r forkRun) run(m lane.Mask, from, to int32, time uint64) {
	b := r.block
	if from < to {
		b.st.Clock = time - uint64(from)
		b.engine.Run(b.lanes(int(b.front.Warp[0]), m), int(from), int(to))
	}
}

// leg counts and records one straight side of a fork. The mask executed applies to its last
// instruction.
func (r forkRun) leg(from, to int32, active, executed lane.Mask) {
	if from == to {
		return
	}
	r.meter.TallyWarp(from, to, active)
	r.note(watch.Stretch{From: from, To: to, Active: active, Executed: executed})
}

// note records a stretch of the front's warp and advances its time.
func (r forkRun) note(s watch.Stretch) {
	b := r.block
	f, n := &b.front, uint64(s.To-s.From)
	if b.recorded {
		s.Time = f.time
		b.noteWarp(int(f.Warp[0]), &s)
	}
	f.time += n
}
