package simt

import (
	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/program"
)

// Outcomes says where the issues of a branch, break or return went. Those without lanes and
// those that a join marker vetoed are not among them.
type Outcomes struct {
	Taken     uint64 // by all active lanes
	NotTaken  uint64 // by none
	Divergent uint64 // by some
	Threads   uint64 // lanes that took it
}

// count counts an issue of some lanes, of which so many went.
func (o *Outcomes) count(lanes, went int) {
	switch {
	case lanes == 0:
		return
	case went == lanes:
		o.Taken++
	case went == 0:
		o.NotTaken++
	default:
		o.Divergent++
	}
	o.Threads += uint64(went)
}

func (o *Outcomes) add(x *Outcomes) {
	o.Taken += x.Taken
	o.NotTaken += x.NotTaken
	o.Divergent += x.Divergent
	o.Threads += x.Threads
}

// all counts that all lanes of s go.
func (o *Outcomes) all(s *lane.Sel) {
	o.Taken += uint64(s.N)
	o.Threads += uint64(lanesOf(s))
}

// countAlike counts that all lanes of the front go the same way at branch u.
func (c *convoy) countAlike(u *program.Op, taken bool) {
	f, o := &c.front, &c.each[u.At].branch
	if !taken {
		o.NotTaken += uint64(f.N)
		return
	}
	o.all(&f.Sel)
}

// lanesOf returns how many lanes s has.
func lanesOf(s *lane.Sel) (n int) {
	if s.Full {
		return s.N * lane.Width
	}
	for _, m := range s.Mask[:s.N] {
		n += bitCount(m)
	}
	return n
}

// countOutcome counts where the lanes of the front go at u, if they have a choice.
func (c *convoy) countOutcome(e *branch.Event, u *program.Op) {
	f := &c.front
	switch e.Kind {
	case branch.Branch, branch.Break, branch.Return:
	default:
		return
	}
	o := &c.each[u.At].branch
	lanes, went := 0, 0
	for k := range f.N {
		n, m := bitCount(f.Mask[k]), bitCount(e.Lanes[k])
		if c.mixes { // all are one issue
			lanes, went = lanes+n, went+m
			continue
		}
		o.count(n, m)
	}
	o.count(lanes, went)
}
