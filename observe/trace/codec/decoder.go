package codec

import (
	"math/bits"
	"slices"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// Decoder reads the issues of one part, in order of time, then warp.
type Decoder struct {
	Step Step  // the issue read last; the caller sets its Launch
	Work *Work // the work left to the decoder

	kernel  *Kernel
	wanted  []bool // by instruction: false is passed over; nil selects all
	streams [lane.MaxWarps]streamReader
	live    branch.WarpSet // with issues to come
	round   branch.WarpSet // the live warps with an issue at the time of Step, still to be read
	states  bool           // the policy's states are read
	kept    branch.State   // the entries of Step's states, one after the other
	why     string         // the mistake, in words
}

// TooMuch is the reason of Next when the decoder has used up its Work.
const TooMuch = "too much"

// Start begins to read part p. Only issues of the given warps and of the wanted instructions are
// read; nil wanted selects all instructions.
func (d *Decoder) Start(p *StoredPart, k *Kernel, warps branch.WarpSet, wanted []bool) {
	d.wanted = wanted
	d.kernel, d.live, d.round, d.why = k, 0, 0, ""
	d.Step.Block, d.Step.Mixed, d.Step.States = int(p.Block), p.Mixed, d.Step.States[:0]
	d.states = p.States && (!p.Mixed || p.Warps&^warps == 0) // any warp has a block's state
	if !d.Work.Do(k.layout.cost(p.Warps)) {
		d.why = TooMuch
		return
	}
	sizes, words := cursor{data: p.data}, cursor{data: p.words}
	issues := uint64(0)
	for rest := p.Warps; rest != 0; rest &= rest - 1 {
		s := &d.streams[bits.TrailingZeros16(uint16(rest))]
		s.issues = uint32(sizes.uvarint(32))
		issues += uint64(s.issues)
		for _, c := range [...]*cursor{&s.control, &s.masks, &s.values, &s.words} {
			c.at = int(sizes.uvarint(29))
		}
		if s.states.at = 0; p.States {
			s.states.at = int(sizes.uvarint(29))
		}
	}
	for rest := p.Warps; rest != 0; rest &= rest - 1 {
		w := bits.TrailingZeros16(uint16(rest))
		s := &d.streams[w]
		s.run, s.at, s.to = 0, 0, 0
		s.control = cursor{data: sizes.take(s.control.at, "it ends inside a part")}
		s.masks = cursor{data: sizes.take(s.masks.at, "it ends inside a part")}
		s.values = cursor{data: sizes.take(s.values.at, "it ends inside a part")}
		s.states.cursor = cursor{data: sizes.take(s.states.at, "it ends inside a part")}
		s.words = cursor{data: words.take(s.words.at, "words that are not there")}
		if d.why = sizes.why + words.why; d.why != "" {
			return
		}
		if warps>>w&1 != 0 {
			s.predictor.start(&k.layout, p.First)
			s.states.start()
			d.advance(w)
		}
	}
	switch {
	case sizes.left() || words.left():
		d.why = "a part with more than it says"
	case issues < uint64(p.Count) || issues > uint64(p.Count) && !p.Mixed || issues > uint64(p.Count)*lane.MaxWarps:
		d.why = "a part that does not have the issues it says"
	}
}

// Next reads an issue into d.Step. At the end of the part, and after a mistake, ok is false; why
// names the mistake.
func (d *Decoder) Next() (ok bool, why string) {
	if d.why != "" || d.live == 0 {
		return false, d.why
	}
	s := &d.Step
	if d.round == 0 {
		d.open()
	}
	s.N, s.Vetoed = 0, 0
	first := &d.streams[bits.TrailingZeros16(uint16(d.round))%lane.MaxWarps]
	s.Index = int(first.at)
	for ; d.round != 0; d.round &= d.round - 1 {
		w := bits.TrailingZeros16(uint16(d.round)) % lane.MaxWarps
		t := &d.streams[w]
		if !s.Mixed && (t.at != first.at || (t.active == 0) != (first.active == 0)) {
			break
		}
		s.Warp[s.N], s.Active[s.N], s.Executed[s.N] = uint8(w), t.active, t.executed
		if t.vetoed {
			s.Vetoed |= 1 << w
		}
		s.N++
	}
	d.readValues()
	if d.states {
		d.takeStates()
	}
	for _, w := range s.Warp[:s.N] {
		d.advance(int(w))
	}
	return d.why == "", d.why
}

// open begins the next round.
func (d *Decoder) open() {
	now := ^uint64(0)
	for rest := d.live; rest != 0; rest &= rest - 1 {
		w := bits.TrailingZeros16(uint16(rest)) % lane.MaxWarps
		switch t := d.streams[w].now; {
		case t < now:
			now, d.round = t, 1<<w
		case t == now:
			d.round |= 1 << w
		}
	}
	d.Step.Time = now
}

// advance reads the next issue of warp w.
func (d *Decoder) advance(w int) {
	s := &d.streams[w]
	for s.issues > 0 {
		if s.issues--; !d.Work.Do(1) {
			d.fail(TooMuch)
			return
		}
		if s.issue(&d.kernel.layout); s.control.why != "" {
			d.fail(s.control.why)
			return
		}
		if s.states.issue(d.Step.Mixed); s.states.why != "" {
			d.fail(s.states.why)
			return
		}
		if d.wanted == nil || d.wanted[s.at] {
			d.live |= 1 << w
			return
		}
		d.skipValues(s)
	}
	d.live &^= 1 << w
	if s.run != 0 || s.at+1 < s.to || s.control.left() || s.masks.left() || s.values.left() || s.words.left() || s.states.cursor.left() {
		d.fail("a part with more than it says")
	}
}

// takeStates copies the policy's states of the warps in d.Step.
func (d *Decoder) takeStates() {
	s := &d.Step
	d.kept, s.States = d.kept[:0], s.States[:0]
	for _, w := range s.Warp[:s.N] {
		d.kept = append(d.kept, d.streams[w].states.now...)
		if s.Mixed {
			break
		}
	}
	for i := range d.kept {
		if d.kept[i].Runs {
			d.kept[i].PC = d.kernel.PCs[s.Index]
		}
	}
	if !d.Work.Do(len(d.kept) / 8) {
		d.fail(TooMuch)
	}
	for from := 0; len(s.States) < s.N; {
		to := from + len(d.streams[s.Warp[len(s.States)]].states.now)
		s.States = append(s.States, d.kept[from:to:to])
		if from = to; s.Mixed {
			break
		}
	}
}

// skipValues passes over the values of the issue that s read last.
func (d *Decoder) skipValues(s *streamReader) {
	if s.executed == 0 {
		return
	}
	var v Value
	place := d.kernel.layout.slots[s.at]
	for i, slot := range d.kernel.Values[s.at] {
		v.Slot, v.Lanes = slot, s.executed
		s.readValue(&v, &s.rows[int(place)+i])
	}
	if s.values.why != "" {
		d.fail(s.values.why)
	}
}

func (d *Decoder) fail(why string) {
	if d.why == "" {
		d.why = why
	}
}

// readValues reads the values of the issue in d.Step.
func (d *Decoder) readValues() {
	s := &d.Step
	s.Values = s.Values[:0]
	slots := d.kernel.Values[s.Index]
	if len(slots) == 0 {
		return
	}
	s.Values = slices.Grow(s.Values, s.N*len(slots)) // filled in place: a value is large
	place := d.kernel.layout.slots[s.Index]
	for k, w := range s.Warp[:s.N] {
		if s.Executed[k] == 0 {
			continue
		}
		t := &d.streams[w]
		for i, slot := range slots {
			n := len(s.Values)
			s.Values = s.Values[:n+1]
			v := &s.Values[n]
			v.Slot, v.Warp, v.Lanes = slot, int(w), s.Executed[k]
			t.readValue(v, &t.rows[int(place)+i])
		}
		if t.values.why != "" {
			d.fail(t.values.why)
		}
	}
}

// streamReader reads the output of a warpStream.
type streamReader struct {
	predictor
	control cursor
	masks   cursor
	values  cursor
	words   cursor
	states  stateReader
	issues  uint32 // still to be read
	run     uint32 // stretches still to come that match their prediction

	// The issue read last:
	now              uint64
	at, to           int32 // its instruction, and the end of its stretch
	active, executed lane.Mask
	vetoed           bool
	last             lane.Mask // lanes that execute the last instruction of the stretch
}

// issue reads an issue.
func (s *streamReader) issue(l *layout) {
	s.at, s.now = s.at+1, s.now+1
	if s.at >= s.to {
		s.stretch(l)
	}
	s.executed = s.active
	if s.at == s.to-1 {
		s.executed = s.last
	}
}

// stretch reads the next stretch and moves to its first issue.
func (s *streamReader) stretch(l *layout) {
	x, c := s.next(), &s.control
	if s.run > 0 {
		s.run--
	} else if b := c.byte(); b < explicit {
		s.run = uint32(b)
	} else {
		s.explicit(x, b)
	}
	if x.from < 0 || x.from >= x.to || int(x.to) > len(l.decides) || x.manner&activity > othersActive ||
		x.manner&execution == elsewhere && x.to != x.from+1 {
		c.fail("a stretch that cannot be")
		s.to = 0
		return
	}
	s.active, s.vetoed = s.predictor.active(x.manner), x.manner&execution == elsewhere
	if x.manner&activity == othersActive {
		s.active = lane.Mask(s.masks.word())
	}
	switch x.manner & execution {
	case allExecute:
		s.last = s.active
	case someExecute:
		if s.last = lane.Mask(s.masks.word()); s.last&^s.active != 0 {
			c.fail("a lane that was not active")
		}
	default:
		s.last = 0
	}
	if s.masks.why != "" {
		c.fail(s.masks.why)
	}
	s.now, s.at, s.to = s.time+x.gap, x.from, x.to
	if s.now < s.time || s.now > mostTime {
		c.fail("a time that cannot be")
	}
	s.advance(l, x, s.active, s.last)
}

// explicit reads the rest of a shape that was not predicted; first is its first byte.
func (s *streamReader) explicit(x *shape, first byte) {
	c := &s.control
	*x = shape{from: s.index, manner: manner(first & (hasFrom - 1))}
	if first&hasGap != 0 {
		x.gap = c.uvarint(64)
	}
	from := int64(x.from)
	if first&hasFrom != 0 {
		from += c.varint()
	}
	to := from + int64(c.uvarint(31)) + 1
	if x.from, x.to = int32(from), int32(to); int64(x.from) != from || int64(x.to) != to {
		x.to = 0
	}
}

// readValue reads the row of v.
func (s *streamReader) readValue(v *Value, e *affine) {
	if v.Kind == Condition {
		s.readFlags(&v.Row, v.Lanes)
	} else {
		s.readRow(&v.Row, v.Lanes, e)
	}
}

// readFlags reads the condition register of lanes m into r.
func (s *streamReader) readFlags(r *lane.Row, m lane.Mask) {
	how := s.values.byte()
	var f [4]lane.Mask
	for i := range f {
		switch how >> (flagBits * i) & (1<<flagBits - 1) {
		case flagNone:
		case flagAll:
			f[i] = m
		case flagSome:
			f[i] = lane.Mask(s.values.word()) & m
		default:
			s.values.fail("values written in an unknown way")
		}
	}
	flagsToRow(r, &lane.Flags{Z: f[0], S: f[1], C: f[2], O: f[3]}, m)
}

// readRow reads the values of lanes m into r and sets the other lanes to 0.
func (s *streamReader) readRow(r *lane.Row, m lane.Mask, e *affine) {
	c := &s.values
	if m != lane.All {
		*r = lane.Row{}
	}
	switch how := c.byte(); how {
	case rowUniform, rowAffine, rowPredicted:
		base, stride := e.next()
		if how != rowPredicted {
			base, stride = c.word(), 0
		}
		if how == rowAffine {
			stride = c.word()
		}
		e.note(base, stride)
		fillAffine(r, m, base, stride)
	case rowBytes:
		for ; m != 0; m &= m - 1 {
			r[bits.TrailingZeros32(uint32(m))] = uint32(c.byte())
		}
	case rowWords:
		s.readWords(r, m, s.words.at)
		s.words.at += 4 * bits.OnesCount32(uint32(m))
	case rowRepeated:
		s.readWords(r, m, s.words.at-4*int(c.uvarint(27)))
	default:
		c.fail("values written in an unknown way")
	}
}

// readWords reads the values of lanes m into r, from index at of the words.
func (s *streamReader) readWords(r *lane.Row, m lane.Mask, at int) {
	n := 4 * bits.OnesCount32(uint32(m))
	if at < 0 || n > len(s.words.data)-at {
		s.values.fail("words that are not there")
		s.words.at = len(s.words.data)
		return
	}
	readWords(r, m, s.words.data[at:at+n])
}
