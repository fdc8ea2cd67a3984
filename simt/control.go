package simt

import (
	"fmt"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// control issues the control instruction at which front k stands: join marker first, then
// what the instruction does, then exit marker or event. It reports whether the front goes
// on in its place; if not, it was regrouped, ended or faulted.
func (b *Block) control(k int) bool {
	f := &b.fronts[k]
	u := &b.code[f.at]
	b.origin = f.time - uint64(f.at)
	warps, split := f.Warps(), false
	execute := true
	if u.marker == tesla.MarkerJoin {
		b.settle(f)
		if execute, split = b.join(f, u); b.fault != nil {
			return b.postpone(f)
		}
	}
	if b.watched != nil {
		b.watchControl(f, u, execute)
	}
	if execute {
		if b.carryOut(f, u); b.fault != nil {
			return b.postpone(f)
		}
	}
	if b.watched != nil {
		b.watched.Issue(&b.watched.issue)
	}
	f.time++
	time := f.time
	goesOn := !split && b.policy.Follow(&f.Cohort)
	if goesOn {
		b.place(f)
	} else {
		b.remove(k)
		b.form(warps, time)
	}
	return !(u.noticed && b.openBarriers(time)) && goesOn
}

// join evaluates the join marker of u. If no warp executes the instruction, f keeps them
// all, wherever the policy sent them; split says that some do and some do not, and then f
// keeps those that do.
func (b *Block) join(f *front, u *uop) (execute, split bool) {
	b.arriving = f.Sel
	if err := b.policy.Join(&f.Cohort); err != nil {
		b.count(int(u.at), int(u.at)+1, &b.arriving)
		b.stackFault(u, f.time, err)
		return false, false
	}
	b.countVetoed(int(u.at), &b.arriving, &f.Sel)
	b.noteVetoed(f, &b.arriving, &f.Sel)
	if f.N == 0 {
		f.Sel = b.arriving
		return false, false
	}
	return true, f.N != b.arriving.N
}

// carryOut counts and executes the instruction itself and hands its event to the policy.
func (b *Block) carryOut(f *front, u *uop) {
	b.count(int(f.from), int(f.at)+1, &f.Sel)
	b.noteRun(f, f.at+1)
	if f.from != f.at {
		f.PC = u.pc
		f.from = f.at
	}
	if u.exec != nil && !f.Empty() {
		if b.issue(&f.Sel, int(f.at), int(f.at)+1); b.fault != nil {
			b.fault.PC = f.PC
			return
		}
	}
	b.noteChoice(f, u)
	switch {
	case u.marker == tesla.MarkerExit:
		b.event(f, u, branch.Exit)
	case u.event != 0:
		b.event(f, u, u.event)
	default:
		b.policy.Advance(&f.Cohort, u.next)
	}
}

// event hands a control event to the policy.
func (b *Block) event(f *front, u *uop, kind branch.EventKind) {
	e := &b.ev
	e.Kind, e.Target, e.Next = kind, u.ins.Target, u.next
	e.Indirect = u.ins.Op == tesla.OpBraIndirect
	for k := range f.N {
		m := f.Mask[k]
		if u.guarded && kind != branch.Exit {
			m &= lane.Condition(&b.flags[u.guard.Reg][f.Warp[k]], uint8(u.guard.Cond))
		}
		if e.Indirect {
			e.Targets[k], e.Nexts[k] = u.next, u.next
			if m != 0 {
				leave := &b.indirect[f.Warp[k]]
				e.Targets[k], m = leave.target, leave.lanes
				if leave.stay != 0 {
					e.Nexts[k] = u.pc
				}
			}
		}
		e.Lanes[k] = m
	}
	b.countOutcome(f, u, e)
	if kind == branch.Arrive && !f.Empty() {
		e.Barrier = u.ins.Barrier.ID
		b.noteArrival(f, u)
	}
	arrived, err := b.policy.Control(&f.Cohort, e)
	if err != nil {
		b.stackFault(u, f.time, err)
		return
	}
	if kind == branch.Return || kind == branch.Exit {
		b.forget(&f.Sel)
	}
	for w := range b.warps {
		if arrived>>w&1 != 0 {
			b.waiting[b.barrier[w]] |= 1 << w
		}
	}
}

// place notes where in the code f stands.
func (b *Block) place(f *front) {
	i, _ := b.p.index(f.PC)
	f.at, f.from = int32(i), int32(i)
}

// postpone keeps the fault of a front that ran ahead until its turn comes: another may
// do wrong earlier. It returns false, as control does for a front that does not go on.
func (b *Block) postpone(f *front) bool {
	if b.n > 1 {
		f.fault, f.parked, b.fault = b.fault, true, nil
	}
	return false
}

// openBarriers releases every barrier at which all live warps have arrived, and reports
// whether there was one. Warps that ended are not waited for.
func (b *Block) openBarriers(time uint64) bool {
	alive, opened := b.policy.Alive(), false
	for id, w := range b.waiting {
		if w != 0 && w&alive == alive {
			b.waiting[id] = 0
			if b.steps != nil {
				b.steps.passed()
			}
			b.policy.Release(w)
			b.form(w, time)
			opened = true
		}
	}
	return opened
}

// execWild is what is behind the end of the code, and everywhere else where no
// instruction starts.
func execWild(b *Block, u *uop, s *lane.Sel) bool {
	return b.raise(FaultInvalidPC, int(s.Warp[0]), s.Mask[0], fmt.Sprintf("no instruction starts at this address; the kernel has 0x%x bytes", u.pc))
}
