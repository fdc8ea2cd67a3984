package codec

import (
	"encoding/binary"

	"jacquard/simt/lane"
)

// A stretch that was not predicted starts with a control byte. Its flags announce the fields that
// follow: the gap in time, the first instruction unless it follows the stretch before, and the
// length.
const (
	hasFrom = 0x20
	hasGap  = 0x40

	// explicit marks the control byte. A byte below it is the number of predicted stretches, minus
	// one.
	explicit = 0x80
	mostRun  = 0x80
)

// warpStream writes the stretches and values of one warp in a part.
type warpStream struct {
	predictor
	open    Stretch // the last stretch, while it can still grow
	end     uint64  // its end
	count   uint32  // issues
	run     int     // predicted stretches not yet written
	control []byte
	masks   []byte // lanes that are written
	values  []byte
	states  stateWriter
	words   []uint32                           // rows that have no short form
	places  [1 << 6]struct{ key, next uint32 } // by key: 1 + the index in words of such a row
}

// start begins a part whose stretches are not earlier than first.
func (s *warpStream) start(l *layout, first uint64) {
	s.predictor.start(l, first)
	s.open, s.count, s.run = Stretch{From: -1, To: -1}, 0, 0 // no stretch continues there
	s.control, s.masks, s.values = s.control[:0], s.masks[:0], s.values[:0]
	if len(s.words) > 0 {
		s.words = s.words[:0]
		clear(s.places[:])
	}
}

// add adds a stretch.
func (s *warpStream) add(l *layout, r *Stretch) {
	n := r.To - r.From
	s.count += uint32(n)
	o := &s.open
	if r.Time == s.end && r.From == o.To && r.Active == o.Active && o.Executed == o.Active &&
		!r.Vetoed && !o.Vetoed {
		s.end += uint64(n)
		o.To, o.Executed = r.To, r.Executed
		return
	}
	s.close(l)
	*o, s.end = *r, r.Time+uint64(n)
}

// close writes the stretch that is open.
func (s *warpStream) close(l *layout) {
	o := &s.open
	if o.From == o.To {
		return
	}
	x := shape{gap: o.Time - s.time, from: o.From, to: o.To, manner: s.manner(o)}
	if next := s.next(); x == *next {
		s.run++
	} else {
		*next = x
		s.explicit(&x)
	}
	if x.manner&activity == othersActive {
		s.masks = binary.LittleEndian.AppendUint32(s.masks, uint32(o.Active))
	}
	if x.manner&execution == someExecute {
		s.masks = binary.LittleEndian.AppendUint32(s.masks, uint32(o.Executed))
	}
	s.advance(l, &x, o.Active, o.Executed)
	o.To = o.From
}

func (s *warpStream) manner(r *Stretch) manner {
	m := someExecute
	switch {
	case r.Vetoed:
		m = elsewhere
	case r.Executed == r.Active:
		m = allExecute
	case r.Executed == 0:
		m = noneExecutes
	}
	return m | s.activityOf(r.Active)
}

// explicit writes a shape that was not predicted.
func (s *warpStream) explicit(x *shape) {
	s.endRun()
	at, b := len(s.control), append(s.control, explicit|byte(x.manner))
	if x.gap > 0 {
		b[at] |= hasGap
		b = binary.AppendUvarint(b, x.gap)
	}
	if x.from != s.index {
		b[at] |= hasFrom
		b = binary.AppendVarint(b, int64(x.from-s.index))
	}
	s.control = binary.AppendUvarint(b, uint64(x.to-x.from-1))
}

// endRun writes the count of predicted stretches.
func (s *warpStream) endRun() {
	for ; s.run > mostRun; s.run -= mostRun {
		s.control = append(s.control, mostRun-1)
	}
	if s.run > 0 {
		s.control = append(s.control, byte(s.run-1))
		s.run = 0
	}
}

// flags adds the condition register of lanes m. m is not empty.
func (s *warpStream) flags(f *lane.Flags, m lane.Mask) {
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

// even adds the value at index place among all, which has a base and a stride.
func (s *warpStream) even(place int32, base, stride uint32) {
	e := &s.rows[place]
	switch b, t := e.next(); {
	case base == b && stride == t:
		s.values = append(s.values, rowPredicted)
	case stride == 0:
		s.values = binary.LittleEndian.AppendUint32(append(s.values, rowUniform), base)
	default:
		s.values = binary.LittleEndian.AppendUint32(append(s.values, rowAffine), base)
		s.values = binary.LittleEndian.AppendUint32(s.values, stride)
	}
	e.note(base, stride)
}

// row adds the value at index place among all, as lanes m have it. m is not empty.
func (s *warpStream) row(place int32, r *lane.Row, m lane.Mask) {
	if base, stride, ok := findAffine(r, m, &s.rows[place]); ok {
		s.even(place, base, stride)
	} else {
		s.uneven(r, m)
	}
}

// uneven adds a value that has no base and stride.
func (s *warpStream) uneven(r *lane.Row, m lane.Mask) {
	if fitsBytes(r, m) {
		s.values = appendBytes(append(s.values, rowBytes), r, m)
		return
	}
	before, row := len(s.words), r[:]
	if m != lane.All {
		s.words = appendWords(s.words, r, m)
		row = s.words[before:]
	}
	if back := s.repeats(before, row); back > 0 {
		s.words = s.words[:before]
		s.values = binary.AppendUvarint(append(s.values, rowRepeated), uint64(back))
		return
	}
	s.words = append(s.words[:before], row...)
	s.values = append(s.values, rowWords)
}

// repeats looks for an earlier copy of a row, which belongs at index at of words. It returns the
// distance in words, 0 if there is none. Computed values hardly compress, but kernels often move or
// store them unchanged.
func (s *warpStream) repeats(at int, row []uint32) int {
	key := (row[0] ^ row[len(row)-1]*0x85ebca6b ^ uint32(len(row))) * 0x9e3779b1
	place := &s.places[key>>26]
	if from := int(place.next) - 1; place.key == key && from >= 0 && from+len(row) <= at &&
		startsWith(s.words[from:], row) {
		return at - from
	}
	place.key, place.next = key, uint32(at)+1
	return 0
}
