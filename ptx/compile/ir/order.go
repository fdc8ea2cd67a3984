package ir

import (
	"slices"

	"jacquard/internal/flowgraph"
)

// Order removes blocks that the entry does not reach, puts the rest into reverse postorder, and
// computes dominators and loops.
func (f *Func) Order() {
	f.number()
	f.loops(f.dominators())
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

// dominators fills in Idom and what Dominates looks at.
func (f *Func) dominators() *flowgraph.Tree[int32] {
	succ := f.successors(0)
	t := flowgraph.Dominators(0, succ, flowgraph.Predecessors(succ))
	for i, above := range t.Above {
		f.Blocks[i].Idom, f.Blocks[i].tree = f.at(above), t
	}
	return t
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

// Dominates reports whether every path to b passes a, as of the last Order, or of the last change to
// dominators since.
func (a *Block) Dominates(b *Block) bool {
	return a == b || a.tree.Dominates(int32(a.ID), int32(b.ID))
}
