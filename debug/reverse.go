package debug

import (
	"errors"
	"math"

	"jacquard/simt/check"
	"jacquard/simt/source"
	"jacquard/simt/watch"
)

var (
	errNoWayBack = errors.New("no way back in this launch: nothing could stop when it began, so its memory was not copied; set a breakpoint in it and run it again")
	errOutermost = errors.New("the outermost function does not return: use continue")
)

// trip is a run of the launch to a place, or a run that finds out which.
type trip struct {
	on    bool
	until Position // where the user is: a scan ends there
	atEnd bool     // until is the end of its block
	scan  *scan    // nil: the run goes to a place
	to    Position // where it goes
	// window is how many rounds before until a scan begins to look; 0 is all.
	window uint64
	lane   int // of the stop
	stop   *Stop
}

// scan looks for a place on the way to where the user is.
type scan struct {
	kind  Kind // "" is a scan for the last write
	focus Focus

	found, first *Position
	stop         *Stop // at found
	line         source.Line
	begun        bool
	write        *Watch
	writer       *Writer
	finding      bool            // it is for a finding,
	told         []string        // and not for one with these keys
	arisen       []check.Finding // at found
	back         *Stop           // where the user was, to return there
}

// lead is how many rounds a block may run before it is asked again: eight turns, and straight code.
const lead = 16 << 10

// wants reports whether a trip needs to see a block, which is at a time.
func (t *trip) wants(block int, time uint64) bool {
	switch {
	case !t.on:
		return false
	case t.scan == nil:
		return t.to.Block == block && time+lead >= t.to.Time
	case t.scan.write != nil && t.scan.write.Space == "global":
		return true
	case t.scan.write != nil && t.scan.write.Focus.Block == block:
		return true
	}
	return t.until.Block == block && (t.window == 0 || time+lead+t.window >= t.until.Time)
}

// from returns the time from which on a trip looks at every issue of a block that it wants.
func (t *trip) from() uint64 {
	switch {
	case !t.on:
		return 0
	case t.scan == nil:
		return t.to.Time
	case t.scan.finding:
		return math.MaxUint64
	case t.scan.first == nil:
		return 0
	case t.scan.kind == ReverseContinue || t.scan.write != nil:
		return t.until.Time
	}
	return 0
}

// recording reports whether a trip looks at accesses.
func (t *trip) recording() bool { return t.on && t.scan != nil }

// goBack begins the way back from where the launch is stopped.
func (r *run) goBack(o Order) error {
	if r.here == nil {
		return ErrNone
	}
	if r.before == nil {
		return errNoWayBack
	}
	if _, err := r.block(o.Focus.Block); err != nil {
		return err
	}
	r.steps = stepping{}
	r.trip = trip{on: true, until: r.here.pos, atEnd: r.here.ended(), scan: &scan{kind: o.Kind, focus: o.Focus}}
	if o.Kind != ReverseContinue && o.Focus.Block == r.here.number && !r.trip.atEnd {
		r.trip.window = firstWindow
	}
	return nil
}

// firstWindow is the window of a step back. If the place is not in it, the whole launch is looked at.
const firstWindow = 1 << 12

// ended reports whether the block is stopped at its end.
func (h *here) ended() bool {
	return h.pos.Time == ^uint64(0) || h.r.fault != nil && h.sel == [16]uint32{}
}

// travel is told of an issue on a trip. It stops there, goes on, or turns back.
func (r *run) travel(h *here) {
	t := &r.trip
	defer func() { r.entry = r.entry || r.entered != nil && h.pos == *r.entered }()
	if t.scan == nil {
		if h.pos != t.to {
			return
		}
		r.entry = r.entry || r.entered != nil && h.pos == *r.entered
		stop := *t.stop
		if stop.Reason != ReasonFinding && stop.Focus == (Focus{}) || stop.Focus.Block != h.number {
			stop.Focus = h.first()
			if h.sel[h.pos.Warp]>>t.lane&1 != 0 {
				stop.Focus.Lane = t.lane
			}
		}
		*t = trip{}
		for _, b := range r.s.breakpoints {
			if b.Watch != nil {
				b.was = r.watched(b.Watch)
			}
		}
		r.stopAt(h, &stop)
		return
	}
	if h.pos == t.until {
		r.turnBack()
	}
	t.scan.visit(r, h)
}

// visit looks at a place on the way.
func (c *scan) visit(r *run, h *here) {
	pos := h.pos
	if c.first == nil {
		c.first = &pos
		r.s.version.Add(1) // from has changed
	}
	switch c.kind {
	case ReverseStepInst:
		if h.number == c.focus.Block && h.sel[c.focus.Warp] != 0 {
			c.found = &pos
		}
	case ReverseStep:
		if h.number != c.focus.Block || h.sel[c.focus.Warp]>>c.focus.Lane&1 == 0 {
			return
		}
		if line := r.code.lines[h.index]; !c.begun || line != c.line && line.Line != 0 {
			c.found, c.line, c.begun = &pos, line, true
		}
	case ReverseContinue:
		if stop := r.breaks(h, false); stop != nil {
			c.found, c.stop = &pos, stop
		}
	}
}

// accessed looks at an issue on the way, after it has executed.
func (t *trip) accessed(o *blockWatch, i *watch.Issue) {
	c := t.scan
	at := Position{Block: o.number, Warp: int(i.Active.Warp[0]), Time: i.Time}
	if c.write != nil {
		if f, ok := o.touches(c.write, i, true, false); ok {
			c.writer = &Writer{Position: at, Focus: f, Place: o.r.code.place(o.r.code.index(i.PC)), Text: i.Instruction.String()}
		}
		return
	}
	if c.kind != ReverseContinue {
		return
	}
	for _, b := range o.watches {
		if f, ok := o.touches(b.Watch, i, b.Watch.Writes, b.Watch.Reads); ok {
			c.found = &at
			c.stop = &Stop{Reason: ReasonWatch, Breakpoints: []int{b.ID}, Focus: f, Text: b.Watch.String() + ": before " + i.Instruction.String()}
		}
	}
}

// turnBack ends a scan, which has come to where the user was, and makes the next run go to what it
// found.
func (r *run) turnBack() {
	t := &r.trip
	c := t.scan
	next := trip{on: true, to: t.until, lane: c.focus.Lane}
	switch {
	case t.window > 0 && (c.found == nil || *c.found == *c.first):
		next = trip{on: true, until: t.until, scan: &scan{kind: c.kind, focus: c.focus}}
	case c.write != nil:
		next.stop = c.back
	case c.found != nil:
		next.to = *c.found
		next.stop = &Stop{Reason: ReasonStep}
		if c.stop != nil {
			next.stop = c.stop
		}
		if next.stop.Reason == ReasonFinding {
			next.stop = findingStop(r, c.arisen)
		}
	default:
		if c.first != nil {
			next.to = *c.first
		}
		next.stop = &Stop{Reason: ReasonHistory, Text: "the launch begins here"}
	}
	*t = next
	r.giveUp()
}
