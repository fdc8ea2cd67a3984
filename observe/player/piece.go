package player

import (
	"encoding/binary"
	"math/bits"

	"jacquard/observe/trace"
	"jacquard/simt/lane"
)

const (
	// pieceSteps is how many steps a piece has at most, and pieceSize about how many bytes.
	pieceSteps = 4096
	pieceSize  = 1 << 18
	// binSteps is how many steps share a column of the overview of a long warp.
	binSteps = 128
)

// What the first byte of a step says. Without sameActive, sameExecuted and sameState the field
// follows, without nextTime and nextIndex the difference.
const (
	sameActive   = 1 << iota // as the step before
	sameExecuted             // all active lanes
	isVetoed
	nextTime  // one round later
	nextIndex // the next instruction
	sameState
	hasValues
	hasMemory
)

// How the row of a value is stored.
const (
	rowUniform = iota // a word
	rowAffine         // the word of lane 0 and the difference between lanes
	rowWords          // a word for each lane that executed
)

// piece is some steps of a warp, in the form that the page's script reads: the active lanes before
// it, the known registers, the steps, and the texts that steps name by number.
type piece struct {
	head  []byte
	data  []byte
	texts numbering
	steps int
	time  uint64 // of the first step
	state int    // of the last step

	// for the overview
	lanes, changes int
	first          [lane.Width]int // instruction of a lane's first step, -1 without one
	counts         map[int]int     // steps by instruction
	bins           []byte          // active steps, by bin and lane
}

// reset empties the piece.
func (p *piece) reset() {
	counts := p.counts
	if counts == nil {
		counts = map[int]int{}
	}
	clear(counts)
	*p = piece{head: p.head[:0], data: p.data[:0], bins: p.bins[:0], counts: counts, state: -2}
	for l := range p.first {
		p.first[l] = -1
	}
}

func (p *piece) full() bool { return p.steps >= pieceSteps || len(p.data) > pieceSize }

// bytes returns the piece.
func (p *piece) bytes() []byte {
	texts := marshal(append([]string{}, p.texts.all...))
	b := append(p.head, p.data...)
	b = binary.AppendUvarint(b, uint64(len(texts)))
	return append(b, texts...)
}

// step adds a step.
func (w *warp) step(s *trace.Step, k, state, note int, values []*trace.Value, names *numbering) {
	p := &w.piece
	active, executed := s.Active[k], s.Executed[k]
	flags, fresh := 0, p.steps == 0
	set := func(flag int, on bool) {
		if on {
			flags |= flag
		}
	}
	set(sameActive, !fresh && active == w.active)
	set(sameExecuted, executed == active)
	set(isVetoed, s.Vetoed>>s.Warp[k]&1 != 0)
	set(nextTime, !fresh && s.Time == w.time+1)
	set(nextIndex, !fresh && s.Index == w.at+1)
	set(sameState, state == p.state)
	set(hasValues, len(values) > 0)
	set(hasMemory, note >= 0)
	b := append(p.data, byte(flags))
	if flags&sameActive == 0 {
		b = binary.LittleEndian.AppendUint32(b, uint32(active))
	}
	if flags&sameExecuted == 0 {
		b = binary.LittleEndian.AppendUint32(b, uint32(executed))
	}
	if flags&nextTime == 0 {
		before := w.time
		if fresh {
			before = 0
		}
		b = binary.AppendUvarint(b, s.Time-before)
	}
	if flags&nextIndex == 0 {
		b = binary.AppendUvarint(b, uint64(s.Index))
	}
	if flags&sameState == 0 {
		b = binary.AppendUvarint(b, uint64(state+1))
	}
	if flags&hasMemory != 0 {
		b = binary.AppendUvarint(b, uint64(note))
	}
	if flags&hasValues != 0 {
		b = binary.AppendUvarint(b, uint64(len(values)))
		for _, v := range values {
			b = binary.AppendUvarint(b, uint64(names.number(v.Name())))
			b = appendRow(b, &v.Row, v.Lanes)
			w.known.note(v, w.steps)
		}
	}
	p.data, p.state = b, state
	w.count(active, s.Index)
	w.active, w.time, w.at = active, s.Time, s.Index
	w.steps++
	p.steps++
}

// count counts a step for the overview.
func (w *warp) count(active lane.Mask, index int) {
	p := &w.piece
	if w.steps > 0 && active != w.active {
		p.changes++
		if w.change < 0 {
			w.change = w.steps
		}
	}
	p.lanes += bits.OnesCount32(uint32(active))
	w.lanes = max(w.lanes, bits.Len32(uint32(active)))
	p.counts[index]++
	if p.steps%binSteps == 0 {
		p.bins = append(p.bins, make([]byte, lane.Width)...)
	}
	bin := p.bins[len(p.bins)-lane.Width:]
	for m := active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(uint32(m))
		bin[l]++
		if p.first[l] < 0 {
			p.first[l] = index
		}
	}
}

// appendRow stores the lanes m of a row.
func appendRow(b []byte, r *lane.Row, m lane.Mask) []byte {
	le := binary.LittleEndian
	low := bits.TrailingZeros32(uint32(m))
	stride := uint32(0)
	if rest := m & (m - 1); rest>>(low+1)&1 != 0 { // the next lane is there, too
		stride = r[low+1] - r[low]
	}
	base := r[low] - uint32(low)*stride
	for rest := m; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros32(uint32(rest))
		if r[l] != base+uint32(l)*stride {
			b = append(b, rowWords)
			for rest := m; rest != 0; rest &= rest - 1 {
				b = le.AppendUint32(b, r[bits.TrailingZeros32(uint32(rest))])
			}
			return b
		}
	}
	if stride == 0 {
		return le.AppendUint32(append(b, rowUniform), base)
	}
	return le.AppendUint32(le.AppendUint32(append(b, rowAffine), base), stride)
}

// registers holds the values of a warp's registers that the trace has had so far.
type registers struct {
	list []register // in the order of their first values
	at   map[trace.Slot]int
}

// register is the last known value of a register, lane by lane.
type register struct {
	slot  trace.Slot
	lanes lane.Mask // known
	since int       // the step of its last value
	row   lane.Row
}

// note takes a value: of a register that is written, or that is stored.
func (r *registers) note(v *trace.Value, step int) {
	slot := v.Slot
	switch slot.Kind {
	case trace.Address:
		return
	case trace.Data:
		slot.Kind = trace.Register
	}
	at, ok := r.at[slot]
	if !ok {
		if r.at == nil {
			r.at = map[trace.Slot]int{}
		}
		at = len(r.list)
		r.at[slot] = at
		r.list = append(r.list, register{slot: slot})
	}
	k := &r.list[at]
	k.lanes |= v.Lanes
	k.since = step
	for m := v.Lanes; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(uint32(m))
		k.row[l] = v.Row[l]
	}
}

// begin begins a piece of the warp if the last one has ended.
func (w *warp) begin(s *trace.Step, k int, names *numbering) {
	p := &w.piece
	if p.steps > 0 {
		return
	}
	p.reset()
	before := w.active
	if w.steps == 0 {
		before = s.Active[k]
	}
	b := binary.LittleEndian.AppendUint32(p.head, uint32(before))
	b = binary.AppendUvarint(b, uint64(len(w.known.list)))
	for i := range w.known.list {
		r := &w.known.list[i]
		b = binary.AppendUvarint(b, uint64(names.number(r.slot.Name())))
		b = binary.AppendUvarint(b, uint64(r.since))
		b = binary.LittleEndian.AppendUint32(b, uint32(r.lanes))
		b = appendRow(b, &r.row, r.lanes)
	}
	p.head, p.time = b, s.Time
}
