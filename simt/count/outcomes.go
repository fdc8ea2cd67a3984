package count

import "jacquard/simt/lane"

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

// All counts that all lanes of s go.
func (o *Outcomes) All(s *lane.Sel) {
	o.Taken += uint64(s.N)
	o.Threads += uint64(LanesOf(s))
}

// LanesOf returns how many lanes s has.
func LanesOf(s *lane.Sel) (n int) {
	if s.Full {
		return s.N * lane.Width
	}
	for _, m := range s.Mask[:s.N] {
		n += lanes(m)
	}
	return n
}
