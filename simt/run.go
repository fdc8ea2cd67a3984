package simt

import (
	"fmt"
	"time"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// Run carries out a launch and returns what it counted. The error is a *LaunchError if
// the device refuses the launch (then the Stats are nil), a *Fault if the kernel
// misbehaved (the Stats then say Incomplete), or a *branch.UnknownPolicyError.
func Run(l *Launch) (*Stats, error) {
	start := time.Now()
	if err := l.Check(); err != nil {
		return nil, err
	}
	g, err := newGrid(l)
	if err != nil {
		return nil, err
	}
	fault := g.run()
	s := g.stats()
	s.Elapsed = time.Since(start)
	if fault != nil {
		s.Incomplete = true
		return s, fault
	}
	return s, nil
}

// run takes the blocks of the grid through in waves, y slowest, then x. A wave must
// finish before the next one starts.
func (g *grid) run() *Fault {
	total := g.l.Grid[0] * g.l.Grid[1]
	for first := 0; first < total; first += len(g.blocks) {
		wave := g.blocks[:min(len(g.blocks), total-first)]
		for i, b := range wave {
			b.start([2]int{(first + i) % g.l.Grid[0], (first + i) / g.l.Grid[0]})
		}
		g.waves++
		if f := g.wave(wave); f != nil {
			return f
		}
	}
	return nil
}

// wave runs resident blocks to their end, a slice of rounds each in turn. The fault it
// returns is the least by (time, block, warp): once one is known, the blocks after it run
// only up to its time, and those before it have already passed it.
func (g *grid) wave(blocks []*Block) *Fault {
	var least *Fault
	for until := g.slice; ; until += g.slice {
		running := false
		for _, b := range blocks {
			limit := until
			if least != nil {
				limit = min(limit, least.Time)
			}
			b.run(limit)
			if b.fault != nil {
				least = b.fault
			}
			running = running || !b.done
		}
		if least != nil || !running {
			return least
		}
	}
}

// run issues instructions until the block's time reaches until, or it ends or faults.
func (b *Block) run(until uint64) {
	for b.time < until && !b.done {
		if b.stale {
			if b.regroup(); b.n == 0 {
				b.finish()
				return
			}
		}
		switch {
		case b.g.stopped():
			b.stop()
		case b.n == 1:
			b.straight(until)
		default:
			b.round(until)
		}
		b.done = b.done || b.fault != nil
	}
}

// straight runs the only ready cohort up to and including its next control instruction.
func (b *Block) straight(until uint64) {
	c := &b.cohorts[0]
	i := int(b.at[0])
	end := min(int(b.code[i].end), i+int(min(until-b.time, 1<<30)))
	if c.Stop != branch.NoStop {
		if stop, ok := b.p.index(c.Stop); ok && stop > i {
			end = min(end, stop)
		}
	}
	b.origin = b.time - uint64(i)
	reached := b.issue(&c.Sel, i, end)
	b.time += uint64(reached - i)
	if b.fault != nil {
		b.count(int(b.from[0]), reached, &c.Sel)
		return
	}
	b.at[0] = int32(end)
	switch {
	case b.code[end].pc == c.Stop:
		b.stale = true
	case b.time < until:
		b.control(0)
		b.time++
	}
}

// round lets every cohort issue one instruction. Where all of them stand before code that
// touches registers only, it takes several rounds at once: no warp can tell in which order
// the others go through it.
func (b *Block) round(until uint64) {
	steps := b.quiet(until)
	for k := range b.n {
		i := int(b.at[k])
		b.origin = b.time - uint64(i)
		if b.code[i].control {
			b.control(k)
			if b.fault != nil {
				return
			}
			continue
		}
		if end := b.issue(&b.cohorts[k].Sel, i, i+steps); b.fault != nil {
			b.count(int(b.from[k]), end, &b.cohorts[k].Sel)
			return
		}
		b.at[k] += int32(steps)
		b.stale = b.stale || b.code[b.at[k]].pc == b.cohorts[k].Stop
	}
	b.time += uint64(steps)
	// Two neighbours can only meet when one of them jumped.
	for k := 1; k < b.n && !b.stale; k++ {
		b.stale = b.at[k-1] == b.at[k]
	}
}

// quiet returns how many rounds all cohorts can go through registers-only code, 1 if
// there is none ahead of one of them.
func (b *Block) quiet(until uint64) int {
	steps := int32(min(until-b.time, 1<<30))
	for k := range b.n {
		steps = min(steps, b.code[b.at[k]].quiet)
		if b.cohorts[k].Stop != branch.NoStop {
			return 1
		}
	}
	return max(1, int(steps))
}

// regroup tells the policy how far straight runs came and asks it for the next cohorts.
func (b *Block) regroup() {
	for k := range b.n {
		if b.at[k] != b.from[k] {
			b.arrive(k)
			b.policy.Advance(&b.cohorts[k], b.cohorts[k].PC)
		}
	}
	b.n = b.policy.Round(b.cohorts[:])
	for k := range b.n {
		b.place(k)
	}
	b.stale = false
}

// arrive ends cohort k's straight run: counts it and brings the cohort's pc up to date.
func (b *Block) arrive(k int) {
	if from, at := b.from[k], b.at[k]; from != at {
		c := &b.cohorts[k]
		b.count(int(from), int(at), &c.Sel)
		c.PC = b.code[at].pc
		b.from[k] = at
	}
}

// place notes where in the code cohort k stands.
func (b *Block) place(k int) {
	i, _ := b.p.index(b.cohorts[k].PC)
	b.at[k], b.from[k] = int32(i), int32(i)
}

// issue executes the straight code [from, to) for the lanes of s. It returns to, or the
// index after the instruction that faulted.
func (b *Block) issue(s *lane.Sel, from, to int) int {
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
			g.Warp[g.N], g.Mask[g.N] = w, m
			g.N++
			g.Full = g.Full && m == lane.All
		}
	}
	b.g.off[i] += uint64(off)
	if g.N == 0 {
		return nil
	}
	return g
}

// control issues the control instruction at which cohort k stands: join marker first,
// then what the instruction does, then exit marker or event.
func (b *Block) control(k int) {
	c := &b.cohorts[k]
	i := int(b.at[k])
	u := &b.code[i]
	b.arrive(k)
	if u.marker == tesla.MarkerJoin {
		b.stale = true
		b.arriving = c.Sel
		if err := b.policy.Join(c); err != nil {
			b.count(i, i+1, &c.Sel)
			b.stackFault(u, err)
			return
		}
		b.countVetoed(i, &b.arriving, &c.Sel)
		if c.N == 0 {
			return
		}
	}
	b.count(i, i+1, &c.Sel)
	if u.exec != nil {
		lanes := &c.Sel
		if u.guarded {
			lanes = b.guard(u, i, lanes)
		}
		if lanes != nil && !u.exec(b, u, lanes) {
			b.locate(u, b.origin+uint64(i))
			b.fault.PC = c.PC
			return
		}
	}
	switch {
	case u.marker == tesla.MarkerExit:
		b.event(c, u, branch.Exit)
	case u.event != 0:
		b.event(c, u, u.event)
	default:
		b.policy.Advance(c, u.next)
	}
	if b.fault == nil && !b.stale {
		if b.stale = !b.policy.Follow(c); !b.stale {
			b.place(k)
		}
	}
}

// event hands a control event to the policy and lets barriers open.
func (b *Block) event(c *branch.Cohort, u *uop, kind branch.EventKind) {
	e := &b.ev
	e.Kind, e.Target, e.Next = kind, u.ins.Target, u.next
	if u.ins.Op == tesla.OpBraIndirect {
		e.Target = b.target
	}
	for k := range c.N {
		m := c.Mask[k]
		if u.guarded && kind != branch.Exit {
			m &= lane.Condition(&b.flags[u.guard.Reg][c.Warp[k]], uint8(u.guard.Cond))
		}
		e.Lanes[k] = m
	}
	if kind == branch.Arrive {
		b.noteArrival(c, u)
	}
	arrived, err := b.policy.Control(c, e)
	if err != nil {
		b.stackFault(u, err)
		return
	}
	if arrived != 0 {
		b.waiting[u.ins.Barrier.ID] |= arrived
	}
	if arrived != 0 || kind == branch.Exit || kind == branch.Return {
		b.stale = true
		b.openBarriers()
	}
}

// openBarriers releases every barrier at which all live warps have arrived. Warps that
// ended are not waited for.
func (b *Block) openBarriers() {
	alive := b.policy.Alive()
	for id, w := range b.waiting {
		if w != 0 && w&alive == alive {
			b.waiting[id] = 0
			b.policy.Release(w)
		}
	}
}

// finish ends a block none of whose warps is ready: it is done, or stuck.
func (b *Block) finish() {
	b.done = true
	b.g.depth = max(b.g.depth, b.policy.Depth())
	if alive := b.policy.Alive(); alive != 0 {
		b.deadlock(alive)
	}
}

// execWild is what is behind the end of the code, and everywhere else where no
// instruction starts.
func execWild(b *Block, u *uop, s *lane.Sel) bool {
	return b.raise(FaultInvalidPC, int(s.Warp[0]), s.Mask[0], fmt.Sprintf("no instruction starts at this address; the kernel has 0x%x bytes", u.pc))
}
