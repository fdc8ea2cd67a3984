package cfg

import (
	"slices"

	"jacquard/internal/flowgraph"
)

// dominate fills in IDom and IPostDom.
func (f *Function) dominate() {
	n := len(f.Blocks)
	succ, pred := make([][]int, n+1), make([][]int, n+1) // n is the virtual exit
	for i := range f.Blocks {
		succ[i], pred[i] = f.Targets(i), slices.Clone(f.Blocks[i].Pred)
		if f.Leaves(i) {
			succ[i] = append(succ[i], n)
			pred[n] = append(pred[n], i)
		}
	}
	f.IDom = above(flowgraph.Dominators(f.Start, succ, pred), n)
	f.dom = newTree(f.IDom)
	f.IPostDom = above(flowgraph.Dominators(n, pred, succ), n)
}

// above returns the immediate dominators of the first n nodes, as IDom and IPostDom name them.
func above(t *flowgraph.Tree[int], n int) []int {
	list := t.Above[:n]
	for i, d := range list {
		switch d {
		case flowgraph.None:
			list[i] = None
		case n:
			list[i] = Exit
		}
	}
	return list
}

// tree answers whether one node of a tree is below another.
type tree struct {
	order       []int // all nodes, each before the nodes below it
	first, last []int // of each node, the part of order with it and the nodes below it
}

// newTree makes the tree in which above[i] is the node above i. There may be several roots, for
// which above is no node.
func newTree(above []int) tree {
	n := len(above)
	t := tree{make([]int, n), make([]int, n), make([]int, n)}
	below := make([][]int, n+1) // n is above the roots
	for i, a := range above {
		if a < 0 || a >= n {
			a = n
		}
		below[a] = append(below[a], i)
	}
	size := make([]int, n) // of the part of order of each node
	next := 0
	for todo := slices.Clone(below[n]); len(todo) > 0; next++ {
		v := todo[len(todo)-1]
		todo = append(todo[:len(todo)-1], below[v]...)
		t.order[next], t.first[v], size[v] = v, next, 1
	}
	for _, v := range slices.Backward(t.order) {
		t.last[v] = t.first[v] + size[v]
		if a := above[v]; a >= 0 && a < n {
			size[a] += size[v]
		}
	}
	return t
}

// below reports whether b is a or below it.
func (t *tree) below(b, a int) bool {
	return a >= 0 && b >= 0 && t.first[a] <= t.first[b] && t.first[b] < t.last[a]
}

// Dominates reports whether every way from the entry to block b goes through block a.
func (f *Function) Dominates(a, b int) bool { return f.dom.below(b, a) }
