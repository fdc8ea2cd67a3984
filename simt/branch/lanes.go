package branch

import (
	"encoding/binary"
	"math/bits"

	"jacquard/simt/lane"
)

// path is a set of lanes of a warp that are at one pc and run together.
type path struct {
	pc   uint32
	mask lane.Mask
}

// laneState is the state that belongs to the lanes of a warp and not to the warp: which are live,
// where they wait at barriers, and the addresses that they return and break to.
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

func (s *laneState) fingerprint(to []byte) []byte {
	return s.frames.fingerprint(s.waiting.fingerprint(to), s.live)
}

// wholeWarp is the barrier of a warp that arrives as a whole, whatever lanes are active.
type wholeWarp struct{ waits bool }

// Release implements Flow.
func (w *wholeWarp) Release() { w.waits = false }

func (w *wholeWarp) status(live lane.Mask) Status {
	switch {
	case live == 0:
		return Ended
	case w.waits:
		return Waits
	}
	return Runs
}

// waiting holds the lanes of a warp that wait at barriers. It is for policies under which the
// lanes of a warp arrive at different times, and a barrier counts lanes.
type waiting struct {
	paths    []path
	barrier  []uint8 // of each path
	lanes    lane.Mask
	separate bool // lanes that wait at one pc do not go on together
}

func (w *waiting) reset() { w.paths, w.barrier, w.lanes = w.paths[:0], w.barrier[:0], 0 }

// arrive adds the lanes of m, which go on at pc.
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

// places appends where the lanes wait.
func (w *waiting) places(to []Place) []Place {
	for _, p := range w.paths {
		to = append(to, Place{p.pc, p.mask, true})
	}
	return to
}

func (w *waiting) fingerprint(to []byte) []byte {
	for i, p := range w.paths {
		to = append(appendPath(to, p), w.barrier[i])
	}
	return append(to, 0xff)
}

// first returns the lowest lane of m.
func first(m lane.Mask) int { return bits.TrailingZeros32(uint32(m)) }

func flag(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

func appendWord(to []byte, v uint32) []byte { return binary.LittleEndian.AppendUint32(to, v) }

func appendPath(to []byte, p path) []byte { return appendWord(appendWord(to, p.pc), uint32(p.mask)) }
