package trace

import (
	"encoding/binary"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// part is a piece of what a block did: all of it, or as much as fills a frame. It is complete in
// itself, and frames are made of parts.
type part struct {
	partHeader
	data  []byte     // for each warp the sizes, then control bytes, masks and values
	words [][]uint32 // of the warps
}

// partHeader says what a part holds.
type partHeader struct {
	block     uint32
	mixed     bool
	warps     branch.WarpSet
	first     uint64 // nothing is before that time
	count     uint32 // warp-instructions
	wordBytes uint32 // of values that are not compressed
}

// partHeaderSize is about what the header takes.
const partHeaderSize = 16

// appendTo writes the part, but for its words, behind others of a frame.
func (p *part) appendTo(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(p.block))
	b = binary.AppendUvarint(b, uint64(p.warps))
	b = binary.AppendUvarint(b, p.first)
	b = binary.AppendUvarint(b, uint64(p.count))
	b = binary.AppendUvarint(b, uint64(len(p.data)))
	b = binary.AppendUvarint(b, uint64(p.wordBytes))
	return append(b, p.data...)
}

// part reads the next part of a frame, but for its words. It need not be copied.
func (c *cursor) part() (p part) {
	p.block = uint32(c.uvarint(32))
	p.warps = branch.WarpSet(c.uvarint(lane.MaxWarps))
	p.first = c.uvarint(64)
	p.count = uint32(c.uvarint(32))
	n := int(c.uvarint(29))
	p.wordBytes = uint32(c.uvarint(29))
	p.data = c.take(n, "it ends inside a part")
	return p
}

// appendWords writes the words.
func (p *part) appendWords(b []byte) []byte {
	for _, w := range p.words {
		b = appendBytesOf(b, w)
	}
	return b
}

// release gives back what the part is made of.
func (p *part) release(b *buffers) {
	b.bytes.put(p.data)
	for _, w := range p.words {
		b.words.put(w)
	}
	clear(p.words)
	b.lists.put(p.words)
	*p = part{}
}

// keep leaves of a part, of which there may be values too many, the issues before the first that is not wanted. Wanted may
// leave warps out of what it is given.
func (p *part) keep(k *Kernel, r *Recorder, wanted func(s *Step) bool) {
	var d partDecoder
	e := encoder{lanes: r.lanes}
	d.start(p, p.appendWords(nil), k, ^branch.WarpSet(0), nil)
	e.start(k, int(p.block), p.mixed, p.first)
	for {
		if ok, _ := d.next(); !ok || !wanted(&d.step) {
			break
		}
		e.step(&d.step)
		e.rows(&d.step)
	}
	p.release(&r.buffers)
	*p = e.take(&r.buffers)
}

// rows adds the values of the step added last that the kernel has.
func (e *encoder) rows(s *Step) {
	slots, first := e.kernel.Values[s.Index], e.kernel.layout.slots[s.Index]
	n, warp := 0, -1
	for i := range s.Values {
		v := &s.Values[i]
		if v.Warp != warp {
			n, warp = 0, v.Warp
		}
		if n < len(slots) && v.Slot == slots[n] {
			if s := e.strand(warp); v.Kind == Condition {
				f := flagsOf(&v.Row)
				s.flags(&f, v.Lanes)
			} else {
				s.value(e.lanes, first+int32(n), &v.Row, v.Lanes)
			}
			n++
		}
	}
}
