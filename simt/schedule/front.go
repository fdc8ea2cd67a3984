package schedule

import (
	"math"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/simt/program"
)

// front is the cohort of a convoy that issues: warps that stand at one place.
//
// The front runs ahead of other warps through instructions that are not visible to them: branches,
// and instructions that touch registers only. It stops where other warps stand. Before a visible
// instruction (a memory access, a barrier, an exit) its warps park. A parked warp goes on when it
// has the least time of its block, and is the lowest of the warps with that time. So visible
// instructions issue in the reference order, and fronts change as rarely as possible.
// Each warp has a time of its own: warps of one front may have issued different numbers of times.
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
	free    bool   // all warps of its blocks are in it, at one time: visible instructions need no turn
	turn    bool   // its turn has come for one instruction
	divided bool   // the convoy's shares are of it
}

// nowhere is the index of no instruction.
const nowhere = math.MaxInt32

// begin makes an empty front at an index.
func (f *front) begin(at int32, pc uint32) {
	f.PC, f.Stop, f.Skippable = pc, branch.NoStop, 0
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
	i, _ := c.p.Index(f.PC)
	f.at, f.from, f.divided = int32(i), int32(i), false
	c.findStop()
}

// findStop notes where the policy must be asked.
func (c *convoy) findStop() {
	f := &c.front
	f.stop = nowhere
	if f.Stop != branch.NoStop {
		if i, ok := c.p.Index(f.Stop); ok {
			f.stop = int32(i)
		}
	}
}

// findMeet finds out where other warps stand, for a front that went back.
func (c *convoy) findMeet() {
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
		if !f.free && !f.turn && (u.Visible || c.singleStep && f.set&^c.table.stopped != 0) {
			c.park()
			return true
		}
		f.turn = false
		switch {
		case !u.Control:
			if !c.straight(u, until-f.latest-f.steps) {
				return true
			}
		case c.stopped():
			c.stop(u)
			return true
		case u.Fork != nil && c.runFork(u, until):
		case u.Skippable&^f.Skippable == 0 && c.watched() == nil && c.uniform(u):
		case !c.control(u):
			return true
		}
		if f.at == f.stop && !c.ask() {
			return true
		}
		if f.at >= f.meet {
			if c.code[f.at].Visible {
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
func (c *convoy) straight(u *program.Op, room uint64) bool {
	f := &c.front
	n := u.LocalRun
	switch {
	case c.singleStep:
		n = 1
	case f.free && len(c.blocks) == 1:
		n = u.End - f.at
	case f.free && c.leads(u):
		n = min(u.LeadRun, u.End-f.at)
	case n == 0:
		n = 1
	}
	for _, i := range [...]int32{f.stop, f.meet} {
		if i > f.at {
			n = min(n, i-f.at)
		}
	}
	n = int32(min(uint64(n), room))
	observer := c.watched()
	if observer != nil {
		observer.begin(c.st, u, c.timeOf(int(f.Warp[0])), &f.Sel, &f.Sel)
	}
	behind := f.at + n
	if !f.Empty() {
		if behind = c.execute(u, n); f.N == 0 {
			return false
		}
	}
	if observer != nil {
		observer.Issue(&observer.issue)
	}
	f.steps += uint64(behind - f.at)
	f.at = behind
	return true
}

// ask tells the policy that the front came to where it wants to be asked. It reports false if
// the front is no more.
func (c *convoy) ask() bool {
	f := &c.front
	c.flush()
	c.policy.Advance(&f.Cohort, f.PC)
	if c.follow() {
		return true
	}
	c.regroup(f.set)
	return false
}

// leads reports whether the lead can issue u for all blocks: that is most but the clock, and what
// is looked at block by block.
func (c *convoy) leads(u *program.Op) bool { return u.LeadRun > 0 && c.inStep == nil }

// execute carries out n instructions from u on for the front, fewer if a block faults, and returns
// the index behind the last. Blocks that fault are stopped.
func (c *convoy) execute(u *program.Op, n int32) (behind int32) {
	f := &c.front
	if len(c.blocks) > 1 && u.LocalRun == 0 && !c.leads(u) {
		c.inTurn(0)
		return f.at + 1
	}
	c.st.Clock = c.timeOf(int(f.Warp[0])) - uint64(f.at)
	behind = int32(c.engine.Run(&f.Sel, int(f.at), int(f.at+n)))
	if c.st.Raised == nil {
		return behind
	}
	f.steps += uint64(behind - 1 - f.at)
	f.at = behind - 1
	if len(c.blocks) > 1 {
		c.findFaulty()
	} else {
		c.blocks[0].raised = c.st.Caught()
		c.stopFaulty()
	}
	return behind
}

// findFaulty hands the fault of the instruction that the lead issued for all blocks to the one
// whose warp it was. Blocks before it are past the instruction, and those behind it have not begun
// it. Only loads and stores have done anything by then: others are issued again, block by block.
func (c *convoy) findFaulty() {
	u, fault, next := &c.code[c.front.at], c.st.Caught(), 0
	if u.Memory {
		b := c.block(c.st.RaisedBy)
		fault.Time = c.timeOf(c.st.RaisedBy)
		b.raised = fault
		next = b.place() + 1
	}
	c.undo(u, next)
	c.inTurn(next)
}

// undo takes back what the lead counted of u, at which the front stands, when it tried to issue
// that for all blocks: those from the one with the given place in the convoy on issue it again.
func (c *convoy) undo(u *program.Op, first int) {
	c.takeBack(u, first*c.blocks[0].own.Warps, c.warps)
	if u.Memory || !u.TouchesMemory() || !c.meter.Priced {
		return
	}
	// Operands in memory were read, some perhaps, before one did wrong. What they cost is what they
	// cost once more.
	off, cost := c.meter.Off[u.At], &c.meter.Access[u.Slot].Cost
	counted := *cost
	*cost = mem.Cost{}
	c.engine.Run(&c.front.Sel, int(u.At), int(u.At)+1)
	c.st.Caught()
	counted.Sub(cost)
	*cost, c.meter.Off[u.At] = counted, off
}

// takeBack takes back what guard counted of u, at which the front stands, for warps that did not
// execute it.
func (c *convoy) takeBack(u *program.Op, first, end int) {
	if !u.Guarded {
		return
	}
	for k, w := range c.front.Warp[:c.front.N] {
		if int(w) >= first && int(w) < end {
			off := c.front.Mask[k] &^ lane.Condition(&c.st.Flags[u.Guard.Reg][w], uint8(u.Guard.Cond))
			c.meter.Off[u.At] -= uint64(bitCount(off))
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
			c.st.Clock = c.timeOf(int(s.Warp[0])) - uint64(f.at)
			c.engine.Run(s, int(f.at), int(f.at)+1)
			b.raised = c.st.Caught()
		}
		sound = sound && b.raised == nil
	}
	if !sound {
		c.stopFaulty()
	}
}

// stopFaulty stops the blocks that faulted in the instruction at which the front stands, and counts
// the issue of the warp that did wrong. Warps of its block before that warp are past the
// instruction, and stay in the front; warps behind it have not issued.
func (c *convoy) stopFaulty() {
	c.flush()
	f := &c.front
	for _, b := range c.blocks {
		fault := b.raised
		if fault == nil {
			continue
		}
		b.raised = nil
		part := f.Sel
		faulty := b.own.First + fault.Warp
		if !c.mixes { // else it is one issue
			c.redo(b.own.First, faulty)
			part.Keep(faulty, faulty+1)
			c.takeBack(&c.code[f.at], faulty+1, b.own.First+b.own.Warps)
		}
		c.meter.Issue(int(f.at), int(f.at)+1, &part)
		c.stopAt(b, fault, b.set&f.set&^(1<<faulty-1))
	}
}

// redo has warps of the front from first up to end execute the instruction at which the front
// stands, which another warp kept from being executed at all. What they cost was counted. Loads and
// stores have happened.
func (c *convoy) redo(first, end int) {
	f, at := &c.front, int(c.front.at)
	passed := f.Sel
	passed.Keep(first, end)
	if passed.N == 0 || c.code[at].Memory {
		return
	}
	counts := c.st.Counts
	off, priced := counts.Off[at], counts.Priced
	counts.Priced = false
	c.engine.Run(&passed, at, at+1)
	c.st.Caught()
	counts.Off[at], counts.Priced = off, priced
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
	each := c.blocks[0].own.Warps
	for k, w := range f.Warp[:f.N] {
		c.shares[int(w)/each].Add(int(w), f.Mask[k])
	}
}

// flush counts the front's straight run and brings its pc up to date.
func (c *convoy) flush() {
	if f := &c.front; f.from != f.at {
		c.meter.Issue(int(f.from), int(f.at), &f.Sel)
		c.noteRun(f.at)
		f.PC = c.code[f.at].PC
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
		c.findMeet()
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
