package code

import "jacquard/internal/flowgraph"

// graph is the flow graph of a function, by block number.
type graph struct {
	succ, pred [][]int32 // pred: of blocks that the entry reaches
	*flowgraph.Tree[int32]
	loop   []int32 // header of the innermost natural loop, -1 for none
	parent []int32 // for a header: the header of the loop around its loop, -1 for none
	nest   nest
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
func newGraph(f *Func) *graph { return newGraphWith(f, nil) }

// newSegments analyses the flow graph without the ways to Func.Dispatch, which lanes take by breaks,
// one after the other: it begins anew for all lanes that come there.
func newSegments(f *Func) *graph { return newGraphWith(f, f.Dispatch) }

// newGraphWith analyses the flow graph with one way to a block, from the entry.
func newGraphWith(f *Func, once *Block) *graph {
	f.number()
	n := len(f.Blocks)
	g := &graph{succ: make([][]int32, n), pred: make([][]int32, n)}
	edges := make([]int32, 0, 2*n+1)
	for i, b := range f.Blocks {
		from := len(edges)
		for _, s := range b.successors() {
			if once == nil || s != once {
				edges = append(edges, int32(s.ID))
			}
		}
		if once != nil && i == 0 {
			edges = append(edges, int32(once.ID))
		}
		g.succ[i] = edges[from:len(edges):len(edges)]
	}
	order, _ := flowgraph.Search(0, g.succ)
	for _, b := range order {
		for _, s := range g.succ[b] {
			g.pred[s] = append(g.pred[s], b)
		}
	}
	g.Tree = flowgraph.Dominators(0, g.succ, g.pred)
	g.findLoops()
	g.nest = newNest(g.Order, g.loop, g.parent)
	return g
}

// findLoops finds the natural loops, which their headers dominate. Inner headers come first, so
// the first loop that takes a block is the innermost.
func (g *graph) findLoops() {
	g.loop, g.parent = make([]int32, len(g.succ)), make([]int32, len(g.succ))
	for i := range g.loop {
		g.loop[i], g.parent[i] = -1, -1
	}
	var list []int32
	for i := len(g.Order) - 1; i >= 0; i-- {
		head := g.Order[i]
		list = list[:0]
		for _, p := range g.pred[head] {
			if g.Dominates(head, p) {
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
