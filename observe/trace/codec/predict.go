package codec

import (
	"slices"

	"jacquard/simt/lane"
)

// predictor guesses a warp's next stretch. Writer and reader keep one per warp and feed both the
// same, so that a stretch that matches needs no bytes of its own.
//
// It predicts the shape that followed the last stretch with the same end. Lanes that change are
// often the lanes that parted at a branch. An affine row is predicted to rise by the same step
// again.
type predictor struct {
	time    uint64    // end of the last stretch
	index   int32     // where it ended
	mask    lane.Mask // its lanes
	taken   lane.Mask // lanes that took the last divergent branch
	left    lane.Mask // lanes that did not
	place   int       // index in follows of the next stretch's prediction
	follows []shape   // by end of a stretch: the shape that last followed it
	rows    []affine  // of all values
}

// shape is a stretch as the file stores it: relative to the end of the stretch before. It is as
// long as possible.
type shape struct {
	gap      uint64 // rounds since the end of the stretch before
	from, to int32  // indices of the instructions, to excluded
	manner   manner
}

// manner tells which lanes are active in a stretch, and which of them execute its last instruction.
type manner uint8

// Which active lanes execute the last instruction.
const (
	allExecute   manner = iota
	noneExecutes        // although some are active
	someExecute         // the mask is written
	elsewhere           // the join marker sent the warp away before it executed
	execution    manner = 3
)

// Which lanes are active.
const (
	sameActive   manner = iota << 2 // as in the stretch before
	takenActive                     // lanes that took the last divergent branch
	leftActive                      // lanes that did not take it
	bothActive                      // both
	othersActive                    // the mask is written
	activity     manner = 7 << 2
)

// start clears the state for a part.
func (p *predictor) start(l *layout, first uint64) {
	p.time, p.index, p.mask = first, 0, lane.All
	p.taken, p.left, p.place = 0, 0, 0
	p.follows = slices.Grow(p.follows[:0], l.places)[:l.places]
	clear(p.follows)
	p.rows = slices.Grow(p.rows[:0], l.rows)[:l.rows]
	clear(p.rows)
}

// next returns the predicted shape of the next stretch. The caller overwrites it with the actual
// one.
func (p *predictor) next() *shape { return &p.follows[p.place] }

// activityOf returns the manner of an active mask.
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

// active is the inverse of activityOf, except for othersActive.
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

// advance takes in a stretch. executed is the mask of its last instruction.
func (p *predictor) advance(l *layout, s *shape, active, executed lane.Mask) {
	if s.manner&execution == someExecute && l.decides[s.to-1] {
		p.taken, p.left = executed, active&^executed
	}
	p.time += s.gap + uint64(s.to-s.from)
	p.index, p.mask = s.to, active
	p.place = int(2*s.to+int32(s.manner&noneExecutes)) & (l.places - 1)
}

// affine is a value's last affine row.
type affine struct {
	base   uint32 // value of lane 0, extrapolated if lane 0 did not execute
	stride uint32 // difference between neighbouring lanes
	step   uint32 // difference between the base and the base before
	seen   bool
}

// next returns the predicted base and stride.
func (e *affine) next() (base, stride uint32) { return e.base + e.step, e.stride }

// note takes in the base and stride of a row.
func (e *affine) note(base, stride uint32) {
	if e.seen {
		e.step = base - e.base
	}
	e.base, e.stride, e.seen = base, stride, true
}
