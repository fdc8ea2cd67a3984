package flowgraph

import "slices"

// Node is the type of a node's number, which counts from 0.
type Node interface{ ~int | ~int32 }

// None stands where there is no node, and no place in an order.
const None = -1

// Search searches a graph depth first. It returns the nodes that root reaches in reverse
// postorder: each comes before its successors, except along edges that lead back, and of a node's
// successors that nothing else reaches the last comes first. place holds the index of each node in
// order, or None.
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
