package check

import (
	"slices"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/source"
)

// Meets is for Meeting.
func (x *syncWatcher) Meets(opens bool, live *[lane.MaxWarps]lane.Mask, places func(w int) []branch.Place) {
	follows := x.skewed && opens
	x.told = x.told || !opens
	all := (*lanes)(live)
	gone := x.full.without(all)
	fresh := gone.without(&x.gone)
	x.gone = gone
	parted := x.parted(all)
	x.skewed = true
	switch {
	case len(parted) > 0:
		x.divergent(parted, all, follows, places)
	case len(x.waits) > 1:
		x.different(opens, follows)
	case opens:
		x.skewed = false
		if fresh != (lanes{}) {
			x.ended(&fresh, all, follows)
		}
	default: // Sync tells of the fault
		x.told = false
	}
	x.waits = x.waits[:0]
}

// parted returns the lanes at each barrier that are only some of their warp.
func (x *syncWatcher) parted(live *lanes) (list []group) {
	for i := range x.waits {
		g := group{u: x.waits[i].u}
		for w, m := range x.waits[i].lanes {
			if m != live[w] {
				g.lanes[w] = m
			}
		}
		if g.lanes != (lanes{}) {
			list = append(list, g)
		}
	}
	return list
}

// divergent notes that lanes of warps have parted: some are at the first barrier of the list, the
// others at other barriers or elsewhere.
func (x *syncWatcher) divergent(parted []group, live *lanes, follows bool, places func(w int) []branch.Place) {
	first := &parted[0]
	x.add(mistake{Divergent, first.u.At, 0}, first.lanes.count(), follows, func() Finding {
		f := Finding{
			Text:   "some lanes of a warp come to a barrier, and the others do not wait there",
			Advice: "Let all threads of the block come to the barrier: take it out of the branch or loop.",
			At:     x.site(first, "barrier"),
		}
		for i := range parted[1:] {
			f.With = append(f.With, x.site(&parted[1+i], "barrier"))
		}
		var others []group
		came := union(x.waits)
		for w, m := range live.without(&came) {
			if m == 0 || first.lanes[w] == 0 {
				continue
			}
			for _, p := range places(w) {
				if at, ok := x.l.Program.Index(p.PC); ok && p.Lanes&m != 0 {
					add(&others, &x.l.Program.Code[at], w, p.Lanes&m)
				}
			}
		}
		for i := range others {
			f.With = append(f.With, x.site(&others[i], "elsewhere"))
		}
		return f
	})
}

// different notes that warps wait at different barriers.
func (x *syncWatcher) different(opens, follows bool) {
	m := mistake{Different, x.waits[0].u.At, x.waits[1].u.At}
	x.add(m, x.waits[0].lanes.count(), follows, func() Finding {
		f := Finding{
			Text:   "warps of a block wait at different barriers, and go on together",
			Advice: "Let all threads of the block come to the same barrier.",
			At:     x.site(&x.waits[0], "barrier"),
		}
		if !opens {
			f.Text = "warps of a block wait at different barriers, none of which can open"
		}
		for i := range x.waits[1:] {
			f.With = append(f.With, x.site(&x.waits[1+i], "barrier"))
		}
		return f
	})
}

// ended notes that a barrier opens without the lanes in gone, which have ended.
func (x *syncWatcher) ended(gone, live *lanes, follows bool) {
	at := &x.waits[0]
	what, text := x.missing(at.u.PC, gone, live)
	x.add(mistake{what, at.u.At, 0}, at.lanes.count(), follows, func() Finding {
		f := Finding{
			Text:   text,
			Advice: "Let all threads of the block come to the barrier: take it out of the branch or loop, or let them end behind it.",
			At:     x.site(at, "barrier"),
		}
		for _, g := range x.ends {
			if g.lanes = g.lanes.and(gone); g.lanes != (lanes{}) {
				f.With = append(f.With, x.site(&g, "end"))
			}
		}
		return f
	})
}

// GoAround is the text of a Divergent barrier at which lanes are missing that have ended.
const GoAround = "some lanes of a warp come to a barrier, and the others go around it to the end"

// missing returns the words for a barrier that opens without lanes which have ended. Code is the same
// for a return before the barrier and for a branch around it to the end: both are a return under a
// condition. Lanes that ended on a later line than the barrier's went around it; of others, the text
// of the source may tell.
func (x *syncWatcher) missing(barrier uint32, gone, live *lanes) (what, text string) {
	k := &x.l.Program.Kernel
	what, text = Partial, "a barrier opens without warps of the block that have ended"
	for w, m := range gone {
		if m == 0 || live[w] == 0 {
			continue
		}
		what, text = AfterExit, "a barrier opens without threads that have ended: by a return before it, or by a branch around it to the end"
		for _, g := range x.ends {
			if g.lanes[w]&m != 0 && behind(k.Frames(barrier), k.Frames(g.u.PC)) {
				return Divergent, GoAround
			}
		}
	}
	return what, text
}

// behind reports whether the line of an instruction is that of a barrier, or a later one of the same
// function; the frames of both are innermost first. Without lines it is false.
func behind(barrier, end []source.Frame) bool {
	for len(barrier) > 0 && len(end) > 0 {
		b, e := barrier[len(barrier)-1], end[len(end)-1]
		if b.Function != e.Function || b.File != e.File || b.Line.Line == 0 {
			return false
		}
		if b.Line.Line != e.Line.Line {
			return b.Line.Line < e.Line.Line
		}
		barrier, end = barrier[:len(barrier)-1], end[:len(end)-1]
	}
	users := func(f source.Frame) bool { return !f.System }
	return !slices.ContainsFunc(barrier, users) && !slices.ContainsFunc(end, users)
}

// site returns the site of lanes.
func (x *syncWatcher) site(g *group, role string) Site {
	var where []Thread
	for w, m := range g.lanes {
		if m != 0 {
			where = append(where, Thread{Block: x.index, Warp: w, Lanes: m})
		}
	}
	return SiteOf(x.l.Program, g.u, role, where...)
}
