package reference

import (
	"jacquard/simt/engine/reference/alu"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// vote is docs/isa/operations.md, Vote. Under a policy that mixes warps all lanes of the issue vote
// together.
func (x *step) vote() bool {
	var yes [lane.MaxWarps]lane.Mask
	some, every := false, true
	for k, m := range x.s.Mask[:x.s.N] {
		w := int(x.s.Warp[k])
		yes[k] = passing(x.State, x.in.Guard, w, m)
		some, every = some || yes[k] != 0, every && yes[k] == m
		if x.Hook != nil {
			x.Hook.Vote(x.State, x.u, w, m, yes[k])
		}
	}
	for k, m := range x.s.Mask[:x.s.N] {
		w := int(x.s.Warp[k])
		own := x.answer(yes[k] != 0, yes[k] == m)
		answer := own
		if x.Mixed {
			answer = x.answer(some, every)
		}
		if x.Hook != nil && answer != own {
			x.Hook.VoteJoined(x.State, x.u, w, m)
		}
		for i := range lane.Width {
			if m>>i&1 != 0 {
				thread{x.State, w, i}.setCond(x.in.CDst.Index(), alu.Truth(answer))
			}
		}
	}
	return true
}

func (x *step) answer(some, every bool) bool {
	if x.in.Vote == tesla.VoteAny {
		return some
	}
	return every
}

// indirect is docs/isa/control.md, Indirect branch. Lanes leave for one target at a time, first for
// the lowest lane's.
func (x *step) indirect() bool {
	o := &x.in.Src[0]
	a := access{step: x, space: program.SpaceConst, bank: o.Index, t: tesla.B32, size: 4}
	a.aim(o)
	for k, w := range x.s.Warp[:x.s.N] {
		if v := a.violation(k); v != nil {
			return x.RaiseAccess(int(w), v)
		}
		leave := machine.Departure{}
		for t := range a.lanes(k) {
			target := a.element(t, a.at[k][t.lane])[0]
			if leave.Lanes == 0 {
				leave.Target = target
			}
			if target == leave.Target {
				leave.Lanes |= 1 << t.lane
			}
		}
		leave.Stay = x.s.Mask[k] &^ leave.Lanes
		if leave.Stay != 0 && o.Post {
			return x.Raise(machine.FaultUnsupported, int(w), x.s.Mask[k],
				"an indirect branch to several targets that also steps its address is not modelled")
		}
		x.Indirect[w] = leave
		a.end(k)
	}
	return true
}
