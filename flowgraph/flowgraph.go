package flowgraph

import "slices"

// Node is the type of a node's number, which counts from 0.
type Node interface{ ~int | ~int32 }

// None stands where there is no node, and no place in an order.
const None = -1

// Search searches a graph depth first. It returns the nodes that root reaches in reverse postorder:
// each comes before its successors, but for those that lead back to it, and a node's last successor
// comes first of those not reached otherwise. place holds the index of each node in order, or
// None.
func Search[N Node](root N, succ [][]N) (order, place []N) {
	place = make([]N, len(succ))
	for i := range place {
		place[i] = None
	}
	type visit struct {
		node N
		next int
	}
	place[root] = 0
	for path := []visit{{node: root}}; len(path) > 0; {
		v := &path[len(path)-1]
		if v.next == len(succ[v.node]) {
			order = append(order, v.node)
			path = path[:len(path)-1]
			continue
		}
		to := succ[v.node][v.next]
		v.next++
		if place[to] == None {
			place[to] = 0
			path = append(path, visit{node: to})
		}
	}
	slices.Reverse(order)
	for i, n := range order {
		place[n] = N(i)
	}
	return order, place
}

// Predecessors returns the nodes that lead to each node, in the order of their numbers: once for each
// edge.
func Predecessors[N Node](succ [][]N) [][]N {
	counts, edges := make([]int, len(succ)), 0
	for _, list := range succ {
		for _, s := range list {
			counts[s]++
		}
		edges += len(list)
	}
	all, pred := make([]N, edges), make([][]N, len(succ))
	for i, n := range counts {
		pred[i], all = all[:0:n], all[n:]
	}
	for i, list := range succ {
		for _, s := range list {
			pred[s] = append(pred[s], N(i))
		}
	}
	return pred
}

// Tree is the tree of dominators of the nodes that its root reaches.
type Tree[N Node] struct {
	Order []N // of [Search]
	Place []N // of [Search]
	// Above is the immediate dominator of each node: None for the root and for nodes that the root
	// does not reach.
	Above []N
}

// Dominators returns the tree of a graph, by the algorithm of Cooper, Harvey and Kennedy ("A simple,
// fast dominance algorithm"): it visits the nodes in reverse postorder until nothing changes.
// pred are the predecessors of each node that root reaches.
func Dominators[N Node](root N, succ, pred [][]N) *Tree[N] {
	t := &Tree[N]{Above: make([]N, len(succ))}
	t.Order, t.Place = Search(root, succ)
	for i := range t.Above {
		t.Above[i] = None
	}
	t.Above[root] = root
	for changed := true; changed; {
		changed = false
		for _, n := range t.Order[1:] {
			above := N(None)
			for _, p := range pred[n] {
				switch {
				case t.Above[p] == None:
				case above == None:
					above = p
				default:
					above = t.Common(above, p)
				}
			}
			if t.Above[n] != above {
				t.Above[n], changed = above, true
			}
		}
	}
	t.Above[root] = None
	return t
}

// Common returns the node nearest to a and b that dominates both.
func (t *Tree[N]) Common(a, b N) N {
	for a != b {
		for t.Place[a] > t.Place[b] {
			a = t.Above[a]
		}
		for t.Place[b] > t.Place[a] {
			b = t.Above[b]
		}
	}
	return a
}

// Dominates reports whether every path from the root to b leads through a. The root reaches both.
func (t *Tree[N]) Dominates(a, b N) bool {
	for b != None && t.Place[b] > t.Place[a] {
		b = t.Above[b]
	}
	return a == b
}
