package branch

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"jacquard/simt/lane"
)

// path is a set of lanes of a warp that are at one pc and run together.
type path struct {
	pc   uint32
	mask lane.Mask
}

// addPath joins p with the path of the list at its pc, or appends it.
func addPath(list []path, p path) []path {
	for i := range list {
		if list[i].pc == p.pc {
			list[i].mask |= p.mask
			return list
		}
	}
	return append(list, p)
}

// laneState is the state that belongs to the lanes of a warp and not to the warp: which are live,
// where they wait at barriers, and the addresses to which they return and break.
type laneState struct {
	live lane.Mask
	waiting
	frames
}

// start begins with the lanes of m.
func (s *laneState) start(m lane.Mask) {
	s.live = m
	s.waiting.reset()
	s.frames.reset()
}

// Live implements Flow.
func (s *laneState) Live() lane.Mask { return s.live }

// Status implements Flow.
func (s *laneState) Status() Status { return s.status(s.live) }

// annotate keeps the address that lanes announce for a later break or return.
func (s *laneState) annotate(kind EventKind, m lane.Mask, target uint32) error {
	if kind == BreakAddr || kind == PreReturn {
		return s.push(m, frame{target, kind == PreReturn})
	}
	return nil
}

// ready returns the lanes that can run.
func (s *laneState) ready() lane.Mask { return s.live &^ s.lanes }

// state appends the state that the lanes keep.
func (s *laneState) state(to State) State {
	return s.waiting.state(s.frames.state(to, s.live))
}

// wholeWarp is the barrier of a warp that arrives as a whole, whatever lanes are active.
type wholeWarp struct {
	waits   bool
	barrier uint8 // of the last arrival
}

// Release implements Flow.
func (w *wholeWarp) Release() { w.waits = false }

// arrive makes the warp wait.
func (w *wholeWarp) arrive(barrier uint8) { w.waits, w.barrier = true, barrier }

// state returns the entry of the active lanes, which run or wait at pc.
func (w *wholeWarp) state(pc uint32, active lane.Mask) Entry {
	if !w.waits {
		return running(PathEntry, pc, active, true)
	}
	e := entryOf(WaitEntry, pc, active)
	e.Number = uint32(w.barrier)
	return e
}

func (w *wholeWarp) status(live lane.Mask) Status {
	switch {
	case live == 0:
		return Ended
	case w.waits:
		return Waits
	}
	return Runs
}

// waiting holds the lanes of a warp that wait at barriers, for policies under which the lanes of a
// warp arrive at different times and a barrier counts lanes.
type waiting struct {
	paths    []path
	barrier  []uint8 // of each path
	lanes    lane.Mask
	separate bool // lanes that wait at one pc do not go on together
}

func (w *waiting) reset() { w.paths, w.barrier, w.lanes = w.paths[:0], w.barrier[:0], 0 }

// arrive makes the lanes of m wait; they go on at pc.
func (w *waiting) arrive(barrier uint8, pc uint32, m lane.Mask) {
	w.lanes |= m
	for i := range w.paths {
		if !w.separate && w.paths[i].pc == pc && w.barrier[i] == barrier {
			w.paths[i].mask |= m
			return
		}
	}
	w.paths, w.barrier = append(w.paths, path{pc, m}), append(w.barrier, barrier)
}

// status returns the status of a warp with the given live lanes.
func (w *waiting) status(live lane.Mask) Status {
	switch {
	case live == 0:
		return Ended
	case live != w.lanes:
		return Runs
	}
	for _, id := range w.barrier {
		if id != w.barrier[0] {
			return Stuck
		}
	}
	return Waits
}

// places appends the places of waiting lanes.
func (w *waiting) places(to []Place) []Place {
	for _, p := range w.paths {
		to = append(to, Place{p.pc, p.mask, true})
	}
	return to
}

// state appends the entries of waiting lanes.
func (w *waiting) state(to State) State {
	for i, p := range w.paths {
		e := entryOf(WaitEntry, p.pc, p.mask)
		e.Number = uint32(w.barrier[i])
		to = append(to, e)
	}
	return to
}

// first returns the lowest lane of m.
func first(m lane.Mask) int { return bits.TrailingZeros32(uint32(m)) }

func flag(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// frame is an address that a lane keeps: of the return from a call, or of a break.
type frame struct {
	pc   uint32
	call bool
}

// frames holds the return and break addresses of the lanes of a warp, one stack per lane. A single
// stack for the warp fails when lanes are in different calls or loops. Lanes that run together
// share entries: a lane's stack is the entries that hold it, in order.
type frames struct {
	held    []sharedFrame
	calls   [lane.Width]uint32 // calls on each lane's stack
	deepest int                // most shared frames so far
	went    []path             // scratch of breaks and returns
}

type sharedFrame struct {
	frame
	lanes lane.Mask // never empty
}

func (f *frames) reset() {
	f.held, f.calls, f.deepest = f.held[:0], [lane.Width]uint32{}, 0
}

// push gives every lane of m one more frame.
func (f *frames) push(m lane.Mask, add frame) error {
	if m == 0 {
		return nil
	}
	if add.call {
		for m := m; m != 0; m &= m - 1 {
			f.calls[first(m)]++
		}
	}
	n := len(f.held)
	if n >= stackLimit {
		if err := f.checkLimit(m); err != nil {
			return err
		}
	}
	if n > 0 && f.held[n-1].frame == add && f.held[n-1].lanes&m == 0 {
		f.held[n-1].lanes |= m
		return nil
	}
	f.held = append(f.held, sharedFrame{add, m})
	f.deepest = max(f.deepest, n+1)
	return nil
}

// checkLimit returns an error if a lane of m holds stackLimit frames, the limit of the token stack.
func (f *frames) checkLimit(m lane.Mask) error {
	var count [lane.Width]int
	for _, e := range f.held {
		for both := e.lanes & m; both != 0; both &= both - 1 {
			count[first(both)]++
		}
	}
	if l := slices.IndexFunc(count[:], func(n int) bool { return n >= stackLimit }); l >= 0 {
		return fmt.Errorf("control stack overflow: lane %d holds more than %d call and break addresses",
			l, stackLimit)
	}
	return nil
}

// breaks takes the innermost break address from every lane of m and returns the paths of the lanes,
// valid until the next call.
func (f *frames) breaks(m lane.Mask) (to []path, err error) { return f.take(m, false) }

// returns takes from every lane of m the innermost call and the break addresses announced since. It
// returns the paths of the lanes, valid until the next call, and the lanes outside any call.
func (f *frames) returns(m lane.Mask) (to []path, outside lane.Mask) {
	for m := m; m != 0; m &= m - 1 {
		if l := first(m); f.calls[l] == 0 {
			outside |= 1 << l
		} else {
			f.calls[l]--
		}
	}
	to, _ = f.take(m&^outside, true)
	return to, outside
}

var errUnannounced = errors.New("control stack underflow: break out of a loop that was never announced")

// take takes from every lane of m the innermost frame of a kind and the frames above it. Breaks do
// not take calls. The paths are in the order of their lowest lanes.
func (f *frames) take(m lane.Mask, call bool) (to []path, err error) {
	f.went = f.went[:0]
	for i := len(f.held) - 1; m != 0; i-- {
		if i < 0 {
			return nil, errUnannounced
		}
		e := &f.held[i]
		hit := e.lanes & m
		if hit == 0 {
			continue
		}
		if e.call && !call {
			return nil, errUnannounced
		}
		if e.call == call {
			f.went = addPath(f.went, path{e.pc, hit})
			m &^= hit
		}
		if e.lanes &^= hit; e.lanes == 0 {
			f.held = slices.Delete(f.held, i, i+1)
		}
	}
	if len(f.went) > 1 {
		slices.SortFunc(f.went, func(a, b path) int { return first(a.mask) - first(b.mask) })
	}
	return f.went, nil
}

// state appends the frames of the lanes of m.
func (f *frames) state(to State, m lane.Mask) State {
	for _, e := range f.held {
		kind := BreakEntry
		if e.call {
			kind = CallEntry
		}
		if both := e.lanes & m; both != 0 {
			to = append(to, entryOf(kind, e.pc, both))
		}
	}
	return to
}
