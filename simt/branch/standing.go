package branch

import (
	"encoding/binary"
	"math/bits"

	"jacquard/simt/lane"
)

// Standing says what can become of a warp.
type Standing uint8

// The standings.
const (
	Runs  Standing = iota // some lane can run
	Waits                 // every live lane waits at one barrier
	Stuck                 // every live lane waits, but not all of them at one barrier
	Ended                 // no lane is live
)

// path is a set of lanes that stand at one pc and run together.
type path struct {
	pc   uint32
	mask lane.Mask
}

// waiting are the lanes of a warp that wait at barriers, one by one: under schemes that let
// the lanes of a warp arrive at different times, a barrier counts lanes.
type waiting struct {
	paths   []path
	barrier []uint8 // of each path
	lanes   lane.Mask
	apart   bool // lanes that wait at one place do not go on together
}

func (w *waiting) reset() { w.paths, w.barrier, w.lanes = w.paths[:0], w.barrier[:0], 0 }

// arrive adds the lanes of m, which go on at pc.
func (w *waiting) arrive(barrier uint8, pc uint32, m lane.Mask) {
	w.lanes |= m
	for i := range w.paths {
		if !w.apart && w.paths[i].pc == pc && w.barrier[i] == barrier {
			w.paths[i].mask |= m
			return
		}
	}
	w.paths, w.barrier = append(w.paths, path{pc, m}), append(w.barrier, barrier)
}

// standing returns what becomes of a warp with the given live lanes.
func (w *waiting) standing(live lane.Mask) Standing {
	switch {
	case live == 0:
		return Ended
	case live != w.lanes:
		return Runs
	}
	return w.atBarriers()
}

// atBarriers returns what becomes of a warp all of whose lanes wait.
func (w *waiting) atBarriers() Standing {
	for _, id := range w.barrier {
		if id != w.barrier[0] {
			return Stuck
		}
	}
	return Waits
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
