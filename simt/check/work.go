package check

import "jacquard/simt/lane"

// Work is the place of a launch or a copy among the work of all streams. The zero Work comes after
// everything.
type Work struct {
	Stream, Number int         // Number counts the work of a stream, from 1
	After          map[int]int // by stream, the number of the last work before
	Done           map[int]int // by stream, the number of the last work before all work to come
	Beside         bool        // later work may run at the same time
}

// after reports whether w comes after earlier work.
func (w *Work) after(earlier *Work) bool {
	return w.Number == 0 || earlier.Number == 0 || w.After[earlier.Stream] >= earlier.Number
}

// done reports whether all work from w on comes after earlier work.
func (w *Work) done(earlier *Work) bool {
	return w.Number == 0 || earlier.Number == 0 || w.Done[earlier.Stream] >= earlier.Number
}

// is reports whether both are one work: a launch that runs again.
func (w *Work) is(o *Work) bool {
	return w.Number != 0 && w.Stream == o.Stream && w.Number == o.Number
}

// meetWork is meet for an access of other work.
func (x *raceWatcher) meetWork(was cell, how access, piece uint32, l int) {
	h := x.launchOf(was.epoch())
	if h == nil || x.work.after(&h.work) {
		return
	}
	p := pair{from: h, first: was.index(), then: x.at.u.At, was: how, now: x.at.kind, space: x.at.space, level: Error}
	x.found.add(x, p, was, piece<<x.unit, l)
}

// Copy notes a copy of the host in a stream: bytes of device memory that the device reads or
// writes. It reports the kernels and copies that may run at the same time.
func (r *Race) Copy(site Site, addr uint32, bytes int, stores bool) {
	g := &raceLaunch{Race: r, copy: &site, unit: 2}
	for _, h := range r.earlier {
		g.unit = h.unit
	}
	r.place(g)
	now := newCell(g.next(0), 0, 0, false)
	seen := map[*raceLaunch]bool{}
	meet := func(was cell, how access, piece uint32) {
		h := g.launchOf(was.epoch())
		if was.epoch() < g.oldest || h == nil || h == g || g.work.after(&h.work) || seen[h] {
			return
		}
		seen[h] = true
		r.Found(g.conflict(h, was, how, piece<<g.unit, stores))
	}
	for piece := addr >> g.unit; piece<<g.unit < addr+uint32(bytes); piece++ {
		c, k := g.pages.of(piece), piece&(1<<pieceBits-1)
		if was := c.wrote[k]; was.atomic() {
			meet(was, changes, piece)
		} else {
			meet(was, writes, piece)
		}
		if !stores {
			c.noteRead(k, now, cell(g.oldest)<<epochAt, false)
			continue
		}
		meet(c.read[k], reads, piece)
		meet(c.other[k], reads, piece)
		c.wrote[k] = now
	}
}

// conflict returns the finding of a copy and an earlier access at an address.
func (g *raceLaunch) conflict(h *raceLaunch, was cell, how access, addr uint32, stores bool) Finding {
	f := Finding{Kind: KindRace, What: "read-write", Space: "global", Level: Error, Launch: -1, Count: 1, At: *g.copy, With: []Site{h.site(was, how, addr)}}
	if stores && how != reads {
		f.What = "write-write"
	}
	f.Text, f.Advice = streamsText, streamsAdvice
	if h.l != nil {
		f.Kernel = h.l.Program.Kernel.Name
	}
	return f
}

const (
	streamsText   = "work of two streams accesses the same bytes, and nothing orders the streams"
	streamsAdvice = "Wait for the other stream, or for an event that stands behind its work (cudaStreamWaitEvent)."
)

// site returns the place of an earlier access of the work.
func (g *raceLaunch) site(was cell, how access, addr uint32) Site {
	if g.copy != nil {
		return *g.copy
	}
	p := g.l.Program
	b := int(g.blockOf(was.epoch()))
	s := SiteOf(p, &p.Code[was.index()], accessNames[how], Thread{
		Block: [2]int{b % g.l.Grid[0], b / g.l.Grid[0]}, Warp: was.warp(), Lanes: lane.Mask(1) << (was.thread() & 31),
	})
	s.Addr, s.Size = &addr, 1<<g.unit
	return s
}
