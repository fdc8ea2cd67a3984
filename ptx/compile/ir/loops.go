package ir

import "jacquard/internal/flowgraph"

// nest is the state of a search for loops. Two natural loops are within each other or apart, so an
// inner one counts as one block of the outer: its header.
type nest struct {
	f *Func
	// outermost leads from a block to the header of the outermost loop so far that holds it, over
	// others; from a block in none to itself.
	outermost []int32
	work      []int32
}

// loops finds natural loops: the header dominates the blocks that jump back to it.
func (f *Func) loops(t *flowgraph.Tree[int32]) {
	l := &nest{f: f, outermost: make([]int32, len(f.Blocks))}
	for i, b := range f.Blocks {
		l.outermost[i] = int32(i)
		b.Depth, b.Loop, b.Around = 0, nil, nil
	}
	for i := len(f.Blocks) - 1; i >= 0; i-- { // inner headers come first
		l.collect(f.Blocks[i], t)
	}
	for _, b := range f.Blocks { // outer headers come first
		if b.Around != nil {
			b.Depth = b.Around.Depth
		}
		if b.Loop == b {
			b.Depth++
		} else {
			b.Loop = b.Around
		}
	}
}

// collect finds the blocks of the loop of h, if there is one, which lead back to h.
func (l *nest) collect(h *Block, t *flowgraph.Tree[int32]) {
	for _, p := range h.Preds {
		if t.Dominates(int32(h.ID), int32(p.ID)) {
			h.Loop = h
			l.take(p, h)
		}
	}
	for len(l.work) > 0 {
		b := l.f.Blocks[l.work[len(l.work)-1]]
		l.work = l.work[:len(l.work)-1]
		for _, p := range b.Preds {
			l.take(p, h)
		}
	}
}

// take makes a block, or the loops around it, part of the loop of h.
func (l *nest) take(b, h *Block) {
	top := l.top(int32(b.ID))
	if top == int32(h.ID) {
		return
	}
	l.outermost[top] = int32(h.ID)
	l.f.Blocks[top].Around = h
	l.work = append(l.work, top)
}

// top returns the header of the outermost loop around a block, and shortens the way there.
func (l *nest) top(b int32) int32 {
	for l.outermost[b] != b {
		l.outermost[b] = l.outermost[l.outermost[b]]
		b = l.outermost[b]
	}
	return b
}
