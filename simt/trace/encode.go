package trace

import (
	"encoding/binary"
	"math/bits"

	"jacquard/simt/lane"
)

// An issue that is not as predicted begins with a byte that says what of it is written.
const (
	hasWarps    = 1 << iota // the set of warps
	hasTime                 // rounds since the issue before
	hasIndex                // the instruction: distance from where the lowest warp was to go on
	hasActive               // lanes, for each warp: what changed
	hasExecuted             // for each warp: active lanes that did not execute
	hasVetoed               // the set of vetoed warps
	flagsInUse

	explicit = 0x80 // on; bytes without it are the number of predicted issues less one
	mostRun  = 0x80
)

// encoder writes the issues of one frame.
type encoder struct {
	predictor
	control []byte
	values  []byte
	run     int // predicted issues not yet written
	head    header
}

// start begins a frame whose first issue is at a time.
func (e *encoder) start(launch, block, instructions int, first uint64) {
	e.predictor.start(instructions, first)
	e.control, e.values, e.run = e.control[:0], e.values[:0], 0
	e.head = header{kind: kindSteps, launch: uint32(launch), block: uint32(block), first: first}
}

// step adds an issue, but for its values.
func (e *encoder) step(s *Step) {
	set := s.set()
	first := bits.TrailingZeros16(uint16(set))
	has := byte(explicit)
	if e.leads == 0 {
		has |= hasWarps
	} else if l := e.lead(); e.mates[l] != set {
		has |= hasWarps
	}
	if s.Time != e.time[first] {
		has |= hasTime
	}
	next := e.index(first)
	if int32(s.Index) != next {
		has |= hasIndex
	}
	for k := range s.N {
		if s.Active[k] != e.mask[s.Warp[k]&(lane.MaxWarps-1)] {
			has |= hasActive
		}
		if s.Executed[k] != s.Active[k] && s.Vetoed>>s.Warp[k]&1 == 0 {
			has |= hasExecuted
		}
	}
	if s.Vetoed != 0 {
		has |= hasVetoed
	}
	if s.Mixed {
		e.head.flags |= flagMixed
	}
	e.head.warps |= set
	e.head.last = s.Time
	e.head.issues++
	e.head.count += uint32(s.Count())
	if has == explicit {
		if e.run++; e.run == mostRun {
			e.endRun()
		}
	} else {
		e.endRun()
		e.write(s, has, uint64(set), next)
	}
	e.note(s, set)
}

// endRun writes the predicted issues up to here.
func (e *encoder) endRun() {
	if e.run > 0 {
		e.control = append(e.control, byte(e.run-1))
		e.run = 0
	}
}

// write writes what has names of an issue.
func (e *encoder) write(s *Step, has byte, set uint64, next int32) {
	b := append(e.control, has)
	if has&hasWarps != 0 {
		b = binary.AppendUvarint(b, set)
	}
	if has&hasTime != 0 {
		b = binary.AppendUvarint(b, s.Time-e.now)
	}
	if has&hasIndex != 0 {
		b = binary.AppendVarint(b, int64(s.Index)-int64(next))
	}
	if has&hasActive != 0 {
		for k := range s.N {
			b = binary.AppendUvarint(b, uint64(s.Active[k]^e.mask[s.Warp[k]]))
		}
	}
	if has&hasVetoed != 0 {
		b = binary.AppendUvarint(b, uint64(s.Vetoed))
	}
	if has&hasExecuted != 0 {
		for k := range s.N {
			if s.Vetoed>>s.Warp[k]&1 == 0 {
				b = binary.AppendUvarint(b, uint64(s.Active[k]^s.Executed[k]))
			}
		}
	}
	e.control = b
}

// value adds a row of values of the step added last.
func (e *encoder) value(r *lane.Row, m lane.Mask) { e.values = appendRow(e.values, r, m) }

// size returns how many bytes the frame has so far.
func (e *encoder) size() int { return len(e.control) + len(e.values) }

// payload appends the frame's payload to b.
func (e *encoder) payload(b []byte) []byte {
	e.endRun()
	b = binary.AppendUvarint(b, uint64(len(e.control)))
	b = append(b, e.control...)
	return append(b, e.values...)
}
