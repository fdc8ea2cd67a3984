package schedule

import (
	"errors"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// control issues control instruction u at the front: first the join marker, then the instruction
// itself, then its exit marker or event. Afterwards the front is empty if its lanes parted, wait,
// ended or faulted.
func (b *block) control(u *program.Op) {
	b.told = true
	if b.states {
		b.takeState()
	}
	f := &b.front
	executes := u.Marker != tesla.MarkerJoin || b.join(u)
	if b.fault != nil {
		return
	}
	o := b.watched
	if o != nil {
		if executes {
			o.before(b, u)
		}
		o.beginControl(b, u, executes)
	}
	if executes {
		b.carryOut(u)
		if b.fault != nil {
			return
		}
	}
	if o != nil {
		o.Issue(&o.issue)
	}
	f.time++
	if !b.follow() {
		b.leave()
		b.openBarriers()
	}
}

// join evaluates the join marker of u, and reports whether the warp executes the instruction. If
// not, the front keeps the warp, wherever the policy sent it.
func (b *block) join(u *program.Op) (executes bool) {
	f := &b.front
	f.PC = u.PC
	b.arriving = f.Sel
	if err := b.policy.Join(&f.Cohort); err != nil {
		b.misuse(u, err)
		return false
	}
	if f.N > 0 {
		return true
	}
	f.Sel = b.arriving
	b.meter.Vetoed(u.At, &f.Sel)
	if b.recorded {
		b.note(u.At, u.At+1, f.time, &f.Sel, &none, true)
	}
	return false
}

// carryOut counts and executes the instruction itself and hands its event to the policy.
func (b *block) carryOut(u *program.Op) {
	f := &b.front
	if !u.OffCode {
		b.meter.Issue(u.At, u.At+1, &f.Sel)
	}
	if u.Acts && !f.Empty() {
		b.st.Clock = f.time - uint64(u.At)
		if b.engine.Run(&f.Sel, int(u.At), int(u.At)+1); b.st.Raised != nil {
			fault := b.st.Caught()
			fault.PC = f.PC
			b.stop(fault)
			return
		}
	}
	if b.recorded {
		b.executed = f.Mask
		if !u.Acts && u.Guarded && u.HeedsGuard() {
			b.hold(u, &b.executed)
		}
	}
	switch {
	case u.Marker == tesla.MarkerExit:
		b.event(u, branch.Exit)
	case u.Event != 0:
		b.event(u, u.Event)
	default:
		b.policy.Advance(&f.Cohort, u.Next)
	}
	if b.recorded && b.fault == nil {
		b.note(u.At, u.At+1, f.time, &f.Sel, &b.executed, false)
	}
}

// hold restricts the lanes of the front to the lanes in which the guard of u holds.
func (b *block) hold(u *program.Op, lanes *[lane.MaxWarps]lane.Mask) {
	f, flags := &b.front, b.st.Flags[u.Guard.Reg]
	for k, w := range f.Warp[:f.N] {
		lanes[k] &= lane.Condition(&flags[w], uint8(u.Guard.Cond))
	}
}

// event hands a control event to the policy.
func (b *block) event(u *program.Op, kind branch.EventKind) {
	f, e := &b.front, &b.ev
	e.Kind, e.Target, e.Next = kind, u.Ins.Target, u.Next
	e.Indirect = u.Ins.Op == tesla.OpBraIndirect
	copy(e.Lanes[:f.N], f.Mask[:f.N])
	if u.Guarded && kind != branch.Exit {
		b.hold(u, &e.Lanes)
	}
	if e.Indirect {
		b.leaveIndirect(u)
	}
	b.meter.Outcome(u.At, e, &f.Sel)
	var apart, arrived lane.Mask
	w := int(f.Warp[0])
	if kind == branch.Arrive && !f.Empty() {
		apart, arrived = b.apart(u), f.Mask[0]
		e.Barrier = u.Ins.Barrier.ID
		for k, w := range f.Warp[:f.N] {
			b.last[w] = arrival{u.At, e.Barrier, f.time}
			if !b.mixes && f.Mask[k] != b.warpOf(int(w), f.Mask[k]) { // legal, but a sign of trouble
				b.meter.Partial++
			}
		}
	}
	if b.meeting.to != nil {
		b.meeting.begin(f, u, kind)
	}
	waiting, err := b.policy.Control(&f.Cohort, e)
	if err != nil {
		b.misuse(u, err)
		return
	}
	if b.meeting.to != nil {
		b.meeting.end(u)
	}
	if kind == branch.Return || kind == branch.Exit {
		b.meter.Forget(&f.Sel)
	}
	if apart != 0 {
		b.miss(u, w, arrived, apart)
	}
	b.wait(waiting)
}

// leaveIndirect restricts the event of indirect branch u to the lanes that leave it now.
func (b *block) leaveIndirect(u *program.Op) {
	f, e := &b.front, &b.ev
	for k, w := range f.Warp[:f.N] {
		e.Targets[k], e.Nexts[k] = u.Next, u.Next
		if e.Lanes[k] == 0 {
			continue
		}
		leave := &b.st.Indirect[w]
		e.Targets[k], e.Lanes[k] = leave.Target, leave.Lanes
		if leave.Stay != 0 {
			e.Nexts[k] = u.PC
		}
	}
}

// misuse stops the block because a warp misused the control stack at u.
func (b *block) misuse(u *program.Op, err error) {
	var e *branch.StackError
	if !errors.As(err, &e) {
		panic("schedule: a policy failed: " + err.Error())
	}
	b.stop(b.st.FaultAt(u, b.front.time, machine.FaultStack, e.Warp, b.g.masks[e.Warp], e.Reason))
}

// warpOf returns the lanes of home warp w that belong to the same warp as lanes m.
func (b *block) warpOf(w int, m lane.Mask) lane.Mask {
	return b.g.masks[w] & lane.Group(m, b.g.policy.warp)
}

// halt stops the block because the launch was stopped before u.
func (b *block) halt(u *program.Op) {
	kind, detail := b.g.stopReason(b.meter.Issued)
	f := &b.front
	fault := b.st.FaultAt(u, f.time, kind, int(f.Warp[0]), f.Mask[0], detail)
	fault.PC = f.PC
	b.stop(fault)
}
