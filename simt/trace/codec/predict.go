package codec

import (
	"slices"

	"jacquard/simt/lane"
)

// predictor guesses what a warp issues next. Writer and reader keep one per warp and feed both the
// same, so that what comes as predicted need not be written.
//
// It predicts the shape that followed the last stretch with the same end. Lanes that change are
// often the lanes that parted at a branch. An affine row is predicted to rise as it rose before.
type predictor struct {
	time    uint64    // when the last stretch ended
	index   int32     // where it ended
	mask    lane.Mask // its lanes
	taken   lane.Mask // lanes that took the last branch at which lanes parted
	left    lane.Mask // lanes that did not
	place   int       // in follows: the prediction of the next stretch
	follows []shape   // by end of a stretch: the shape that followed last time
	rows    []affine  // of all values
}

// shape is a stretch as the file has it: relative to where the stretch before ended. It is as long
// as it can be.
type shape struct {
	gap      uint64 // rounds since the stretch before
	from, to int32  // indices of the instructions, to not included
	manner   manner
}

// manner says which lanes are active in a stretch, and which of them execute its last instruction.
type manner uint8

// Which active lanes execute the last instruction.
const (
	allExecute   manner = iota
	noneExecutes        // though some are active
	someExecute         // a mask is written
	elsewhere           // the join marker sent the warp there, before it could execute
	execution    manner = 3
)

// Which lanes are active.
const (
	sameActive   manner = iota << 2 // those of the stretch before
	takenActive                     // that took the last branch at which lanes parted
	leftActive                      // that did not take it
	bothActive                      // both
	othersActive                    // a mask is written
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

// next returns the predicted shape of the next stretch. The caller writes the true one there.
func (p *predictor) next() *shape { return &p.follows[p.place] }

// activityOf says which lanes are active.
func (p *predictor) activityOf(active lane.Mask) manner {
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

// active is the inverse of activityOf, but for othersActive.
func (p *predictor) active(m manner) lane.Mask {
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

// advance takes in a stretch. Executed is of its last instruction.
func (p *predictor) advance(l *layout, s *shape, active, executed lane.Mask) {
	if s.manner&execution == someExecute && l.decides[s.to-1] {
		p.taken, p.left = executed, active&^executed
	}
	p.time += s.gap + uint64(s.to-s.from)
	p.index, p.mask = s.to, active
	p.place = int(2*s.to+int32(s.manner&noneExecutes)) & (l.places - 1)
}

// affine is the last row of a value that was affine.
type affine struct {
	base   uint32 // of lane 0, or what lane 0 would have had
	stride uint32 // from one lane to the next
	step   uint32 // from the base before to this one
	seen   bool
}

// next returns the predicted base and stride.
func (e *affine) next() (base, stride uint32) { return e.base + e.step, e.stride }

// note takes in a row.
func (e *affine) note(base, stride uint32) {
	if e.seen {
		e.step = base - e.base
	}
	e.base, e.stride, e.seen = base, stride, true
}
