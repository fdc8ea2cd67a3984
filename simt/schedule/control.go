package schedule

import (
	"errors"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// control issues control instruction u at the front: the join marker first, then the instruction
// itself, then exit marker or event. It reports false if the front is empty: its warps were
// regrouped, ended or faulted.
func (c *convoy) control(u *program.Op) bool {
	f, t := &c.front, &c.table
	warps, failed := f.set, t.failed
	execute, whole := true, true
	if u.Marker == tesla.MarkerJoin {
		c.flush()
		execute, whole = c.join(u)
	}
	o := c.watched()
	if o != nil {
		o.beginControl(&c.issuer, u, execute)
	}
	if execute {
		c.carryOut(u)
	}
	if o != nil && t.failed == failed && c.blocks[0].fault == nil {
		o.Issue(&o.issue)
	}
	f.steps++
	warps &= t.ready &^ t.failed
	if whole && c.follow() {
		return true
	}
	c.regroup(warps)
	if u.Visible {
		c.openBarriers(warps)
	}
	return false
}

// join evaluates the join marker of u. If no warp executes the instruction, the front keeps all
// warps, wherever the policy sent them; otherwise it keeps the executing warps. whole means that
// all execute.
func (c *convoy) join(u *program.Op) (execute, whole bool) {
	f := &c.front
	f.PC, f.divided = u.PC, false
	c.arriving = f.Sel
	if err := c.policy.Join(&f.Cohort); err != nil {
		executing := f.Sel
		f.Sel = c.arriving
		c.fail(u, err)
		c.arriving, f.Sel = f.Sel, executing
	}
	if f.N < c.arriving.N {
		vetoed := without(&c.arriving, &f.Sel)
		c.meter.Vetoed(u.At, &vetoed)
		if c.recorded != 0 {
			c.note(u.At, u.At+1, f.steps, &vetoed, &none, true)
		}
	}
	if f.N == 0 {
		f.Sel = c.arriving
		return false, true
	}
	return true, f.N == c.arriving.N
}

// without returns the warps of s that are not in t; t is a subset of s.
func without(s, t *lane.Sel) lane.Sel {
	rest, k := lane.Sel{Full: true}, 0
	for j, w := range s.Warp[:s.N] {
		if k < t.N && t.Warp[k] == w {
			k++
			continue
		}
		rest.Add(int(w), s.Mask[j])
	}
	return rest
}

// carryOut counts and executes the instruction itself and hands its event to the policy.
func (c *convoy) carryOut(u *program.Op) {
	f := &c.front
	c.noteChoice(u)
	if !u.Acts {
		c.issued(u.At+1, &f.Mask)
		f.from, f.PC = f.at, u.PC
	} else if c.tryOut(u); f.N == 0 {
		return
	}
	switch {
	case u.Marker == tesla.MarkerExit:
		c.event(u, branch.Exit)
	case u.Event != 0:
		c.event(u, u.Event)
	default:
		c.policy.Advance(&f.Cohort, u.Next)
	}
}

// tryOut counts and executes u for the front; warps that fault leave it.
func (c *convoy) tryOut(u *program.Op) {
	f := &c.front
	c.flush()
	if u.MayFault && !u.OffCode {
		c.meter.Issue(u.At, u.At+1, &f.Sel)
	}
	switch {
	case f.Empty():
	case u.MayFault:
		c.attempt(u)
	default:
		c.try(u, 1)
	}
	if !u.MayFault && f.N > 0 {
		c.meter.Issue(u.At, u.At+1, &f.Sel)
	}
	if c.recorded != 0 {
		c.note(u.At, u.At+1, f.steps, &f.Sel, &f.Mask, false)
	}
}

// attempt executes an instruction that can fault although it is not visible, warp by warp, because
// other warps may fault earlier.
func (c *convoy) attempt(u *program.Op) {
	f := &c.front
	all := f.Sel
	for k, w := range all.Warp[:all.N] {
		one := lane.Sel{N: 1, Full: all.Mask[k] == lane.All}
		one.Warp[0], one.Mask[0] = w, all.Mask[k]
		if fault := c.runAt(&one); fault != nil {
			fault.PC = f.PC
			c.failWarp(u, int(w), fault)
		}
	}
}

// event hands a control event to the policy.
func (c *convoy) event(u *program.Op, kind branch.EventKind) {
	f, e := &c.front, &c.ev
	e.Kind, e.Target, e.Next = kind, u.Ins.Target, u.Next
	e.Indirect = u.Ins.Op == tesla.OpBraIndirect
	if u.Guarded && kind != branch.Exit {
		lane.Conditions(&e.Lanes, c.st.Flags[u.Guard.Reg], uint8(u.Guard.Cond), &f.Sel)
		for k, m := range f.Mask[:f.N] {
			e.Lanes[k] &= m
		}
	} else {
		copy(e.Lanes[:f.N], f.Mask[:f.N])
	}
	if e.Indirect {
		c.leaveIndirect(u)
	}
	c.meter.Outcome(u.At, e, &f.Sel)
	if kind == branch.Arrive && !f.Empty() {
		e.Barrier = u.Ins.Barrier.ID
		for k, w := range f.Warp[:f.N] {
			c.barriers.last[w] = arrival{u.At, e.Barrier, c.timeOf(int(w))}
			if !c.mixes && f.Mask[k] != c.masks[w] { // legal, but a sign of trouble
				c.meter.Partial++
			}
		}
	}
	arrived, err := c.policy.Control(&f.Cohort, e)
	if err != nil {
		c.fail(u, err)
	}
	if kind == branch.Return || kind == branch.Exit {
		c.meter.Forget(&f.Sel)
	}
	c.barriers.hold(arrived)
}

// leaveIndirect restricts the event of the indirect branch u to the lanes that leave it now.
func (c *convoy) leaveIndirect(u *program.Op) {
	f, e := &c.front, &c.ev
	for k, w := range f.Warp[:f.N] {
		e.Targets[k], e.Nexts[k] = u.Next, u.Next
		if e.Lanes[k] == 0 {
			continue
		}
		leave := &c.st.Indirect[w]
		e.Targets[k], e.Lanes[k] = leave.Target, leave.Lanes
		if leave.Stay != 0 {
			e.Nexts[k] = u.PC
		}
	}
}

// fail removes warps from the front that misused the control stack at u.
func (c *convoy) fail(u *program.Op, err error) {
	list, ok := err.(branch.StackErrors)
	if one := (*branch.StackError)(nil); !ok && errors.As(err, &one) {
		list = branch.StackErrors{one}
	}
	for _, e := range list {
		c.failWarp(u, e.Warp, c.st.FaultAt(u, c.timeOf(e.Warp), machine.FaultStack, e.Warp, c.masks[e.Warp], e.Reason))
	}
}

// failWarp removes a warp that faulted from the front. It waits for its turn to fault, because
// another warp of its block may fault earlier.
func (c *convoy) failWarp(u *program.Op, w int, fault *machine.Fault) {
	if c.mixes {
		b := c.block(w)
		b.fault = fault
		c.drop(b)
		return
	}
	t := &c.table
	t.failed |= 1 << w
	t.parked |= 1 << w
	t.time[w], t.at[w], t.fault[w] = c.timeOf(w), u.At, fault
	c.front.remove(1 << w)
	c.front.free = false // the rest of the block must not pass its fault
}

// stop ends the blocks of the front, whose launch was stopped before u.
func (c *convoy) stop(u *program.Op) {
	c.flush()
	kind, detail := c.g.stopReason(c.meter.Issued)
	f := &c.front
	for f.N > 0 {
		w := int(f.Warp[0])
		b := c.block(w)
		if b.fault == nil {
			b.fault = c.st.FaultAt(u, c.timeOf(w), kind, w, f.Mask[0], detail)
			b.fault.PC = f.PC
		}
		c.drop(b)
	}
}
