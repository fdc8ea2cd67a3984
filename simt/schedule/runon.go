package schedule

import (
	"math/bits"

	"jacquard/simt/branch"
	"jacquard/simt/engine"
	"jacquard/simt/lane"
	"jacquard/simt/program"
)

// RunOn implements engine.Runner with the engine's Run: for engines that are no Runner, for turns of
// one instruction, and for issues without lanes.
func (b *block) RunOn(t *engine.Turn) {
	b.uncounted = t.At
	for b.runStraight(t) {
		stops := t.Steps > 0 && (t.At == t.Stop || t.Steps >= t.Room) || !b.pass(t, &b.code[t.At])
		if stops || t.At == t.Stop || b.exact {
			b.count(t)
			return
		}
	}
}

// runStraight executes straight-line code from t.At, up to t.Stop. It reports false if an
// instruction faulted.
func (b *block) runStraight(t *engine.Turn) (sound bool) {
	end := b.code[t.At].End
	if t.Stop > t.At {
		end = min(end, t.Stop)
	}
	if t.Heeds {
		end = min(end, b.code[t.At].Shown)
	}
	if b.exact {
		end = min(end, t.At+1)
	}
	if t.Lanes != 0 && end > t.At {
		b.st.Clock = t.Clock + t.Steps - uint64(t.At)
		ran := int32(b.engine.Run(b.lanes(t.Warp, t.Lanes), int(t.At), int(end)))
		if b.st.Raised != nil {
			t.Steps += uint64(ran - 1 - t.At)
			t.At = ran - 1
			b.count(t)
			t.Steps++
			b.st.Counts.Issue(bitCount(t.Lanes), t.At, t.At+1)
			return false
		}
	}
	t.Steps += uint64(end - t.At)
	t.At = end
	return true
}

// pass passes control instruction u. It reports false if the policy must be told of u.
func (b *block) pass(t *engine.Turn, u *program.Op) bool {
	switch {
	case !u.Control || u.Acts || t.Tells[u.At] == branch.TellAlways:
		return false
	case u.Event != branch.Branch && u.Event != branch.Break && u.Event != branch.Return:
		t.At++
		t.Steps++
		return true
	}
	taken, left := b.way(u, t.Warp, t.Lanes)
	switch {
	case left != 0 && t.Tells[u.At] == branch.TellUnlessTaken:
		return false
	case u.Guarded && taken == 0:
		b.st.Counts.NotTaken[u.At]++
		if u.Event == branch.Branch {
			t.Branches++
		}
		t.At++
		t.Steps++
		b.cut(t, t.At, 0)
		return true
	case left != 0 || u.Event != branch.Branch || u.To < 0 || t.Oversteps(u.At, u.To):
		return false
	}
	b.st.Counts.TakenBy(bitCount(t.Lanes))[u.At]++
	t.Branches++
	t.At++
	t.Steps++
	b.count(t)
	b.cut(t, u.To, t.Lanes)
	t.At, b.uncounted = u.To, u.To
	return true
}

// count counts the straight-line code up to t.At.
func (b *block) count(t *engine.Turn) {
	if from, to := b.uncounted, t.At; from < to {
		b.st.Counts.Issue(bitCount(t.Lanes), from, to)
		b.uncounted = to
	}
}

// way splits the lanes m of warp w by branch u: taken, not taken.
func (b *block) way(u *program.Op, w int, m lane.Mask) (taken, left lane.Mask) {
	if !u.Guarded {
		return m, 0
	}
	taken = m & lane.Condition(&b.st.Flags[u.Guard.Reg][w], uint8(u.Guard.Cond))
	return taken, m &^ taken
}

// lanes returns lanes of a warp as a selection, valid until the next call.
func (b *block) lanes(w int, m lane.Mask) *lane.Sel {
	s := &b.one
	s.N, s.Full = 1, m == lane.All
	s.Warp[0], s.Mask[0] = uint8(w), m
	return s
}

func bitCount(m lane.Mask) int { return bits.OnesCount32(uint32(m)) }
