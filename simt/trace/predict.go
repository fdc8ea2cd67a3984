package trace

import (
	"slices"

	"jacquard/simt/lane"
)

// predictor guesses the next issue of a warp from those before. Writer and reader keep one for each warp
// and feed them the same issues, so that what comes as guessed need not be written.
//
// It assumes that the warp issues in every round, with the lanes it had last; that what follows an
// instruction that turns is what followed it last time, what follows another is the next; and that no lane
// executes what none did last time. A row of values that are evenly spaced is as much further as it was
// last time.
type predictor struct {
	time  uint64
	index int32
	mask  lane.Mask
	last  int32  // place of the mark of the last issue, -1 if it has none
	marks []mark // of the instructions that turn
	rows  []even // of all values
}

// mark is what is remembered of an instruction.
type mark struct {
	follows int32 // 1 + the index that followed it last; 0: not seen yet
	none    bool  // no active lane executed it last
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

// note takes in an issue of an instruction with a mark, -1 for none.
func (p *predictor) note(index, m int32, time uint64, active, executed lane.Mask, vetoed bool) {
	if p.last >= 0 {
		p.marks[p.last].follows = index + 1
	}
	p.time, p.index, p.mask, p.last = time+1, index+1, active, m
	if m < 0 {
		return
	}
	k := &p.marks[m]
	if !vetoed && active != 0 {
		k.none = executed == 0
	}
	if k.follows != 0 {
		p.index = k.follows - 1
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
