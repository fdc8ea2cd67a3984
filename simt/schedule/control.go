package schedule

import (
	"errors"
	"math/bits"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
	"jacquard/tesla"
)

func lowestWarp(s branch.WarpSet) int { return bits.TrailingZeros16(uint16(s)) }

// uniform carries out control instruction u, which the policy need not be told of if all lanes go
// the same way. It reports false if they do not; then nothing has happened.
func (c *convoy) uniform(u *program.Op) bool {
	f := &c.front
	to := u.At + 1
	if u.Event == branch.Branch || u.Event == branch.Break {
		taken, same := c.way(u)
		if !same || taken && (u.Event == branch.Break || u.To < 0 || c.passes(u)) {
			return false
		}
		c.meter.Uniform(u.At, &c.front.Sel, taken)
		if taken {
			to = u.To
		} else {
			c.noteUntaken(u.At)
		}
	}
	if to == u.At+1 { // the straight run goes on
		f.at = to
		f.steps++
		return true
	}
	c.meter.Issue(int(f.from), int(u.At)+1, &f.Sel)
	c.noteRun(u.At + 1)
	f.steps++
	f.at, f.from, f.PC = to, to, c.code[to].PC
	if to <= u.At {
		c.findMeet()
	}
	return true
}

// passes reports whether the branch u leads past where the policy must be asked.
func (c *convoy) passes(u *program.Op) bool {
	stop := c.front.stop
	return u.To != stop && (u.At < stop) != (u.To < stop)
}

// way reports whether the lanes of the front take the branch u, and whether all do the same.
func (c *convoy) way(u *program.Op) (taken, same bool) {
	f := &c.front
	if !u.Guarded {
		return true, true
	}
	lane.Conditions(&c.ev.Lanes, c.st.Flags[u.Guard.Reg], uint8(u.Guard.Cond), &f.Sel)
	var some, others lane.Mask
	for k, m := range f.Mask[:f.N] {
		some |= m & c.ev.Lanes[k]
		others |= m &^ c.ev.Lanes[k]
	}
	return some != 0, some == 0 || others == 0
}

// control issues the control instruction u at which the front stands: join marker first, then what
// the instruction does, then exit marker or event. It reports false if the front is no more: its
// warps were regrouped, ended or did wrong.
func (c *convoy) control(u *program.Op) (goesOn bool) {
	f, t := &c.front, &c.table
	warps, failed := f.set, t.failed
	execute, whole := true, true
	if u.Marker == tesla.MarkerJoin {
		c.flush()
		execute, whole = c.join(u)
	}
	if c.watched() != nil {
		c.watchControl(u, execute)
	}
	if execute {
		c.carryOut(u)
	}
	if o := c.watched(); o != nil && t.failed == failed && c.blocks[0].fault == nil {
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

// join evaluates the join marker of u. If no warp executes the instruction, the front keeps them
// all, wherever the policy sent them; whole is false if some do and some do not, and then the front
// keeps those that do.
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
	c.meter.Vetoed(int(u.At), &c.arriving, &f.Sel)
	c.noteVetoed(&c.arriving, &f.Sel)
	if f.N == 0 {
		f.Sel = c.arriving
		return false, true
	}
	return true, f.N == c.arriving.N
}

// carryOut counts and executes the instruction itself and hands its event to the policy.
func (c *convoy) carryOut(u *program.Op) {
	f := &c.front
	c.noteChoice(u)
	if !u.Acts {
		c.meter.Issue(int(f.from), int(u.At)+1, &f.Sel)
		c.noteRun(u.At + 1)
		f.from = f.at
		f.PC = u.PC
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

// tryOut counts and executes u, which may do wrong. Nobody is left in the front if all did.
func (c *convoy) tryOut(u *program.Op) {
	f := &c.front
	c.flush()
	if u.MayFault && !u.OffCode {
		c.meter.Issue(int(u.At), int(u.At)+1, &f.Sel)
	}
	switch {
	case f.Empty():
	case u.MayFault:
		c.attempt(u)
	default:
		c.execute(u, 1)
	}
	if !u.MayFault && f.N > 0 {
		c.meter.Issue(int(u.At), int(u.At)+1, &f.Sel)
	}
	if c.recorded != 0 {
		c.note(u.At, u.At+1, 0, &f.Sel, false)
	}
}

// attempt executes an instruction that can go wrong although none can notice it, warp by
// warp: others may do wrong earlier.
func (c *convoy) attempt(u *program.Op) {
	f := &c.front
	all := f.Sel
	for k, w := range all.Warp[:all.N] {
		one := lane.Sel{N: 1, Full: all.Mask[k] == lane.All}
		one.Warp[0], one.Mask[0] = w, all.Mask[k]
		c.st.Clock = c.timeOf(int(w)) - uint64(u.At)
		c.engine.Run(&one, int(u.At), int(u.At)+1)
		if fault := c.st.Caught(); fault != nil {
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
		c.noteArrival(u)
	}
	arrived, err := c.policy.Control(&f.Cohort, e)
	if err != nil {
		c.fail(u, err)
	}
	if kind == branch.Return || kind == branch.Exit {
		c.meter.Forget(&f.Sel)
	}
	c.wait |= arrived
	for ; arrived != 0; arrived &= arrived - 1 {
		w := lowestWarp(arrived)
		c.waiting[c.barrier[w]] |= 1 << w
	}
}

// leaveIndirect makes the event of the indirect branch u that of the lanes that leave it now.
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

// openBarriers releases every barrier of the blocks of warps at which all live warps of the block
// have arrived. Warps that ended are not waited for.
func (c *convoy) openBarriers(warps branch.WarpSet) {
	if c.wait == 0 {
		return
	}
	alive := c.policy.Alive()
	var released branch.WarpSet
	for ; warps != 0; warps &^= c.own[lowestWarp(warps)] {
		first := lowestWarp(warps)
		own, time := c.own[first], c.table.time[first]
		for id := range c.waiting {
			w := c.waiting[id] & own
			if w == 0 || w&alive != alive&own {
				continue
			}
			c.waiting[id] &^= own
			released |= w
			for m := w; m != 0; m &= m - 1 {
				c.noteRelease(lowestWarp(m), time)
			}
			if c.inStep != nil {
				c.inStep.Opened(c.block(first).place())
			}
		}
	}
	if released == 0 {
		return
	}
	c.wait &^= released
	c.policy.Release(released)
	if !c.mixes {
		c.stand(released)
	}
}

// timeOf returns when warp w of the front issues next.
func (c *convoy) timeOf(w int) uint64 { return c.table.time[w] + c.front.steps }

// fail notes what warps did wrong at u by the policy's lights.
func (c *convoy) fail(u *program.Op, err error) {
	list, ok := err.(branch.StackErrors)
	if one := (*branch.StackError)(nil); !ok && errors.As(err, &one) {
		list = branch.StackErrors{one}
	}
	for _, e := range list {
		c.st.Raise(machine.FaultStack, e.Warp, c.g.masks[e.Warp-c.block(e.Warp).own.First], e.Reason)
		c.st.Locate(u, c.timeOf(e.Warp))
		c.failWarp(u, e.Warp, c.st.Caught())
	}
}

// failWarp takes a warp that did wrong out of the front. It waits for its turn to fault:
// another of its block may do wrong earlier.
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
	c.front.leave(1 << w)
	c.front.free = false // the rest of the block is behind its fault
}
