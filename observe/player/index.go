package player

import (
	"encoding/binary"
	"maps"
	"slices"

	"jacquard/simt/lane"
)

// warp is a warp whose steps are being written.
type warp struct {
	block, number int
	lanes         int // the highest that was active, plus 1
	steps         int
	change        int // the first step with other lanes than the one before, -1 without one
	active        lane.Mask
	at            int // the last instruction
	time          uint64
	sum           int // of active lanes
	known         registers
	piece         piece
	stored        stored
}

// stored is the index entry of a warp's pieces.
type stored struct {
	pieces   int
	chunk    int    // of the last piece
	begun    uint64 // the time of its first step
	places   []byte // of pieces
	overview []byte
}

func newWarp(block, number int) *warp { return &warp{block: block, number: number, change: -1} }

// end records the piece, which was stored there, and empties it.
func (w *warp) end(chunk, offset int) {
	p := &w.piece
	t := &w.stored
	t.places = appendUvarints(t.places, chunk-t.chunk, offset, p.steps, int(p.time-t.begun))
	t.chunk, t.begun = chunk, p.time
	t.pieces++
	w.sum += p.lanes
	b := appendUvarints(t.overview, p.lanes, p.changes)
	for _, index := range p.first {
		b = appendUvarints(b, index+1)
	}
	b = appendUvarints(b, len(p.counts))
	before := 0
	for _, index := range slices.Sorted(maps.Keys(p.counts)) {
		b = appendUvarints(b, index-before, p.counts[index])
		before = index
	}
	t.overview = append(b, p.bins...)
	p.reset()
}

// record appends the warp's record to an index; last is the block of the record before. Only a warp
// of several pieces has an overview: the page can show a single piece instead.
func (w *warp) record(b []byte, last *int) []byte {
	b = appendUvarints(b, w.block-*last, w.number, w.lanes, w.steps, w.sum, w.change+1, w.stored.pieces)
	*last = w.block
	b = append(b, w.stored.places...)
	if w.stored.pieces == 1 {
		return appendUvarints(b, 0)
	}
	return append(appendUvarints(b, len(w.stored.overview)), w.stored.overview...)
}

func appendUvarints(b []byte, list ...int) []byte {
	for _, n := range list {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return b
}
