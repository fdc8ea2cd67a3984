package trace

import (
	"slices"

	"jacquard/simt/lane"
)

// predictor guesses what a warp does next from what it did before. Writer and reader keep one for each warp
// and feed them the same, so that what comes as guessed need not be written.
//
// It assumes that the stretch that follows another is like that which followed the last that ended at the same place. Lanes that
// change are often those that parted at a branch. A row of values that are evenly spaced is as much further as it was
// last time.
type predictor struct {
	time    uint64    // behind the last stretch
	index   int32     // where it ended
	mask    lane.Mask // its lanes
	taken   lane.Mask // lanes that took the last branch at which some did and some did not
	left    lane.Mask // and that did not
	place   int       // in follows: where the prediction of the next stretch is
	follows []stretch // by what a stretch came to: what came next, the last time
	rows    []even    // of all values
}

// stretch is straight code that a warp issues for the same lanes, one instruction a round. All lanes execute all of it, but for
// the last instruction. It is as long as it can be.
type stretch struct {
	gap      uint64 // rounds since the one before
	from, to int32  // indices of the instructions, to not included
	manner   manner
}

// manner is what the lanes of a stretch do: one of the first and one of the second.
type manner uint8

// Which active lanes execute the last instruction.
const (
	allExecute   manner = iota
	noneExecutes        // though some are active
	someExecute         // these are written
	elsewhere           // the join marker sent the warp there, before it could execute
	execution    manner = 3
)

// Which lanes are active.
const (
	sameActive   manner = iota << 2 // those of the stretch before
	takenActive                     // those that took the last branch at which lanes parted
	leftActive                      // those that did not
	bothActive                      // both
	othersActive                    // these are written
	activity     manner = 7 << 2
)

// start forgets everything.
func (p *predictor) start(l *layout, first uint64) {
	p.time, p.index, p.mask = first, 0, lane.All
	p.taken, p.left, p.place = 0, 0, 0
	p.follows = slices.Grow(p.follows[:0], l.places)[:l.places]
	clear(p.follows)
	p.rows = slices.Grow(p.rows[:0], l.rows)[:l.rows]
	clear(p.rows)
}

// like returns what the next stretch is expected to be. The caller writes there what it is.
func (p *predictor) like() *stretch { return &p.follows[p.place] }

// change says which lanes are active.
func (p *predictor) change(active lane.Mask) manner {
	switch active {
	case p.mask:
		return sameActive
	case p.taken:
		return takenActive
	case p.left:
		return leftActive
	case p.taken | p.left:
		return bothActive
	}
	return othersActive
}

// changed is the inverse of change, but for othersActive.
func (p *predictor) changed(m manner) lane.Mask {
	switch m & activity {
	case takenActive:
		return p.taken
	case leftActive:
		return p.left
	case bothActive:
		return p.taken | p.left
	}
	return p.mask
}

// pass takes in a stretch, of which some lanes were active, and executed the last instruction.
func (p *predictor) pass(l *layout, s *stretch, active, executed lane.Mask) {
	if s.manner&execution == someExecute && l.decides[s.to-1] {
		p.taken, p.left = executed, active&^executed
	}
	p.time += s.gap + uint64(s.to-s.from)
	p.index, p.mask = s.to, active
	p.place = int(2*s.to+int32(s.manner&noneExecutes)) & (l.places - 1)
}

// even is what is remembered of a value: the last row in which each lane had as much more than the one below.
type even struct {
	base   uint32 // what lane 0 had, or would have had
	stride uint32 // what a lane had more than the one below
	step   uint32 // what base was more than the time before
	seen   bool
}

// next returns what lane 0 is expected to have, and how much more each lane than the one below.
func (e *even) next() (base, stride uint32) { return e.base + e.step, e.stride }

// note takes in a row.
func (e *even) note(base, stride uint32) {
	if e.seen {
		e.step = base - e.base
	}
	e.base, e.stride, e.seen = base, stride, true
}
