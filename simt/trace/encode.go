package trace

import (
	"encoding/binary"
	"math/bits"

	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// encoder writes parts of what the warps of a block do.
type encoder struct {
	strands [lane.MaxWarps]strand
	lanes   *lane.Kernels // for rows of values
	kernel  *Kernel
	set     branch.WarpSet // warps that are in the part
	head    partHeader
	counted uint64 // of a mixed block: issues before this time are counted
}

// start begins a part that nothing is in before a time.
func (e *encoder) start(k *Kernel, block int, mixed bool, first uint64) {
	e.kernel, e.set, e.counted = k, 0, first
	e.head = partHeader{block: uint32(block), mixed: mixed, first: first}
}

// strand returns that of warp w.
func (e *encoder) strand(w int) *strand {
	s := &e.strands[w%lane.MaxWarps]
	if e.set>>w&1 == 0 {
		e.set |= 1 << w
		s.start(&e.kernel.layout, e.head.first)
	}
	return s
}

// add adds what warp w issued.
func (e *encoder) add(w int, r *simt.Stretch) {
	e.strand(w).add(&e.kernel.layout, r)
	if e.head.mixed {
		e.head.count += e.together(r.Time, r.Time+uint64(r.To-r.From))
	}
}

// together returns how many issues from a time up to an end are not counted yet, of those that several warps share.
func (e *encoder) together(time, end uint64) uint32 {
	n := end - min(end, max(time, e.counted))
	e.counted = max(end, e.counted)
	return uint32(n)
}

// step adds an issue.
func (e *encoder) step(s *Step) {
	r := simt.Stretch{Time: s.Time, From: int32(s.Index), To: int32(s.Index) + 1}
	for k, w := range s.Warp[:s.N] {
		r.Active, r.Executed, r.Vetoed = s.Active[k], s.Executed[k], s.Vetoed>>w&1 != 0
		e.add(int(w), &r)
	}
}

// size returns how many bytes the part has so far.
func (e *encoder) size() int {
	n := 0
	for rest := e.set; rest != 0; rest &= rest - 1 {
		n += e.strands[bits.TrailingZeros16(uint16(rest))].size()
	}
	return n
}

// take ends the part. What it holds lies in buffers of b.
func (e *encoder) take(b *buffers) part {
	p := part{partHeader: e.head, data: b.bytes.get()}
	p.warps = e.set
	if !e.head.mixed {
		for rest := e.set; rest != 0; rest &= rest - 1 {
			p.count += e.strands[bits.TrailingZeros16(uint16(rest))].count
		}
	}
	for rest := e.set; rest != 0; rest &= rest - 1 {
		s := &e.strands[bits.TrailingZeros16(uint16(rest))]
		s.close(&e.kernel.layout)
		s.endRun()
		p.data = binary.AppendUvarint(p.data, uint64(s.count))
		p.data = binary.AppendUvarint(p.data, uint64(len(s.control)))
		p.data = binary.AppendUvarint(p.data, uint64(len(s.masks)))
		p.data = binary.AppendUvarint(p.data, uint64(len(s.values)))
		p.data = binary.AppendUvarint(p.data, uint64(4*len(s.words)))
	}
	for rest := e.set; rest != 0; rest &= rest - 1 {
		s := &e.strands[bits.TrailingZeros16(uint16(rest))]
		p.data = append(append(append(p.data, s.control...), s.masks...), s.values...)
		if len(s.words) > 0 {
			if p.words == nil {
				p.words = b.lists.get()
			}
			p.words = append(p.words, s.words)
			p.wordBytes += uint32(4 * len(s.words))
			s.words = b.words.get()
			clear(s.places[:])
		}
	}
	return p
}
