package trace

import (
	"encoding/binary"
	"math/bits"

	"jacquard/simt/branch"
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

// encoder writes the issues of one part.
type encoder struct {
	predictor
	control []byte
	values  []byte
	words   wordStore
	run     int // predicted issues not yet written
	head    partHeader
	row     []byte // scratch
}

// start begins a part whose first issue is at a time.
func (e *encoder) start(block, instructions int, first uint64) {
	e.predictor.start(instructions, first)
	e.control, e.values, e.run = e.control[:0], e.values[:0], 0
	e.words.start()
	e.head = partHeader{block: uint32(block), first: first}
}

// step adds an issue, but for its values.
func (e *encoder) step(s *Step) {
	has := byte(explicit)
	var set branch.WarpSet
	for k := range s.N {
		w := s.Warp[k] & (lane.MaxWarps - 1)
		set |= 1 << w
		if s.Active[k] != e.mask[w] {
			has |= hasActive
		}
		if s.Executed[k] != s.Active[k] && s.Vetoed>>w&1 == 0 {
			has |= hasExecuted
		}
	}
	first := int(s.Warp[0] & (lane.MaxWarps - 1))
	if e.leads == 0 || e.mates[e.lead()] != set {
		has |= hasWarps
	}
	if s.Time != e.time[first] {
		has |= hasTime
	}
	next := e.index(first)
	if int32(s.Index) != next {
		has |= hasIndex
	}
	if s.Vetoed != 0 {
		has |= hasVetoed
	}
	e.head.mixed = s.Mixed
	e.head.add(set, 1, s.Count())
	if has == explicit {
		e.predicted(1)
	} else {
		e.endRun()
		e.write(s, has, uint64(set), next)
	}
	e.note(s, set, has&(hasWarps|hasTime) == 0)
}

// proceed adds issues of instructions that follow each other, the first being s: at most n, and
// no more than come as predicted and fit into one control byte. It returns how many there were.
func (e *encoder) proceed(s *Step, set branch.WarpSet, n int) int {
	first := int(s.Warp[0] & (lane.MaxWarps - 1))
	from := int32(s.Index)
	if e.leads != 1<<first || e.mates[first] != set || e.time[first] != s.Time || e.index(first) != from || s.Vetoed != 0 {
		return 0
	}
	for k := range s.N {
		if s.Active[k] != e.mask[s.Warp[k]&(lane.MaxWarps-1)] || s.Executed[k] != s.Active[k] {
			return 0
		}
	}
	if at := e.last[first]; at >= 0 {
		e.follows[at] = from + 1
	}
	follows := e.follows[from:][:min(n, mostRun-e.run)-1]
	for i := range follows {
		next := from + int32(i) + 2 // 1 + the index of the next
		if f := follows[i]; f != 0 && f != next {
			follows = follows[:i]
			break
		}
		follows[i] = next
	}
	n = 1 + len(follows)
	for _, w := range s.Warp[:s.N] {
		w &= lane.MaxWarps - 1
		e.last[w], e.time[w] = from+int32(n)-1, s.Time+uint64(n)
	}
	e.now = s.Time + uint64(n) - 1
	e.head.add(set, n, n*s.Count())
	e.predicted(n)
	return n
}

// predicted adds issues that come as predicted; they fit into one byte with those not yet
// written.
func (e *encoder) predicted(n int) {
	if e.run += n; e.run == mostRun {
		e.endRun()
	}
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
func (e *encoder) value(r *lane.Row, m lane.Mask) {
	e.row = appendRow(e.row[:0], r, m)
	e.rows(e.row, 1, bits.OnesCount32(uint32(m)))
}

// rows adds n rows of values of so many lanes, as appendRow wrote them, of the step added last. It
// returns how many bytes of b they are.
func (e *encoder) rows(b []byte, n, lanes int) int {
	at := 0
	for range n {
		size := rowSize(b[at], lanes)
		if row := b[at : at+size]; row[0] != rowWords {
			e.values = append(e.values, row...)
		} else if back := e.words.add(row[1:]); back > 0 {
			e.values = binary.AppendUvarint(append(e.values, rowAgain), uint64(back))
		} else {
			e.values = append(e.values, rowWords)
		}
		at += size
	}
	return at
}

// size returns how many bytes the part has so far.
func (e *encoder) size() int { return len(e.control) + len(e.values) + len(e.words.data) }

// take ends the part, whose data and words are appended to those given.
func (e *encoder) take(data, words []byte) part {
	e.endRun()
	e.head.control, e.head.values, e.head.wordBytes = uint32(len(e.control)), uint32(len(e.values)), uint32(len(e.words.data))
	data = append(append(data, e.control...), e.values...)
	return part{e.head, data, append(words, e.words.data...)}
}
