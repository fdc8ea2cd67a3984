package interp

import (
	"fmt"
	"math/bits"

	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

var controls = bindings{
	tesla.OpNop:         bindExec(execNothing),
	tesla.OpPmEvent:     bindExec(execNothing),
	tesla.OpBrkpt:       bindExec(execNothing),
	tesla.OpVote:        bindExec(execVote),
	tesla.OpBraIndirect: bindExec(execIndirect),
	tesla.OpTrap:        bindExec(execTrap),
}

func execNothing(*Engine, *op, *lane.Sel) bool { return true }

// execOffCode serves all addresses at which no instruction begins.
func execOffCode(eng *Engine, u *op, s *lane.Sel) bool {
	return eng.Raise(machine.FaultInvalidPC, int(s.Warp[0]), s.Mask[0],
		fmt.Sprintf("no instruction starts at this address; the kernel has 0x%x bytes", u.PC))
}

func execRefused(eng *Engine, u *op, s *lane.Sel) bool {
	return eng.Raise(machine.RefusedKind(u.Refusal), int(s.Warp[0]), s.Mask[0], u.Refusal.Reason)
}

func execTrap(eng *Engine, _ *op, s *lane.Sel) bool {
	return eng.Raise(machine.FaultTrap, int(s.Warp[0]), s.Mask[0], "")
}

func lowest(m lane.Mask) int { return bits.TrailingZeros32(uint32(m)) }

// execIndirect reads the targets. If lanes of a warp read different targets, the lanes with the
// lowest lane's target leave first; the others issue the instruction again.
// Unverified: which lanes leave first, and that hardware issues the instruction again; only racy
// code and counts can tell.
func execIndirect(eng *Engine, u *op, s *lane.Sel) bool {
	o, at := &u.Ins.Src[0], eng.addresses(u.Addr, s)
	for k := range s.N {
		w := int(s.Warp[k])
		t := eng.scratchRow(tmpData, w)
		if v := eng.constant(o.Index).Load(&mem.Data{t}, at.At(w), s.Mask[k], tesla.B32, nil); v != nil {
			return eng.RaiseAccess(w, v)
		}
		leave := machine.Departure{Target: t[lowest(s.Mask[k])]}
		for m := s.Mask[k]; m != 0; m &= m - 1 {
			if t[lowest(m)] == leave.Target {
				leave.Lanes |= m & -m
			}
		}
		if leave.Stay = s.Mask[k] &^ leave.Lanes; leave.Stay != 0 && o.Post {
			return eng.Raise(machine.FaultUnsupported, w, s.Mask[k], "an indirect branch to several targets that also steps its address is not modelled")
		}
		eng.Indirect[w] = leave
	}
	return true
}

// execVote evaluates the guard field as data over the active lanes of each issue.
// Unverified: the answer is encoded as compare-and-set does.
func execVote(eng *Engine, u *op, s *lane.Sel) bool {
	g := u.Ins.Guard
	for k := range s.N {
		eng.holds[k] = 0
		yes := s.Mask[k] & lane.Condition(&eng.Flags[g.Reg][s.Warp[k]], uint8(g.Cond))
		if u.Ins.Vote == tesla.VoteAny && yes != 0 || u.Ins.Vote == tesla.VoteAll && yes == s.Mask[k] {
			eng.holds[k] = lane.All
		}
		if eng.Hook != nil {
			eng.Hook.Vote(&eng.State, &u.Op, int(s.Warp[k]), s.Mask[k], yes)
		}
	}
	if eng.Mixed {
		own := eng.holds
		voteTogether(eng.holds[:s.N], u.Ins.Vote)
		for k := range s.N {
			if eng.Hook != nil && own[k] != eng.holds[k] {
				eng.Hook.VoteJoined(&eng.State, &u.Op, int(s.Warp[k]), s.Mask[k])
			}
		}
	}
	lane.MaskFlags(eng.Flags[u.CDst], &eng.holds, s)
	return true
}

// voteTogether combines the votes of an issue's warps into one.
func voteTogether(holds []lane.Mask, vote tesla.VoteOp) {
	sum := holds[0]
	for _, h := range holds[1:] {
		if vote == tesla.VoteAny {
			sum |= h
		} else {
			sum &= h
		}
	}
	for k := range holds {
		holds[k] = sum
	}
}
