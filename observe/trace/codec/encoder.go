package codec

import (
	"encoding/binary"
	"iter"
	"math/bits"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// Encoder makes parts of the issues of a block's warps. The zero Encoder is ready for Start.
type Encoder struct {
	Head    PartHeader // of the current part; its Warps are the warps with issues
	States  bool       // parts have the policy's states; set before Start
	kernel  *Kernel
	streams [lane.MaxWarps]warpStream
	counted uint64 // of a mixed block: issues before this time are in Head.Count
}

// Start begins a part whose issues are not earlier than first. Issues since the last Take are lost.
func (e *Encoder) Start(k *Kernel, block int, mixed bool, first uint64) {
	e.kernel, e.counted = k, first
	e.Head = PartHeader{Block: uint32(block), Mixed: mixed, States: e.States, First: first}
}

// Begin forgets the policy's states, before the first part of a block.
func (e *Encoder) Begin() {
	for w := range e.streams {
		e.streams[w].states.known = e.streams[w].states.known[:0]
	}
}

// stream returns the stream of warp w.
func (e *Encoder) stream(w int) *warpStream {
	s := &e.streams[w%lane.MaxWarps]
	if e.Head.Warps>>w&1 == 0 {
		e.Head.Warps |= 1 << w
		s.start(&e.kernel.layout, e.Head.First)
		if e.Head.States {
			s.states.start(e.Head.Mixed)
		}
	}
	return s
}

// Add adds a stretch of warp w.
func (e *Encoder) Add(w int, r *Stretch) {
	s := e.stream(w)
	if e.Head.States && r.State != nil {
		s.states.add(*r.State, s.count, e.Head.Mixed)
	}
	s.add(&e.kernel.layout, r)
	if e.Head.Mixed {
		end := r.Time + uint64(r.To-r.From)
		e.Head.Count += uint32(end - min(end, max(r.Time, e.counted)))
		e.counted = max(end, e.counted)
	}
}

// Stream is one warp of an Encoder.
type Stream struct {
	stream *warpStream
	layout *layout
}

// Stream returns the stream of warp w, valid until the part ends.
func (e *Encoder) Stream(w int) Stream { return Stream{e.stream(w), &e.kernel.layout} }

// Add adds a stretch. It is faster than Encoder.Add, for blocks that are not mixed and parts without
// States.
func (s Stream) Add(r *Stretch) { s.stream.add(s.layout, r) }

// Row adds value i of the instruction at index, as lanes m have it. m is not empty.
func (s Stream) Row(index, i int, r *lane.Row, m lane.Mask) {
	s.stream.row(s.layout.slots[index]+int32(i), r, m)
}

// Even is Row for a row of base and stride, if no others fit the lanes.
func (s Stream) Even(index, i int, base, stride uint32) {
	s.stream.even(s.layout.slots[index]+int32(i), base, stride)
}

// Uneven is Row for a row that no base and stride fit.
func (s Stream) Uneven(r *lane.Row, m lane.Mask) { s.stream.uneven(r, m) }

// Flags adds a condition register, as lanes m have it. m is not empty.
func (s Stream) Flags(f *lane.Flags, m lane.Mask) { s.stream.flags(f, m) }

// Step adds an issue, with the values that the kernel names.
func (e *Encoder) Step(s *Step) {
	r := Stretch{Time: s.Time, From: int32(s.Index), To: int32(s.Index) + 1}
	for k, w := range s.Warp[:s.N] {
		r.Active, r.Executed, r.Vetoed = s.Active[k], s.Executed[k], s.Vetoed>>w&1 != 0
		if r.State = nil; k < len(s.States) {
			r.State = &s.States[k]
		}
		e.Add(int(w), &r)
	}
	slots := e.kernel.Values[s.Index]
	n, warp := 0, -1
	for i := range s.Values {
		v := &s.Values[i]
		if v.Warp != warp {
			n, warp = 0, v.Warp
		}
		if n == len(slots) || v.Slot != slots[n] {
			continue
		}
		if v.Kind == Condition {
			f := flagsOf(&v.Row)
			e.Stream(warp).Flags(&f, v.Lanes)
		} else {
			e.Stream(warp).Row(s.Index, n, &v.Row, v.Lanes)
		}
		n++
	}
}

// each yields the streams of the part, lowest warp first.
func (e *Encoder) each() iter.Seq[*warpStream] {
	return func(yield func(*warpStream) bool) {
		for rest := e.Head.Warps; rest != 0; rest &= rest - 1 {
			if !yield(&e.streams[bits.TrailingZeros16(uint16(rest))]) {
				return
			}
		}
	}
}

// Size returns the bytes of the part so far.
func (e *Encoder) Size() (n int) {
	for s := range e.each() {
		n += len(s.control) + len(s.masks) + len(s.values) + 4*len(s.words) + e.statesOf(s)
	}
	return n
}

// statesOf returns the bytes of states of a stream of the part.
func (e *Encoder) statesOf(s *warpStream) int {
	if !e.Head.States {
		return 0
	}
	return len(s.states.data)
}

// Take ends the part and returns it, in memory from b.
func (e *Encoder) Take(b *Buffers) Part {
	p := Part{PartHeader: e.Head, data: b.Bytes.Get()}
	for s := range e.each() {
		if !p.Mixed {
			p.Count += s.count
		}
		s.close(&e.kernel.layout)
		s.endRun()
		p.data = binary.AppendUvarint(p.data, uint64(s.count))
		p.data = binary.AppendUvarint(p.data, uint64(len(s.control)))
		p.data = binary.AppendUvarint(p.data, uint64(len(s.masks)))
		p.data = binary.AppendUvarint(p.data, uint64(len(s.values)))
		p.data = binary.AppendUvarint(p.data, uint64(4*len(s.words)))
		if p.States {
			p.data = binary.AppendUvarint(p.data, uint64(len(s.states.data)))
		}
	}
	for s := range e.each() {
		p.data = append(append(append(p.data, s.control...), s.masks...), s.values...)
		if p.States {
			p.data = append(p.data, s.states.data...)
		}
		if len(s.words) > 0 {
			if p.words == nil {
				p.words = b.lists.Get()
			}
			p.words = append(p.words, s.words)
			p.WordBytes += uint32(4 * len(s.words))
			s.words = b.words.Get()
			clear(s.places[:])
		}
	}
	return p
}

// Cut keeps the issues of a part before the first that wanted refuses. The part may hold values
// that belong to no issue. wanted may remove warps from a step.
func (e *Encoder) Cut(p *Part, k *Kernel, b *Buffers, wanted func(*Step) bool) {
	var d Decoder
	d.Start(&StoredPart{p.PartHeader, p.data, p.appendWords(nil)}, k, ^branch.WarpSet(0), nil)
	e.States = p.States
	e.Start(k, int(p.Block), p.Mixed, p.First)
	for {
		if ok, _ := d.Next(); !ok || !wanted(&d.Step) {
			break
		}
		e.Step(&d.Step)
	}
	p.release(b)
	*p = e.Take(b)
}
