package schedule

import (
	"math"

	"jacquard/simt/branch"
	"jacquard/simt/program"
)

// front is the cohort of a convoy that issues: warps at one pc.
//
// The front runs ahead of other warps through instructions that are not visible to them: branches,
// and instructions that touch registers only. It stops where other warps are. Before a visible
// instruction (a memory access, a barrier, an exit) its warps park. A parked warp goes on when it
// has the least time of its block, and is the lowest of the warps with that time. So visible
// instructions issue in the reference order, and fronts change as rarely as possible.
// Each warp has a time of its own: warps of one front may have issued different numbers of times.
type front struct {
	branch.Cohort
	set    branch.WarpSet
	at     int32  // index of the next instruction
	from   int32  // index at which the straight run not yet counted began
	stop   int32  // index at which the policy must be asked
	meet   int32  // the first index ahead at which other warps are
	steps  uint64 // instructions issued since it was made
	latest uint64 // the greatest time of its warps when it was made
	even   bool   // all warps had that time
	// All warps of its blocks are in it, at one time: visible instructions need no turn.
	free    bool
	turn    bool // its turn has come for one instruction
	divided bool // the issuer's shares are those of the front
}

// nowhere is past the index of every instruction.
const nowhere = math.MaxInt32

// begin makes an empty front at an index.
func (f *front) begin(at int32, pc uint32) {
	f.PC, f.Stop, f.Skippable = pc, branch.NoStop, 0
	f.N, f.Full, f.set = 0, true, 0
	f.at, f.from, f.meet = at, at, nowhere
	f.steps, f.latest = 0, 0
	f.even, f.turn, f.divided = true, false, false
}

// remove removes warps.
func (f *front) remove(warps branch.WarpSet) {
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

// locate updates the front's position after the policy moved it.
func (f *front) locate(p *Program) {
	i, _ := p.Index(f.PC)
	f.at, f.from, f.divided = int32(i), int32(i), false
	f.findStop(p)
}

// findStop finds the next index at which the policy must be asked.
func (f *front) findStop(p *Program) {
	f.stop = nowhere
	if f.Stop != branch.NoStop {
		if i, ok := p.Index(f.Stop); ok {
			f.stop = int32(i)
		}
	}
}

// passes reports whether the branch u leads past the index at which the policy must be asked.
func (f *front) passes(u *program.Op) bool {
	return u.To != f.stop && (u.At < f.stop) != (u.To < f.stop)
}

// advance moves the front until it is empty, and reports true; or until time until if all warps
// reach it together, and reports false.
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
		case c.g.stopped(c.meter.Issued):
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
// empty.
func (c *convoy) straight(u *program.Op, room uint64) bool {
	f := &c.front
	n := u.LocalRun
	switch {
	case c.singleStep:
		n = 1
	case f.free && len(c.blocks) == 1:
		n = u.End - f.at
	case f.free && c.together(u):
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
	end := f.at + n
	if !f.Empty() {
		if end = c.try(u, n); f.N == 0 {
			return false
		}
	}
	if observer != nil {
		observer.Issue(&observer.issue)
	}
	f.steps += uint64(end - f.at)
	f.at = end
	return true
}

// try executes n instructions from u on, fewer if a warp faults, and returns the index after the
// last. Blocks that fault are stopped.
func (c *convoy) try(u *program.Op, n int32) (end int32) {
	end, sound := c.execute(u, n)
	if !sound {
		c.stopFaulty()
	}
	return end
}

// stopFaulty stops the blocks that faulted in the front's instruction, and counts the issue of the
// warp that faulted. Earlier warps of its block are past the instruction and stay in the front;
// later warps have not issued.
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
		if !c.mixes { // a mixed issue is one issue
			c.redo(b.own.First, faulty)
			part.Keep(faulty, faulty+1)
			c.uncountOff(&c.code[f.at], faulty+1, b.own.First+b.own.Warps)
		}
		c.meter.Issue(f.at, f.at+1, &part)
		c.stopAt(b, fault, b.set&f.set&^(1<<faulty-1))
	}
}

// ask tells the policy that the front has reached its stop. It reports false if the front is empty.
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

// follow moves the front to the policy's position for its warps. It reports false if they are no
// longer at one place.
func (c *convoy) follow() bool {
	f := &c.front
	if f.N == 0 || !c.policy.Follow(&f.Cohort) {
		return false
	}
	from := f.at
	f.locate(c.p)
	if f.at <= from {
		f.meet = c.table.ahead(f)
	}
	return true
}
