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
	w.places = appendUvarints(w.places, chunk-w.chunk, offset, p.steps, int(p.time-w.begun))
	w.chunk, w.begun = chunk, p.time
	w.pieces++
	w.sum += p.lanes
	b := appendUvarints(w.overview, p.lanes, p.changes)
	for _, index := range p.first {
		b = appendUvarints(b, index+1)
	}
	b = appendUvarints(b, len(p.counts))
	before := 0
	for _, index := range slices.Sorted(maps.Keys(p.counts)) {
		b = appendUvarints(b, index-before, p.counts[index])
		before = index
	}
	w.overview = append(b, p.bins...)
	p.reset()
}

// record appends the warp's record to an index; last is the block of the record before. Only a warp
// of several pieces has an overview: the page can show a single piece instead.
func (w *warp) record(b []byte, last *int) []byte {
	b = appendUvarints(b, w.block-*last, w.number, w.lanes, w.steps, w.sum, w.change+1, w.pieces)
	*last = w.block
	b = append(b, w.places...)
	if w.pieces == 1 {
		return appendUvarints(b, 0)
	}
	return append(appendUvarints(b, len(w.overview)), w.overview...)
}

func appendUvarints(b []byte, list ...int) []byte {
	for _, n := range list {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return b
}
