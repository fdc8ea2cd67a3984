package check

import (
	"math/bits"
	"slices"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
)

// Sync is a Checker that finds barriers to which not all threads of a block come together, and waits
// that never end. A barrier is for all threads of a block, and for one place of the text: two
// instructions of one line are one barrier.
type Sync struct {
	// Found gets what is found, at the end of each launch.
	Found func(Finding)

	// First is told of each mistake when it happens first in a launch; may be nil. Waits that never
	// end are known at the end of the launch alone.
	First func(Finding)
}

// syncLaunch is a launch that a Sync watches.
type syncLaunch struct {
	*Sync
	l     *Launch
	full  lanes   // the threads of a block
	text  []int32 // by instruction: the first barrier of the same line
	list  []*Finding
	known map[mistake]*Finding
	locks locks
	stuck []syncWatcher // blocks of which not all lanes ended
	told  bool          // the barriers that cannot open are in list
}

// lanes are lanes of a block, by warp.
type lanes [lane.MaxWarps]lane.Mask

// mistake tells findings of a launch apart.
type mistake struct {
	what      string
	at, other int32 // of barriers; other matters to Different alone
}

// Begin is for Checker.
func (c *Sync) Begin(l *Launch) Watch {
	g := &syncLaunch{Sync: c, l: l, known: map[mistake]*Finding{}, locks: locks{}}
	threads := l.Block[0] * l.Block[1] * l.Block[2]
	for w := range l.Warps {
		g.full[w] = lane.All >> max(0, lane.Width*(w+1)-threads)
	}
	g.text = make([]int32, len(l.Program.Code))
	var barriers []*program.Op
	for i := range l.Program.Code {
		u := &l.Program.Code[i]
		g.text[i] = u.At
		if u.Event != branch.Arrive {
			continue
		}
		first := slices.IndexFunc(barriers, func(v *program.Op) bool { return l.Program.Kernel.SameLine(u.PC, v.PC) })
		if first >= 0 {
			g.text[i] = barriers[first].At
		} else {
			barriers = append(barriers, u)
		}
	}
	return g
}

// Block is for Watch.
func (g *syncLaunch) Block(st *machine.State) Watcher { return &syncWatcher{syncLaunch: g, st: st} }

// End is for Watch.
func (g *syncLaunch) End(f *machine.Fault) {
	if f != nil && (f.Kind == machine.FaultLivelock || f.Kind == machine.FaultBarrier && !g.told) {
		g.list = append(g.list, g.endless(f))
	}
	for _, f := range g.list {
		g.Found(*f)
	}
}

// add counts a mistake of n lanes. A new mistake becomes a finding, unless it follows from another.
func (g *syncLaunch) add(m mistake, n int, follows bool, finding func() Finding) {
	f := g.known[m]
	first := f == nil
	if first {
		if follows {
			return
		}
		made := finding()
		made.Kind, made.What, made.Level, made.Kernel = KindSync, m.what, Error, g.l.Program.Kernel.Name
		f = &made
		g.known[m] = f
		g.list = append(g.list, f)
	}
	f.Count += uint64(n)
	if first && g.First != nil {
		g.First(*f)
	}
}

// syncWatcher watches the blocks of a state.
type syncWatcher struct {
	*syncLaunch
	locking
	st    *machine.State
	index [2]int  // of the block
	waits []group // since the last opening, by barrier of the text
	ends  []group // by instruction
	gone  lanes   // that had ended at the last opening
	// skewed says that warps have met that should not. Until all lanes meet at one barrier, what is
	// new may follow from that.
	skewed bool
}

// group is lanes at one instruction.
type group struct {
	u     *program.Op
	lanes lanes
}

// Start is for Watcher.
func (x *syncWatcher) Start() {
	*x = syncWatcher{syncLaunch: x.syncLaunch, st: x.st, index: x.st.Index, waits: x.waits[:0], ends: x.ends[:0]}
}

// Arrived is for Meeting.
func (x *syncWatcher) Arrived(u *program.Op, w int, m lane.Mask) {
	add(&x.waits, &x.l.Program.Code[x.text[u.At]], w, m)
}

// Ended is for Meeting.
func (x *syncWatcher) Ended(u *program.Op, w int, m lane.Mask) { add(&x.ends, u, w, m) }

// Opened is for Watcher.
func (x *syncWatcher) Opened() {}

// End is for Watcher.
func (x *syncWatcher) End() {
	ended := union(x.ends)
	if ended != x.full {
		kept := *x
		kept.waits, kept.ends = slices.Clone(x.waits), nil
		x.stuck = append(x.stuck, kept)
	}
}

// add adds lanes of a warp to the group at u.
func add(list *[]group, u *program.Op, w int, m lane.Mask) {
	i, there := slices.BinarySearchFunc(*list, u.At, func(g group, at int32) int { return int(g.u.At - at) })
	if !there {
		*list = slices.Insert(*list, i, group{u: u})
	}
	(*list)[i].lanes[w] |= m
}

// union returns the lanes of all groups.
func union(list []group) (all lanes) {
	for i := range list {
		for w, m := range list[i].lanes {
			all[w] |= m
		}
	}
	return all
}

// without returns the lanes that are not in o.
func (l *lanes) without(o *lanes) (rest lanes) {
	for w, m := range l {
		rest[w] = m &^ o[w]
	}
	return rest
}

// and returns the lanes that are in both.
func (l *lanes) and(o *lanes) (both lanes) {
	for w, m := range l {
		both[w] = m & o[w]
	}
	return both
}

// count returns the number of lanes.
func (l *lanes) count() (n int) {
	for _, m := range l {
		n += bits.OnesCount32(uint32(m))
	}
	return n
}
