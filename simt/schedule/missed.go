package schedule

import (
	"slices"

	"jacquard/simt/branch"
	"jacquard/simt/check"
	"jacquard/simt/lane"
	"jacquard/simt/program"
)

// Some policies, like a board, take a warp to have arrived at a barrier when some of its lanes
// have: the others miss it. Under other policies lanes arrive one by one, and the warp waits for
// the last. The block tells by whether the policy blocks the other lanes.

// apart returns the live lanes of the front's warp that are elsewhere, and not blocked, as the
// front comes to barrier u. It returns none if lanes are known to have missed the barrier.
func (b *block) apart(u *program.Op) lane.Mask {
	f := &b.front
	if b.mixes {
		return 0
	}
	w, m := int(f.Warp[0]), f.Mask[0]
	others := b.policy.Live(w) & lane.Group(m, b.g.policy.warp) &^ m
	if others == 0 || slices.ContainsFunc(b.missed, func(m *check.MissedBarrier) bool { return m.What == check.Divergent && m.PC == u.PC }) {
		return 0
	}
	return others &^ b.blocked(w)
}

// blocked returns the lanes of a warp that wait at a barrier.
func (b *block) blocked(w int) (set lane.Mask) {
	b.around = b.policy.Places(w, b.around[:0])
	for _, p := range b.around {
		if p.Blocked {
			set |= p.Lanes
		}
	}
	return set
}

// miss records the lanes of apart that the policy has blocked since warp w arrived at barrier u
// with lanes m.
func (b *block) miss(u *program.Op, w int, m, apart lane.Mask) {
	if missing := apart & b.blocked(w); missing != 0 {
		b.misses.add(b, check.MissedBarrier{What: check.Divergent, Warp: w, PC: u.PC, Arrived: m, Missing: missing})
	}
}

// met records what is wrong with a barrier that opens for the warps in alive, which wait where they
// arrived last. After the first mistake of a block, the barriers at which warps meet follow from it.
func (l *misses) met(b *block, alive branch.WarpSet) {
	gone := branch.WarpSet(b.Meet) &^ alive
	b.Meet = uint32(alive)
	if len(l.missed) > 0 {
		return
	}
	first := lowestWarp(alive)
	u := &b.code[b.last[first].at]
	for m := alive; m != 0; m &= m - 1 {
		w := lowestWarp(m)
		if v := &b.code[b.last[w].at]; v != u && !b.p.Kernel.SameLine(u.PC, v.PC) {
			l.add(b, check.MissedBarrier{What: check.Different, Warp: first, PC: u.PC, OtherWarp: w, Other: v.PC})
			return
		}
	}
	if gone != 0 {
		l.add(b, check.MissedBarrier{What: check.Partial, Warp: first, PC: u.PC, Ended: uint16(gone)})
	}
}

// add records m with its place.
func (l *misses) add(b *block, m check.MissedBarrier) {
	m.Kernel, m.Block, m.Source = b.p.Kernel.Name, b.st.Index, b.p.Kernel.SourceOf(m.PC)
	if m.What == check.Different {
		m.OtherSource = b.p.Kernel.SourceOf(m.Other)
	}
	l.missed = append(l.missed, &m)
}

// misses holds a block's records of missed barriers.
type misses struct {
	missed []*check.MissedBarrier // the first of a kind at each barrier
	around []branch.Place         // scratch
}
