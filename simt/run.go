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
			b.straight(&b.cohorts[0], until)
		default:
			b.round()
		}
		b.done = b.done || b.fault != nil
	}
}

// straight runs the only ready cohort up to and including its next control instruction.
func (b *Block) straight(c *branch.Cohort, until uint64) {
	i, ok := b.p.index(c.PC)
	if !ok {
		b.wild(c)
		return
	}
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
		return
	}
	if end == int(b.code[i].end) && b.time < until && end < len(b.code) && b.code[end].pc != c.Stop {
		b.moved = 0
		b.control(c, end)
		b.time++
		return
	}
	b.ranTo(0, b.pcOf(end))
}

// ranTo notes that cohort k ran straight on to pc. The policy hears of it when it must.
func (b *Block) ranTo(k int, pc uint32) {
	c := &b.cohorts[k]
	c.PC = pc
	b.moved |= 1 << k
	if pc == c.Stop {
		b.stale = true
	}
}

// round lets every cohort issue one instruction.
func (b *Block) round() {
	for k := range b.n {
		c := &b.cohorts[k]
		i, ok := b.p.index(c.PC)
		if !ok {
			b.wild(c)
			return
		}
		b.origin = b.time - uint64(i)
		if b.code[i].control {
			b.moved &^= 1 << k
			b.control(c, i)
		} else {
			b.issue(&c.Sel, i, i+1)
			b.ranTo(k, b.code[i].next)
		}
		if b.fault != nil {
			return
		}
	}
	b.time++
	// While nothing but straight code was issued, the cohorts stay as they are. They are
	// formed anew when a control instruction changed one of them, when one reached its
	// stop, or when two neighbours met.
	for k := 1; k < b.n; k++ {
		if b.cohorts[k-1].PC == b.cohorts[k].PC {
			b.stale = true
		}
	}
}

// regroup tells the policy how far straight runs came and asks it for the next cohorts.
func (b *Block) regroup() {
	for k := range b.n {
		if b.moved>>k&1 != 0 {
			b.policy.Advance(&b.cohorts[k], b.cohorts[k].PC)
		}
	}
	b.moved = 0
	b.n = b.policy.Round(b.cohorts[:])
	b.stale = false
}

// issue executes the straight code [from, to) for the lanes of s and counts it. It
// returns to, or the index after the instruction that faulted.
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
			to = i + 1
		}
	}
	b.count(from, to, s)
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

// control issues the control instruction at index i for the whole of c: join marker
// first, then what the instruction does, then exit marker or event.
func (b *Block) control(c *branch.Cohort, i int) {
	u := &b.code[i]
	b.stale = true
	if u.marker == tesla.MarkerJoin {
		arriving := c.Sel
		if err := b.policy.Join(c); err != nil {
			b.stackFault(u, err)
			return
		}
		b.countVetoed(i, &arriving, &c.Sel)
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

func (b *Block) pcOf(i int) uint32 {
	if i < len(b.code) {
		return b.code[i].pc
	}
	return uint32(4 * len(b.p.at))
}

// wild faults a cohort that stands outside the kernel's code.
func (b *Block) wild(c *branch.Cohort) {
	b.fault = b.newFault(FaultInvalidPC, int(c.Warp[0]), c.Mask[0])
	b.fault.PC, b.fault.Time = c.PC, b.time
	b.fault.Detail = fmt.Sprintf("no instruction starts at this address; the kernel has 0x%x bytes", 4*len(b.p.at))
}
