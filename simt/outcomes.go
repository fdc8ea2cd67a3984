package simt

import "jacquard/simt/branch"

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

// countOutcome counts where the lanes of f go at u, if they have a choice.
func (b *Block) countOutcome(f *front, u *uop, e *branch.Event) {
	switch e.Kind {
	case branch.Branch, branch.Break, branch.Return:
	default:
		return
	}
	o := &b.each[u.at].branch
	lanes, went := 0, 0
	for k := range f.N {
		n, m := bitCount(f.Mask[k]), bitCount(e.Lanes[k])
		if b.mixes { // all are one issue
			lanes, went = lanes+n, went+m
			continue
		}
		o.count(n, m)
	}
	o.count(lanes, went)
}
