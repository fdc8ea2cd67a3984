package simt

import (
	"math"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/mem"
)

// front is the cohort of a convoy on its way through the code.
//
// It runs ahead of other warps through instructions that none can notice (those that touch
// registers only, and branches), up to where others stand. Before an instruction that
// others of a block can notice (a memory access, a barrier, an end) its warps park until it is
// their turn in their block: the least time, the lowest warp among equals. So everything that
// can be noticed happens in the reference order, and warps are switched as rarely as possible.
// Warps have times of their own: those of one front need not have issued equally often.
type front struct {
	branch.Cohort
	set     branch.WarpSet
	at      int32  // index of the next instruction
	from    int32  // where the straight run not yet counted began
	stop    int32  // index at which the policy must be asked
	meet    int32  // index where other warps stand: the first ahead
	steps   uint64 // instructions issued since it was made
	latest  uint64 // the greatest time of its warps when it was made
	even    bool   // that was the time of all
	free    bool   // the warps of its blocks are all here, at the same time: nobody notices
	turn    bool   // its turn has come for one instruction
	divided bool   // the convoy's shares are of it
}

// nowhere is the index of no instruction.
const nowhere = math.MaxInt32

// begin makes an empty front at an index.
func (f *front) begin(at int32, pc uint32) {
	f.PC, f.Stop, f.Plain = pc, branch.NoStop, 0
	f.N, f.Full, f.set = 0, true, 0
	f.at, f.from, f.meet = at, at, nowhere
	f.steps, f.latest = 0, 0
	f.even, f.turn, f.divided = true, false, false
}

// leave takes warps out.
func (f *front) leave(warps branch.WarpSet) {
	if f.set&warps == 0 {
		return
	}
	old := f.Sel
	f.N, f.Full, f.divided = 0, true, false
	f.set &^= warps
	for k, w := range old.Warp[:old.N] {
		if f.set>>w&1 != 0 {
			f.Add(int(w), old.Mask[k])
		}
	}
}

// place notes where the front stands after the policy moved it.
func (c *convoy) place() {
	f := &c.front
	i, _ := c.p.index(f.PC)
	f.at, f.from, f.divided = int32(i), int32(i), false
	c.aim()
}

// aim notes where the policy must be asked.
func (c *convoy) aim() {
	f := &c.front
	f.stop = nowhere
	if f.Stop != branch.NoStop {
		if i, ok := c.p.index(f.Stop); ok {
			f.stop = int32(i)
		}
	}
}

// back finds out where other warps stand, for a front that went back.
func (c *convoy) back() {
	f := &c.front
	f.meet = nowhere
	for m := c.table.ready &^ f.set; m != 0; m &= m - 1 {
		if at := c.table.at[lowestWarp(m)]; at > f.at {
			f.meet = min(f.meet, at)
		}
	}
}

// advance moves the front until it is no more, and reports true; or until time until if all warps
// get there together, and reports false.
func (c *convoy) advance(until uint64) bool {
	f := &c.front
	for f.steps < until-f.latest {
		u := &c.code[f.at]
		if !f.free && !f.turn && (u.noticed || c.apart && f.set&^c.table.stopped != 0) {
			c.park()
			return true
		}
		f.turn = false
		switch {
		case !u.control:
			if !c.straight(u, until-f.latest-f.steps) {
				return true
			}
		case c.stopped():
			c.stop(u)
			return true
		case u.fork != nil && c.through(u, until):
		case u.plain&^f.Plain == 0 && c.lead.watched == nil && c.alike(u):
		case !c.control(u):
			return true
		}
		if f.at == f.stop && !c.ask() {
			return true
		}
		if f.at >= f.meet {
			if c.code[f.at].noticed {
				c.park()
			} else {
				c.scatter()
			}
			return true
		}
	}
	if f.even && c.table.ready == f.set {
		return false
	}
	c.scatter()
	return true
}

// straight issues straight code, room instructions at most. It reports false if the front is
// no more.
func (c *convoy) straight(u *uop, room uint64) bool {
	f := &c.front
	n := u.quiet
	switch {
	case c.apart:
		n = 1
	case f.free && len(c.blocks) == 1:
		n = u.end - f.at
	case f.free && c.leads(u):
		n = min(u.led, u.end-f.at)
	case n == 0:
		n = 1
	}
	for _, i := range [...]int32{f.stop, f.meet} {
		if i > f.at {
			n = min(n, i-f.at)
		}
	}
	n = int32(min(uint64(n), room))
	b := c.lead
	if b.watched != nil {
		b.watched.begin(b, u, c.timeOf(int(f.Warp[0])), &f.Sel, &f.Sel)
	}
	behind := f.at + n
	if !f.Empty() {
		if behind = c.execute(u, n); f.N == 0 {
			return false
		}
	}
	if b.watched != nil {
		b.watched.Issue(&b.watched.issue)
	}
	f.steps += uint64(behind - f.at)
	f.at = behind
	return true
}

// ask tells the policy that the front came to where it wants to be asked. It reports false if
// the front is no more.
func (c *convoy) ask() bool {
	f := &c.front
	c.settle()
	c.policy.Advance(&f.Cohort, f.PC)
	if c.follow() {
		return true
	}
	c.regroup(f.set)
	return false
}

// leads reports whether the lead can issue u for all blocks: that is most but the clock, and what
// is looked at block by block.
func (c *convoy) leads(u *uop) bool { return u.led > 0 && c.blocks[0].steps == nil }

// execute carries out n instructions from u on for the front, fewer if a block faults, and returns the
// index behind the last. Blocks that fault are stopped.
func (c *convoy) execute(u *uop, n int32) (behind int32) {
	f, b := &c.front, c.lead
	if len(c.blocks) > 1 && u.quiet == 0 && !c.leads(u) {
		c.inTurn(0)
		return f.at + 1
	}
	b.origin = c.timeOf(int(f.Warp[0])) - uint64(f.at)
	behind = int32(b.issue(&f.Sel, int(f.at), int(f.at+n)))
	if b.raised == nil {
		return behind
	}
	f.steps += uint64(behind - 1 - f.at)
	f.at = behind - 1
	if len(c.blocks) > 1 {
		c.blame()
	} else {
		c.stopFaulty()
	}
	return behind
}

// blame hands the fault of the instruction that the lead issued for all blocks to the one whose warp it
// was. Blocks before it are past the instruction, and those behind it have not begun it. Only loads and
// stores have done anything by then: others are issued again, block by block.
func (c *convoy) blame() {
	u, fault, next := &c.code[c.front.at], c.lead.caught(), 0
	if u.memory {
		for next = 1; c.blocks[next-1].Index() != fault.Block; next++ {
		}
		b := c.blocks[next-1]
		fault.Time = c.timeOf(b.first + fault.Warp)
		b.raised = fault
	}
	c.recant(u, next)
	c.inTurn(next)
}

// recant takes back what the lead counted of u, at which the front stands, when it tried to issue that for all blocks: those
// from the one with the given place in the convoy on issue it again.
func (c *convoy) recant(u *uop, first int) {
	c.takeBack(u, first*c.blocks[0].warps, c.warps)
	if u.memory || !u.touchesMemory() || !c.priced {
		return
	}
	// Operands in memory were read, some perhaps, before one did wrong. What they cost is what they cost once more.
	off, cost := c.each[u.at].off, &c.access[u.slot].Cost
	counted := *cost
	*cost = mem.Cost{}
	c.lead.issue(&c.front.Sel, int(u.at), int(u.at)+1)
	c.lead.caught()
	counted.Sub(cost)
	*cost, c.each[u.at].off = counted, off
}

// takeBack takes back what guard counted of u, at which the front stands, for warps that did not execute it.
func (c *convoy) takeBack(u *uop, first, end int) {
	if !u.guarded {
		return
	}
	for k, w := range c.front.Warp[:c.front.N] {
		if int(w) >= first && int(w) < end {
			off := c.front.Mask[k] &^ lane.Condition(&c.lead.flags[u.guard.Reg][w], uint8(u.guard.Cond))
			c.each[u.at].off -= uint64(bitCount(off))
		}
	}
}

// inTurn lets one block after the other, from the one with the given place in the convoy on, issue
// the instruction at which the front stands.
func (c *convoy) inTurn(first int) {
	f := &c.front
	c.divide()
	sound := true
	for k, b := range c.blocks {
		s := &c.shares[k]
		if s.N == 0 {
			continue
		}
		if k >= first {
			b.origin = c.timeOf(b.first+int(s.Warp[0])) - uint64(f.at)
			b.issue(s, int(f.at), int(f.at)+1)
		}
		sound = sound && b.raised == nil
	}
	if !sound {
		c.stopFaulty()
	}
}

// stopFaulty stops the blocks that faulted in the instruction at which the front stands, and counts
// the issues of it up to that of the warp that did wrong.
func (c *convoy) stopFaulty() {
	c.settle()
	f := &c.front
	for _, b := range c.blocks {
		fault := b.caught()
		if fault == nil {
			continue
		}
		part := f.Sel
		if !c.mixes { // else it is one issue
			behind := b.first + fault.Warp + 1
			part.Keep(b.first, behind)
			c.takeBack(&c.code[f.at], behind, b.first+b.warps)
		}
		c.count(int(f.at), int(f.at)+1, &part)
		c.stopAt(b, fault)
	}
}

// divide makes the shares of the front.
func (c *convoy) divide() {
	f := &c.front
	if f.divided {
		return
	}
	f.divided = true
	for k := range c.blocks {
		c.shares[k].N, c.shares[k].Full = 0, true
	}
	each := c.blocks[0].warps
	for k, w := range f.Warp[:f.N] {
		c.shares[int(w)/each].Add(int(w)%each, f.Mask[k])
	}
}

// settle counts the front's straight run and brings its pc up to date.
func (c *convoy) settle() {
	if f := &c.front; f.from != f.at {
		c.count(int(f.from), int(f.at), &f.Sel)
		c.noteRun(f.at)
		f.PC = c.code[f.at].pc
		f.from = f.at
	}
}

// follow goes on with the warps of the front where the policy has them now. It reports false if
// they no longer go together.
func (c *convoy) follow() bool {
	f := &c.front
	if f.N == 0 || !c.policy.Follow(&f.Cohort) {
		return false
	}
	from := f.at
	c.place()
	if f.at <= from {
		c.back()
	}
	return true
}

// regroup puts warps of the front where the policy has them. Nobody is left in the front.
func (c *convoy) regroup(warps branch.WarpSet) {
	f := &c.front
	moved := warps
	if c.mixes { // the block has one time
		moved = 1<<c.warps - 1
	}
	for m := moved; m != 0; m &= m - 1 {
		c.table.time[lowestWarp(m)] += f.steps
	}
	f.N, f.set = 0, 0
	if !c.mixes {
		c.stand(warps)
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
	if off != 0 && b.convoy.heard != 0 {
		b.noteGuard(i, s, g)
	}
	if g.N == 0 {
		return nil
	}
	return g
}
