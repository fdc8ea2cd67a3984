package cfg

import "slices"

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
	f.IDom = dominators(f.Start, succ, pred)[:n]
	f.dom = newTree(f.IDom)
	f.IPostDom = dominators(n, pred, succ)[:n]
	for i, d := range f.IPostDom {
		if d == n {
			f.IPostDom[i] = Exit
		}
	}
}

// dominators returns the immediate dominator of each node of a graph with the given root,
// None for the root and for nodes that cannot be reached: the algorithm of Cooper, Harvey
// and Kennedy, which visits the nodes in reverse post-order until nothing changes.
func dominators(root int, succ, pred [][]int) []int {
	order := postOrder(root, succ)
	idom, number := make([]int, len(succ)), make([]int, len(succ))
	for i := range idom {
		idom[i] = None
	}
	for i, v := range order {
		number[v] = i
	}
	idom[root] = root
	for changed := true; changed; {
		changed = false
		for _, v := range slices.Backward(order[:len(order)-1]) {
			d := None
			for _, p := range pred[v] {
				switch {
				case idom[p] == None:
				case d == None:
					d = p
				default:
					d = common(d, p, idom, number)
				}
			}
			if idom[v] != d {
				idom[v], changed = d, true
			}
		}
	}
	idom[root] = None
	return idom
}

// common returns the node nearest to a and b that dominates both.
func common(a, b int, idom, number []int) int {
	for a != b {
		for number[a] < number[b] {
			a = idom[a]
		}
		for number[b] < number[a] {
			b = idom[b]
		}
	}
	return a
}

// postOrder lists the nodes that can be reached from root, each after the nodes first reached from
// it.
func postOrder(root int, succ [][]int) []int {
	type visit struct{ node, next int }
	var order []int
	seen := make([]bool, len(succ))
	seen[root] = true
	for path := []visit{{node: root}}; len(path) > 0; {
		v := &path[len(path)-1]
		if v.next == len(succ[v.node]) {
			order = append(order, v.node)
			path = path[:len(path)-1]
			continue
		}
		to := succ[v.node][v.next]
		v.next++
		if !seen[to] {
			seen[to] = true
			path = append(path, visit{node: to})
		}
	}
	return order
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
