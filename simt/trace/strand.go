package trace

import (
	"encoding/binary"

	"jacquard/simt"
	"jacquard/simt/lane"
)

// An issue that is not as predicted begins with a byte that says what of it is written.
const (
	hasTime     = 1 << iota // how much later it is
	hasIndex                // the instruction: how much further on
	hasActive               // lanes: which, in two bits above, and perhaps those that changed
	hasExecuted             // active lanes that did not execute
	isVetoed                // nothing

	activeShift = 5 // where the two bits are

	explicit = 0x80 // on; bytes without it are the number of predicted issues less one
	mostRun  = 0x80
)

// strand writes what one warp does in a part.
type strand struct {
	predictor
	count   uint32 // issues
	run     uint32 // the last of them, which came as predicted and are not yet written
	control []byte
	values  []byte
	words   []uint32                           // rows that have no short form
	places  [1 << 6]struct{ key, next uint32 } // by key: where in words such a row begins, plus one
}

// start begins a part that nothing is in before a time.
func (s *strand) start(l *layout, first uint64) {
	s.predictor.start(l, first)
	s.count, s.run = 0, 0
	s.control, s.values = s.control[:0], s.values[:0]
	if len(s.words) > 0 {
		s.words = s.words[:0]
		clear(s.places[:])
	}
}

// add adds what a warp issued.
func (s *strand) add(l *layout, r *simt.Stretch) {
	i, to, time, active := r.From, r.To, r.Time, r.Active
	s.count += uint32(to - i)
	for i < to {
		at, executed := l.code[i], active
		if i == to-1 {
			executed = r.Executed
		}
		if differ := (time ^ s.time) | uint64(uint32(i^s.index)) | uint64(active^s.mask); differ == 0 && !r.Vetoed && executed == s.executed(at.mark, active) {
			s.run++
		} else {
			s.explicit(at.mark, i, time, active, executed, r.Vetoed)
		}
		if at.mark >= 0 {
			s.pass(l, at.mark, i, active, executed, r.Vetoed)
			i, time = i+1, time+1
		} else { // what goes straight on is predicted
			n := min(at.next, to) - i
			s.run += uint32(n - 1)
			i, time = i+n, time+uint64(n)
			s.index, s.last = i, -1
		}
		s.time, s.mask = time, active
	}
}

// endRun writes the predicted issues up to here.
func (s *strand) endRun() {
	for ; s.run > mostRun; s.run -= mostRun {
		s.control = append(s.control, mostRun-1)
	}
	if s.run > 0 {
		s.control = append(s.control, byte(s.run-1))
		s.run = 0
	}
}

// explicit writes an issue that is not as predicted.
func (s *strand) explicit(m, index int32, time uint64, active, executed lane.Mask, vetoed bool) {
	s.endRun()
	at := len(s.control)
	b := append(s.control, explicit)
	if time != s.time {
		b[at] |= hasTime
		b = binary.AppendUvarint(b, time-s.time)
	}
	if index != s.index {
		b[at] |= hasIndex
		b = binary.AppendVarint(b, int64(index-s.index))
		s.followed(index)
	}
	if active != s.mask {
		change := s.change(active)
		if b[at] |= hasActive | change<<activeShift; change == othersActive {
			b = binary.LittleEndian.AppendUint32(b, uint32(active^s.mask))
		}
	}
	if vetoed {
		b[at] |= isVetoed
	} else if executed != s.executed(m, active) {
		b[at] |= hasExecuted
		b = binary.LittleEndian.AppendUint32(b, uint32(active^executed))
	}
	s.control = b
}

// flags adds condition registers of lanes m, of which there are some.
func (s *strand) flags(f *lane.Flags, m lane.Mask) {
	at := len(s.values)
	b := append(s.values, 0)
	for i, v := range [...]lane.Mask{f.Z, f.S, f.C, f.O} {
		switch v & m {
		case 0:
		case m:
			b[at] |= flagAll << (flagBits * i)
		default:
			b[at] |= flagSome << (flagBits * i)
			b = binary.LittleEndian.AppendUint32(b, uint32(v&m))
		}
	}
	s.values = b
}

// value adds the values that lanes m, of which there are some, have in the row with a place among all.
func (s *strand) value(lanes *lane.Kernels, place int32, r *lane.Row, m lane.Mask) {
	e := &s.rows[place]
	if base, stride, ok := spaced(lanes, r, m, e); ok {
		switch b, t := e.next(); {
		case base == b && stride == t:
			s.values = append(s.values, rowNext)
		case stride == 0:
			s.values = binary.LittleEndian.AppendUint32(append(s.values, rowUniform), base)
		default:
			s.values = binary.LittleEndian.AppendUint32(append(s.values, rowAffine), base)
			s.values = binary.LittleEndian.AppendUint32(s.values, stride)
		}
		e.note(base, stride)
		return
	}
	if small(r, m) {
		s.values = appendBytes(append(s.values, rowBytes), r, m)
		return
	}
	before := len(s.words)
	s.words = appendWords(lanes, s.words, r, m)
	if back := s.again(before); back > 0 {
		s.words = s.words[:before]
		s.values = binary.AppendUvarint(append(s.values, rowAgain), uint64(back))
		return
	}
	s.values = append(s.values, rowWords)
}

// again looks for the row of words that begins at a place, and is the last, among those before. It returns how far before
// it, in words, the same one begins, 0 if none is found. What lanes compute does not compress, but is often moved or stored
// as it is.
func (s *strand) again(at int) int {
	row := s.words[at:]
	key := (row[0] ^ row[len(row)-1]*0x85ebca6b ^ uint32(len(row))) * 0x9e3779b1
	place := &s.places[key>>26]
	if from := int(place.next) - 1; place.key == key && from >= 0 && from+len(row) <= at && same(s.words[from:], row) {
		return at - from
	}
	place.key, place.next = key, uint32(at)+1
	return 0
}

// size returns how many bytes there are so far.
func (s *strand) size() int { return len(s.control) + len(s.values) + 4*len(s.words) }
