package simt

import (
	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// front is a cohort on its way through the code. The fronts of a block are kept in order
// of their lowest warp.
//
// Each front has its own time. It runs ahead of the others through instructions that no
// other warp can notice (those that touch registers only, and branches), and parks before
// one that others can: a memory access, a barrier, an end. The parked front with the least
// time goes first, the lowest warp among equals. So everything that can be noticed happens
// in the reference order, and warps are switched as rarely as possible.
//
// A policy that mixes warps hands out one cohort at a time: then there is one front, and its
// time is the block's.
type front struct {
	branch.Cohort
	at     int32  // index of the next instruction
	from   int32  // where the straight run not yet counted began
	time   uint64 // rounds since the wave began: when the next instruction issues
	parked bool   // its turn must come before it goes on
	fault  *Fault // what it did wrong while running ahead, reported when its turn comes
}

// run issues instructions until every front has reached time until, or the block ends or
// faults.
func (b *Block) run(until uint64) {
	for !b.done {
		k := b.next()
		if k < 0 {
			b.finish()
			return
		}
		f := &b.fronts[k]
		switch {
		case f.parked && f.time >= until:
			return
		case f.fault != nil:
			b.fault = f.fault
		default:
			b.advance(k, until)
		}
		b.done = b.fault != nil
	}
}

// next returns the front to move: one that need not wait for others, else the parked one
// whose turn it is, together with neighbours at the same place and time. It returns -1 if
// there is no front.
func (b *Block) next() int {
	least := -1
	for k := range b.n {
		f := &b.fronts[k]
		if !f.parked {
			return k
		}
		if least < 0 || f.time < b.fronts[least].time {
			least = k
		}
	}
	if least >= 0 {
		b.gather(least)
	}
	return least
}

// gather joins to front k the fronts behind it that stand at the same place and time.
// Only neighbours: one that jumped over a warp elsewhere would let a higher warp go first.
func (b *Block) gather(k int) {
	f := &b.fronts[k]
	for k+1 < b.n {
		g := &b.fronts[k+1]
		if g.at != f.at || g.time != f.time || f.fault != nil || g.fault != nil || g.Empty() != f.Empty() {
			return
		}
		b.settle(f)
		b.settle(g)
		if g.PC != f.PC { // both outside the code, in different places
			return
		}
		for i := range g.N {
			f.Add(int(g.Warp[i]), g.Mask[i])
		}
		f.Stop = min(f.Stop, g.Stop)
		b.remove(k + 1)
	}
}

// advance moves front k: if it is its turn, through one instruction others can notice, and
// then on until the next of these, or time until, or a control instruction that splits or
// ends it. The only front of a block has nobody to wait for.
func (b *Block) advance(k int, until uint64) {
	f := &b.fronts[k]
	alone := b.n == 1 && !b.apart
	turn := f.parked || alone
	f.parked = false
	for f.time < until {
		u := &b.code[f.at]
		if u.control {
			if (u.noticed || b.apart) && !turn {
				break
			}
			turn = alone
			if b.stopped() {
				b.stop(f)
				return
			}
			if !b.control(k) {
				return
			}
			continue
		}
		n := u.quiet
		switch {
		case alone:
			n = u.end - f.at
		case n == 0 || b.apart:
			if n = 1; !turn {
				f.parked = true
				return
			}
		}
		turn = alone
		if f.Stop != branch.NoStop {
			if stop, ok := b.p.index(f.Stop); ok && stop > int(f.at) {
				n = min(n, int32(stop)-f.at)
			}
		}
		n = int32(min(uint64(n), until-f.time))
		b.origin = f.time - uint64(f.at)
		if b.watched != nil {
			b.watched.begin(b, u, f.time, &f.Sel, &f.Sel)
		}
		reached := int(f.at + n)
		if !f.Empty() {
			reached = b.issue(&f.Sel, int(f.at), reached)
		}
		if b.fault != nil {
			b.count(int(f.from), reached, &f.Sel)
			return
		}
		if b.watched != nil {
			b.watched.Issue(&b.watched.issue)
		}
		f.at += n
		f.time += uint64(n)
		if b.code[f.at].pc == f.Stop {
			b.settle(f)
			b.policy.Advance(&f.Cohort, f.PC)
			b.regroup(k)
			return
		}
	}
	f.parked = true
}

// settle counts a front's straight run and brings its pc up to date.
func (b *Block) settle(f *front) {
	if f.from != f.at {
		b.count(int(f.from), int(f.at), &f.Sel)
		b.noteRun(f, f.at)
		f.PC = b.code[f.at].pc
		f.from = f.at
	}
}

// regroup replaces front k by the cohorts that the policy makes of its warps now.
func (b *Block) regroup(k int) {
	warps, time := b.fronts[k].Warps(), b.fronts[k].time
	b.remove(k)
	b.form(warps, time)
}

// form makes fronts of those of the given warps that are ready.
func (b *Block) form(warps branch.WarpSet, time uint64) {
	n := b.policy.Cohorts(warps, b.formed[:])
	for i := range n {
		b.insert(&b.formed[i], time)
	}
}

// insert adds a front for c. A front with warps on both sides of it is cut in two.
func (b *Block) insert(c *branch.Cohort, time uint64) {
	k := 0
	for k < b.n && b.fronts[k].Warp[0] < c.Warp[0] {
		k++
	}
	if k > 0 {
		if f := &b.fronts[k-1]; f.Warp[f.N-1] > c.Warp[0] {
			b.settle(f)
			tail := *f
			f.Keep(0, int(c.Warp[0]))
			tail.Keep(int(c.Warp[0]), lane.MaxWarps)
			b.makeRoom(k)
			b.fronts[k] = tail
		}
	}
	b.makeRoom(k)
	b.fronts[k] = front{Cohort: *c, time: time}
	b.place(&b.fronts[k])
}

func (b *Block) makeRoom(k int) {
	copy(b.fronts[k+1:b.n+1], b.fronts[k:b.n])
	b.n++
}

func (b *Block) remove(k int) {
	copy(b.fronts[k:b.n-1], b.fronts[k+1:b.n])
	b.n--
}

// finish ends a block none of whose warps is ready: it is done, or stuck.
func (b *Block) finish() {
	b.done = true
	b.depth = max(b.depth, b.policy.Depth())
	if alive := b.policy.Alive(); alive != 0 {
		b.deadlock(alive)
	}
}

// issue executes the straight code [from, to) for the lanes of s. It returns to, or the
// index after the instruction that faulted.
func (b *Block) issue(s *lane.Sel, from, to int) int {
	if b.keeps != nil {
		return b.issueKept(s, from, to)
	}
	for i := from; i < to; i++ {
		u := &b.code[i]
		lanes := s
		if u.guarded {
			if lanes = b.guard(u, i, s); lanes == nil {
				continue
			}
		}
		if !u.exec(b, u, lanes) {
			b.locate(u, b.origin+uint64(i))
			return i + 1
		}
	}
	return to
}

// guard returns the lanes of s for which u's guard holds, nil if there are none.
func (b *Block) guard(u *uop, i int, s *lane.Sel) *lane.Sel {
	g := &b.guarded
	g.N, g.Full = 0, true
	off := 0
	for k := range s.N {
		w := s.Warp[k]
		m := s.Mask[k] & lane.Condition(&b.flags[u.guard.Reg][w], uint8(u.guard.Cond))
		off += bitCount(s.Mask[k] &^ m)
		if m != 0 {
			g.Add(int(w), m)
		}
	}
	b.each[i].off += uint64(off)
	if off != 0 && (b.journal != nil || b.recorded) {
		b.noteGuard(i, s, g)
	}
	if g.N == 0 {
		return nil
	}
	return g
}
