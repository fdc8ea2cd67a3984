package trace

import (
	"slices"

	"jacquard/simt/lane"
)

// predictor guesses the next issue of a warp from those before. Writer and reader keep one for each warp
// and feed them the same issues, so that what comes as guessed need not be written.
//
// It assumes that the warp issues in every round, with the lanes it had last; that what follows an
// instruction that turns is what followed it the last time that it came to the same, what follows another is the next; and that no lane
// executes what none did last time. Lanes that change are often those that parted at a branch. A row of values that are evenly spaced is as much further as it was
// last time.
type predictor struct {
	time  uint64
	index int32
	mask  lane.Mask
	last  int32     // place of the mark of the last issue, -1 if it has none
	came  int       // what that issue came to
	marks []mark    // of the instructions that turn
	taken lane.Mask // lanes that took the last branch at which some did and some did not
	left  lane.Mask // and that did not
	rows  []even    // of all values
}

// mark is what is remembered of an instruction.
type mark struct {
	follows [outcomes]int32 // 1 + the index that followed it last, by what it came to; 0: not seen yet
	none    bool            // no active lane executed it last
}

// What an issue can come to.
const (
	someExecute = iota
	noneExecutes
	elsewhere // the join marker sent the warp there
	outcomes
)

// Which lanes are active, if they are not those of the issue before.
const (
	othersActive = iota // which is written
	takenActive         // those that took the last branch at which lanes parted
	leftActive          // those that did not
	bothActive          // both
)

// change names the lanes.
func (p *predictor) change(active lane.Mask) byte {
	switch active {
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
func (p *predictor) changed(how byte) lane.Mask {
	return [...]lane.Mask{takenActive: p.taken, leftActive: p.left, bothActive: p.taken | p.left}[how]
}

// even is what is remembered of a value: the last row in which each lane had as much more than the one below.
type even struct {
	base   uint32 // what lane 0 had, or would have had
	stride uint32 // what a lane had more than the one below
	step   uint32 // what base was more than the time before
	seen   bool
}

// start forgets everything.
func (p *predictor) start(l *layout, first uint64) {
	p.time, p.index, p.mask, p.last = first, 0, lane.All, -1
	p.taken, p.left = 0, 0
	p.marks = slices.Grow(p.marks[:0], l.turns)[:l.turns]
	clear(p.marks)
	p.rows = slices.Grow(p.rows[:0], l.rows)[:l.rows]
	clear(p.rows)
}

// executed returns which of the active lanes are expected to execute an instruction with a mark, -1 for none.
func (p *predictor) executed(m int32, active lane.Mask) lane.Mask {
	if m >= 0 && p.marks[m].none {
		return 0
	}
	return active
}

// followed remembers what came after the last issue, which was not expected.
func (p *predictor) followed(index int32) {
	if p.last >= 0 {
		p.marks[p.last].follows[p.came] = index + 1
	}
}

// pass takes in what came of an instruction with a mark.
func (p *predictor) pass(l *layout, m, index int32, active, executed lane.Mask, vetoed bool) {
	k := &p.marks[m]
	switch {
	case vetoed:
		p.came = elsewhere
	case executed == 0 && active != 0:
		p.came, k.none = noneExecutes, true
	default:
		p.came, k.none = someExecute, k.none && active == 0
		if executed != active && l.parts[m] {
			p.taken, p.left = executed, active&^executed
		}
	}
	p.last, p.index = m, index+1
	if f := k.follows[p.came]; f != 0 {
		p.index = f - 1
	}
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
