package schedule

import (
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
	"jacquard/simt/watch"
	"jacquard/tesla"
)

// watched is a block's observer and the present issue.
type watched struct {
	watch.BlockObserver
	debugger watch.BlockDebugger // the observer, if it is one; else nil
	issue    watch.Issue
}

// watch asks an observer about a block, and reports whether the block is watched. The block is ready
// to start or has begun, because the observer may read registers.
func (b *block) watch(asked watch.Observer) bool {
	o := asked.Block(b.seen())
	if o == nil {
		return false
	}
	b.watched = &watched{BlockObserver: o, issue: watch.Issue{Block: b.view, Mixed: b.mixes}}
	b.watched.debugger, _ = o.(watch.BlockDebugger)
	return true
}

// attend looks after observers that come and go, between two turns. Whether a block is watched or
// not, the policy knows of every event before. While the block is watched, it is told of each.
func attend(b *block) {
	switch o := b.watched; {
	case o != nil:
		if o.debugger != nil && o.debugger.Leaves() {
			b.watched = nil
			b.choose()
		}
	case b.g.later != nil:
		asked := b.g.later.Load()
		if asked == nil || !b.watch(asked) {
			return
		}
		if !b.mixes {
			b.tellArrivals()
			b.tellEnds()
		}
		b.told, b.atStart, b.Warps = true, false, 0
		b.choose()
	}
}

// before tells a debugger of the issue of u by the front.
func (o *watched) before(b *block, u *program.Op) {
	if o.debugger == nil {
		return
	}
	i := &o.issue
	i.Time, i.PC, i.Instruction, i.Active, i.Vetoed = b.front.time, u.PC, u.Ins, b.front.Sel, 0
	o.debugger.Before(i, b.st)
}

// beginControl begins the issue of a control instruction after its join marker.
func (o *watched) beginControl(b *block, u *program.Op, execute bool) {
	active, executing := &b.front.Sel, &b.front.Sel
	if u.Marker == tesla.MarkerJoin {
		active = &b.arriving
		if !execute {
			executing = &lane.Sel{}
		}
	}
	o.begin(b.st, u, b.front.time, active, executing)
}

// begin fills in the issue of u before u executes. Warps in active but not in executing are vetoed.
func (o *watched) begin(st *machine.State, u *program.Op, time uint64, active, executing *lane.Sel) {
	i := &o.issue
	i.Time, i.PC, i.Instruction = time, u.PC, u.Ins
	i.Vetoed, i.Accesses = 0, u.Accesses()
	i.Active.N, i.Active.Full = 0, true
	k := 0
	for j := range active.N {
		w, m := int(active.Warp[j]), active.Mask[j]
		vetoed := k == executing.N || int(executing.Warp[k]) != w
		if vetoed {
			i.Vetoed |= 1 << w
			i.Executed[j] = 0
		} else {
			m = executing.Mask[k]
			k++
			i.Executed[j] = m
			if u.Guarded && u.HeedsGuard() {
				i.Executed[j] &= lane.Condition(&st.Flags[u.Guard.Reg][w], uint8(u.Guard.Cond))
			}
		}
		i.Active.Add(w, m)
		if i.Accesses && !vetoed {
			i.Addresses[j] = *st.AddressesOf(u, w, &i.Addresses[j])
		}
	}
}
