package ir

import (
	"slices"

	"jacquard/flowgraph"
)

// Order removes blocks that the entry does not reach, puts the rest into reverse postorder, and
// computes dominators and loops.
func (f *Func) Order() {
	f.number()
	f.dominators()
	f.loops()
}

// number orders the reachable blocks.
func (f *Func) number() {
	succ := f.successors(0)
	for _, list := range succ {
		slices.Reverse(list) // the first successor follows its block
	}
	order, place := flowgraph.Search(0, succ)
	for _, b := range f.Blocks {
		if place[b.ID] == flowgraph.None {
			f.drop(b, place)
		}
	}
	blocks := make([]*Block, len(order))
	for i, n := range order {
		blocks[i] = f.Blocks[n]
		blocks[i].ID = i
	}
	f.Blocks = blocks
}

// drop takes an unreachable block out of its successors and out of the counts of uses.
func (f *Func) drop(b *Block, place []int32) {
	for _, s := range b.Succs() {
		if place[s.ID] != flowgraph.None {
			s.RemovePred(b)
		}
	}
	for _, v := range b.Values {
		for _, a := range v.Args {
			a.Uses--
		}
		v.Args = nil
	}
	if b.Control != nil {
		b.Control.Uses--
	}
	b.Values, b.Control, b.End = nil, nil, Open
}

// successors returns the numbers of the successors of each block, with room for n more blocks.
func (f *Func) successors(n int) [][]int32 {
	const most = 2 // of a block
	all, succ := make([]int32, most*len(f.Blocks)), make([][]int32, len(f.Blocks)+n)
	for i, b := range f.Blocks {
		succ[i], all = all[:0:most], all[most:]
		for _, s := range b.Succs() {
			succ[i] = append(succ[i], int32(s.ID))
		}
	}
	return succ
}

// dominators fills in Idom.
func (f *Func) dominators() {
	succ := f.successors(0)
	for i, above := range flowgraph.Dominators(0, succ, flowgraph.Predecessors(succ)).Above {
		f.Blocks[i].Idom = f.at(above)
	}
}

// at returns the block with a number, or nil.
func (f *Func) at(n int32) *Block {
	if n < 0 || int(n) >= len(f.Blocks) {
		return nil
	}
	return f.Blocks[n]
}

// Postdominators returns, by block, the nearest block that every path from it to the end of the
// kernel passes: nil if there is none but the end itself. Order has run.
func (f *Func) Postdominators() []*Block {
	n := len(f.Blocks)
	succ := f.successors(1)
	for i, list := range succ[:n] {
		if len(list) == 0 {
			succ[i] = append(list, int32(n))
		}
	}
	pred := flowgraph.Predecessors(succ)
	out := make([]*Block, n)
	for i, above := range flowgraph.Dominators(int32(n), pred, succ).Above[:n] {
		out[i] = f.at(above)
	}
	return out
}

// Dominates reports whether every path to b passes a.
func (a *Block) Dominates(b *Block) bool {
	for b != nil && b.ID > a.ID {
		b = b.Idom
	}
	return a == b
}

// loops finds natural loops: the header dominates the block that jumps back to it.
func (f *Func) loops() {
	for _, b := range f.Blocks {
		b.Depth, b.Loop = 0, nil
	}
	// Outer headers come first in reverse postorder, so inner loops overwrite Loop.
	for _, h := range f.Blocks {
		body := map[*Block]bool{}
		for _, p := range h.Preds {
			if h.Dominates(p) {
				collect(h, p, body)
			}
		}
		for b := range body {
			b.Depth++
			b.Loop = h
		}
	}
}

// collect adds to body the blocks of the loop of h that reach its end b.
func collect(h, b *Block, body map[*Block]bool) {
	body[h] = true
	work := []*Block{b}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if body[b] {
			continue
		}
		body[b] = true
		work = append(work, b.Preds...)
	}
}
