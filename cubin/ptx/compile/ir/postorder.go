package ir

// Postdominators returns, by block, the nearest block that every path from it to the end of the
// kernel passes: nil if there is none but the end itself. Order has run.
func (f *Func) Postdominators() []*Block {
	n := len(f.Blocks)
	const none, end = -1, -2
	ipdom := make([]int, n)
	height := make([]int, n) // place in the order from the end
	for i := range ipdom {
		ipdom[i] = none
	}
	meet := func(a, b int) int {
		for a != b {
			if a == end || b == end {
				return end
			}
			if height[a] < height[b] {
				b = ipdom[b]
			} else {
				a = ipdom[a]
			}
		}
		return a
	}
	order := f.fromEnd()
	for i, b := range order {
		height[b.ID] = i
	}
	for changed := true; changed; {
		changed = false
		for _, b := range order {
			next := none
			if len(b.Succs()) == 0 {
				next = end
			}
			for _, s := range b.Succs() {
				switch {
				case ipdom[s.ID] == none:
				case next == none:
					next = s.ID
				default:
					next = meet(next, s.ID)
				}
			}
			if next != ipdom[b.ID] {
				ipdom[b.ID], changed = next, true
			}
		}
	}
	out := make([]*Block, n)
	for i, p := range ipdom {
		if p >= 0 {
			out[i] = f.Blocks[p]
		}
	}
	return out
}

// fromEnd returns the blocks that reach an end, each after its successors where there is no loop.
func (f *Func) fromEnd() []*Block {
	seen := make([]bool, len(f.Blocks))
	var post []*Block
	var visit func(b *Block)
	visit = func(b *Block) {
		seen[b.ID] = true
		for _, p := range b.Preds {
			if !seen[p.ID] {
				visit(p)
			}
		}
		post = append(post, b)
	}
	for _, b := range f.Blocks {
		if len(b.Succs()) == 0 && !seen[b.ID] {
			visit(b)
		}
	}
	for i, j := 0, len(post)-1; i < j; i, j = i+1, j-1 {
		post[i], post[j] = post[j], post[i]
	}
	return post
}
