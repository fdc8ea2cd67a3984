package simt

import (
	"math/bits"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

func lowest(m lane.Mask) int { return bits.TrailingZeros32(uint32(m)) }

func lowerNop(*lowerer, *uop, *tesla.Instruction) {}

// lowerControl lowers an instruction that is nothing but a control event.
func lowerControl(e branch.EventKind) func(*lowerer, *uop, *tesla.Instruction) {
	return func(_ *lowerer, u *uop, _ *tesla.Instruction) { u.control, u.event = true, e }
}

// lowerIndirect lowers the branch through constant memory of GT21x.
func lowerIndirect(l *lowerer, u *uop, in *tesla.Instruction) {
	u.control, u.lone, u.event, u.exec = true, true, branch.Branch, execIndirect
	u.addr = l.addressing(&in.Src[0])
}

// execIndirect reads the targets. Lanes of a warp that read different ones leave one target
// at a time, that of the lowest lane first; the rest issue the instruction again.
// Unverified: which goes first, and that hardware issues it again; only racy code and
// counts can tell.
func execIndirect(b *Block, u *uop, s *lane.Sel) bool {
	o, at := &u.ins.Src[0], b.addresses(u.addr, s)
	for k := range s.N {
		w := int(s.Warp[k])
		t := b.scratchRow(tmpData, w)
		if v := b.constant(o.Index).Load(&mem.Data{t}, at.At(w), s.Mask[k], tesla.B32, nil); v != nil {
			return b.raiseAccess(w, v)
		}
		leave := indirect{target: t[lowest(s.Mask[k])]}
		for m := s.Mask[k]; m != 0; m &= m - 1 {
			if t[lowest(m)] == leave.target {
				leave.lanes |= m & -m
			}
		}
		if leave.stay = s.Mask[k] &^ leave.lanes; leave.stay != 0 && o.Post {
			return b.raise(FaultUnsupported, w, s.Mask[k], "an indirect branch to several targets that also steps its address is not modelled")
		}
		b.indirect[w] = leave
	}
	return true
}

// indirect is how the lanes of a warp leave an indirect branch.
type indirect struct {
	target uint32
	lanes  lane.Mask // these go there
	stay   lane.Mask // these issue the instruction again
}

func lowerTrap(_ *lowerer, u *uop, _ *tesla.Instruction) {
	u.stop(func(b *Block, _ *uop, s *lane.Sel) bool {
		return b.raise(FaultTrap, int(s.Warp[0]), s.Mask[0], "")
	})
}

// lowerBar lowers the barrier in the form all compilers use: arrive and wait.
// Unverified: the count field; a full barrier has 0xfff there, and every other value is
// taken to mean all warps too.
func lowerBar(l *lowerer, u *uop, in *tesla.Instruction) {
	if !in.Barrier.Inc || !in.Barrier.Wait {
		l.refuse(u, FaultUnsupported, "a barrier that does not both arrive and wait is not modelled")
		return
	}
	u.control, u.event = true, branch.Arrive
}

func lowerVote(_ *lowerer, u *uop, _ *tesla.Instruction) { u.exec = execVote }

// execVote evaluates the guard field as data over the active lanes of each issue.
// Unverified: the answer is encoded as compare-and-set does.
func execVote(b *Block, u *uop, s *lane.Sel) bool {
	g := u.ins.Guard
	for k := range s.N {
		b.holds[k] = 0
		yes := s.Mask[k] & lane.Condition(&b.flags[g.Reg][s.Warp[k]], uint8(g.Cond))
		if u.ins.Vote == tesla.VoteAny && yes != 0 || u.ins.Vote == tesla.VoteAll && yes == s.Mask[k] {
			b.holds[k] = lane.All
		}
		if b.steps != nil {
			b.steps.vote(b, u, int(s.Warp[k]), s.Mask[k], yes)
		}
	}
	if b.convoy.mixes {
		own := b.holds
		voteTogether(b.holds[:s.N], u.ins.Vote)
		for k := range s.N {
			if b.steps != nil && own[k] != b.holds[k] {
				b.steps.joined(b, u, int(s.Warp[k]), s.Mask[k])
			}
		}
	}
	lane.MaskFlags(b.flags[u.cdst], &b.holds, s)
	return true
}

// voteTogether makes one vote of those of an issue's parts.
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
