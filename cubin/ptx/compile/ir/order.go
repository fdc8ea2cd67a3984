package ir

import "slices"

// Order removes blocks that the entry does not reach, puts the rest into reverse postorder, and
// computes dominators and loops.
func (f *Func) Order() {
	f.number()
	f.dominators()
	f.loops()
}

// number orders the reachable blocks.
func (f *Func) number() {
	seen := make([]bool, len(f.Blocks))
	post := make([]*Block, 0, len(f.Blocks))
	type place struct {
		b    *Block
		next int
	}
	stack := []place{{f.Blocks[0], 0}}
	seen[f.Blocks[0].ID] = true
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		succs := top.b.Succs()
		if top.next == len(succs) {
			post = append(post, top.b)
			stack = stack[:len(stack)-1]
			continue
		}
		// The last successor goes first, so that the first follows its block.
		s := succs[len(succs)-1-top.next]
		top.next++
		if !seen[s.ID] {
			seen[s.ID] = true
			stack = append(stack, place{s, 0})
		}
	}
	for _, b := range f.Blocks {
		if !seen[b.ID] {
			f.drop(b, seen)
		}
	}
	slices.Reverse(post)
	for i, b := range post {
		b.ID, b.order = i, i
	}
	f.Blocks = post
}

// drop takes an unreachable block out of its successors and out of the counts of uses.
func (f *Func) drop(b *Block, seen []bool) {
	for _, s := range b.Succs() {
		if seen[s.ID] {
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

// dominators computes immediate dominators by iteration over reverse postorder.
func (f *Func) dominators() {
	for _, b := range f.Blocks {
		b.Idom = nil
	}
	entry := f.Blocks[0]
	entry.Idom = entry
	for changed := true; changed; {
		changed = false
		for _, b := range f.Blocks[1:] {
			var idom *Block
			for _, p := range b.Preds {
				switch {
				case p.Idom == nil:
				case idom == nil:
					idom = p
				default:
					idom = intersect(idom, p)
				}
			}
			if idom != b.Idom {
				b.Idom, changed = idom, true
			}
		}
	}
	entry.Idom = nil
}

// intersect returns the nearest block that dominates both.
func intersect(a, b *Block) *Block {
	for a != b {
		for a.order > b.order {
			a = a.Idom
		}
		for b.order > a.order {
			b = b.Idom
		}
	}
	return a
}

// Dominates reports whether every path to b passes a.
func (a *Block) Dominates(b *Block) bool {
	for b != nil && b.order > a.order {
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
