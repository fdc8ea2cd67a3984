package code

// graph is the flow graph of a function, by block number. Blocks without a way from the entry have
// order -1.
type graph struct {
	succ, pred [][]int32
	rpo        []int32 // the reachable blocks, each before its successors but for loops
	order      []int32 // place in rpo
	idom       []int32 // immediate dominator, -1 for the entry
	loop       []int32 // header of the innermost natural loop, -1 for none
	parent     []int32 // of a header: that of the loop around its own, -1 for none
}

// successors returns the blocks to which the end leads, each once.
func (b *Block) successors() []*Block {
	switch {
	case b.End.Kind == Jump, b.End.Kind == Branch && b.End.To[0] == b.End.To[1]:
		return b.End.To[:1]
	case b.End.Kind == Branch:
		return b.End.To[:]
	}
	return nil
}

// number gives the blocks their numbers.
func (f *Func) number() {
	for i, b := range f.Blocks {
		b.ID = i
	}
}

// newGraph analyses the flow graph. It numbers the blocks.
func newGraph(f *Func) *graph {
	f.number()
	n := len(f.Blocks)
	g := &graph{succ: make([][]int32, n), pred: make([][]int32, n)}
	edges := make([]int32, 0, 4*n)
	for i, b := range f.Blocks {
		from := len(edges)
		for _, s := range b.successors() {
			edges = append(edges, int32(s.ID))
		}
		g.succ[i] = edges[from:len(edges):len(edges)]
	}
	g.rpo, g.order = depthFirst(g.succ, 0)
	for _, b := range g.rpo {
		for _, s := range g.succ[b] {
			g.pred[s] = append(g.pred[s], b)
		}
	}
	g.idom = dominators(g.rpo, g.order, g.pred)
	g.findLoops()
	return g
}

// depthFirst returns the blocks in reverse postorder, and the place of each, or -1.
func depthFirst(succ [][]int32, root int32) (rpo, order []int32) {
	order = make([]int32, len(succ))
	for i := range order {
		order[i] = -1
	}
	type frame struct{ block, next int32 }
	stack := []frame{{root, 0}}
	order[root] = 0
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if int(top.next) == len(succ[top.block]) {
			rpo = append(rpo, top.block)
			stack = stack[:len(stack)-1]
			continue
		}
		s := succ[top.block][top.next] // the last one comes right after the block
		top.next++
		if order[s] < 0 {
			order[s] = 0
			stack = append(stack, frame{s, 0})
		}
	}
	for i, j := 0, len(rpo)-1; i < j; i, j = i+1, j-1 {
		rpo[i], rpo[j] = rpo[j], rpo[i]
	}
	for i, b := range rpo {
		order[b] = int32(i)
	}
	return rpo, order
}

// dominators returns the immediate dominators (Cooper, Harvey, Kennedy: "A simple, fast dominance
// algorithm").
func dominators(rpo, order []int32, pred [][]int32) []int32 {
	idom := make([]int32, len(order))
	for i := range idom {
		idom[i] = -1
	}
	for changed := true; changed; {
		changed = false
		for _, b := range rpo[1:] {
			best := int32(-1)
			for _, p := range pred[b] {
				if p != rpo[0] && idom[p] < 0 {
					continue
				}
				if best < 0 {
					best = p
					continue
				}
				best = common(idom, order, p, best)
			}
			if best != idom[b] {
				idom[b], changed = best, true
			}
		}
	}
	return idom
}

// common returns the nearest block that dominates a and b.
func common(idom, order []int32, a, b int32) int32 {
	for a != b {
		for order[a] > order[b] {
			a = idom[a]
		}
		for order[b] > order[a] {
			b = idom[b]
		}
	}
	return a
}

// dominates reports whether every path to b leads through a.
func (g *graph) dominates(a, b int32) bool {
	for b >= 0 && g.order[b] > g.order[a] {
		b = g.idom[b]
	}
	return a == b
}

// findLoops finds the natural loops: those whose header dominates them. Inner headers come first,
// so the first loop that takes a block is the innermost.
func (g *graph) findLoops() {
	g.loop, g.parent = make([]int32, len(g.succ)), make([]int32, len(g.succ))
	for i := range g.loop {
		g.loop[i], g.parent[i] = -1, -1
	}
	var list []int32
	for i := len(g.rpo) - 1; i >= 0; i-- {
		head := g.rpo[i]
		list = list[:0]
		for _, p := range g.pred[head] {
			if g.dominates(head, p) {
				list = append(list, p)
			}
		}
		if len(list) > 0 {
			g.loop[head] = head
			g.fill(head, list)
		}
	}
}

// fill puts the blocks from which one of list can be reached without head into the loop of head.
func (g *graph) fill(head int32, list []int32) {
	for len(list) > 0 {
		b := list[len(list)-1]
		list = list[:len(list)-1]
		if g.loop[b] < 0 {
			g.loop[b] = head
			list = append(list, g.pred[b]...)
			continue
		}
		inner := g.loop[b]
		for g.parent[inner] >= 0 {
			inner = g.parent[inner]
		}
		if inner != head {
			g.parent[inner] = head
			list = append(list, g.pred[inner]...)
		}
	}
}

// within reports whether block b is in the loop of a header.
func (g *graph) within(b, head int32) bool {
	for l := g.loop[b]; l >= 0; l = g.parent[l] {
		if l == head {
			return true
		}
	}
	return false
}
