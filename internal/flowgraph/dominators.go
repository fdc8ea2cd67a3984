package flowgraph

// Tree is the tree of dominators of the nodes that its root reaches.
type Tree[N Node] struct {
	Order []N // of [Search]
	Place []N // of [Search]
	// Above is the immediate dominator of each node: None for the root and for nodes that the root
	// does not reach.
	Above []N

	// enter and leave number the visits of a walk over the tree: the nodes that a node dominates
	// are entered after it and left before it.
	enter, leave []int32
}

// Dominators returns the tree of a graph, by the algorithm of Lengauer and Tarjan ("A fast algorithm
// for finding dominators in a flowgraph", 1979), with compression of paths: the time grows with
// edges times the logarithm of nodes, whatever the shape of the graph. pred are the predecessors of
// each node that root reaches.
func Dominators[N Node](root N, succ, pred [][]N) *Tree[N] {
	t := &Tree[N]{Above: make([]N, len(succ))}
	t.Order, t.Place = Search(root, succ)
	for i := range t.Above {
		t.Above[i] = None
	}
	d := newForest(root, succ)
	d.semidominators(pred)
	for i, v := range d.node[1:] {
		if above := d.above[i+1]; above != d.semi[i+1] {
			d.above[i+1] = d.above[above]
		}
		t.Above[v] = d.node[d.above[i+1]]
	}
	t.number()
	return t
}

// forest is the state of the algorithm. Nodes go by the number of their visit in a search depth
// first.
type forest[N Node] struct {
	node   []N     // by visit
	visit  []int32 // by node; None if root does not reach it
	parent []int32 // by visit: in the tree of the search
	semi   []int32 // by visit: the semidominator
	above  []int32 // by visit: the dominator, in the end
	// up is the next node towards the root of a tree of the forest, None for a root; best is the
	// node with the least semidominator between the two.
	up, best []int32
	path     []int32
}

func newForest[N Node](root N, succ [][]N) *forest[N] {
	d := &forest[N]{visit: make([]int32, len(succ))}
	for i := range d.visit {
		d.visit[i] = None
	}
	type step struct {
		visit int32
		next  int
	}
	enter := func(n N, parent int32) step {
		v := int32(len(d.node))
		d.visit[n] = v
		d.node, d.parent = append(d.node, n), append(d.parent, parent)
		d.semi, d.best = append(d.semi, v), append(d.best, v)
		d.up, d.above = append(d.up, None), append(d.above, 0)
		return step{visit: v}
	}
	for path := []step{enter(root, None)}; len(path) > 0; {
		s := &path[len(path)-1]
		list := succ[d.node[s.visit]]
		if s.next == len(list) {
			path = path[:len(path)-1]
			continue
		}
		to := list[s.next]
		s.next++
		if d.visit[to] == None {
			path = append(path, enter(to, s.visit))
		}
	}
	return d
}

// semidominators fills in semi, and above with the dominator of each node or with a node that has
// the same dominator.
func (d *forest[N]) semidominators(pred [][]N) {
	n := int32(len(d.node))
	first, next := make([]int32, n), make([]int32, n) // lists of nodes by their semidominator
	for i := range first {
		first[i] = None
	}
	for w := n - 1; w > 0; w-- {
		for _, p := range pred[d.node[w]] {
			if v := d.visit[p]; v != None {
				d.semi[w] = min(d.semi[w], d.semi[d.least(v)])
			}
		}
		next[w], first[d.semi[w]] = first[d.semi[w]], w
		parent := d.parent[w]
		d.up[w] = parent
		for v := first[parent]; v != None; v = next[v] {
			d.above[v] = parent
			if u := d.least(v); d.semi[u] < d.semi[v] {
				d.above[v] = u
			}
		}
		first[parent] = None
	}
}

// least returns the node with the least semidominator from v up to below the root of its tree, and
// shortens the path there.
func (d *forest[N]) least(v int32) int32 {
	if d.up[v] == None {
		return v
	}
	d.path = d.path[:0]
	for u := v; d.up[d.up[u]] != None; u = d.up[u] {
		d.path = append(d.path, u)
	}
	for i := len(d.path) - 1; i >= 0; i-- {
		u := d.path[i]
		if b := d.best[d.up[u]]; d.semi[b] < d.semi[d.best[u]] {
			d.best[u] = b
		}
		d.up[u] = d.up[d.up[u]]
	}
	return d.best[v]
}

// number fills in enter and leave. A node comes behind its dominator in the order, and one walk
// backwards finds how many each dominates.
func (t *Tree[N]) number() {
	t.enter, t.leave = make([]int32, len(t.Above)), make([]int32, len(t.Above))
	for i := len(t.Order) - 1; i >= 0; i-- { // leave counts the dominated nodes
		n := t.Order[i]
		t.leave[n]++
		if above := t.Above[n]; above != None {
			t.leave[above] += t.leave[n]
		}
	}
	free := make([]int32, len(t.Above)) // the next number for a node below
	for _, n := range t.Order {
		if above := t.Above[n]; above != None {
			t.enter[n] = free[above]
			free[above] += t.leave[n]
		}
		free[n] = t.enter[n] + 1
		t.leave[n] += t.enter[n]
	}
}

// Common returns the node nearest to a and b that dominates both.
func (t *Tree[N]) Common(a, b N) N {
	if t.Dominates(b, a) {
		return b
	}
	for !t.Dominates(a, b) {
		a = t.Above[a]
	}
	return a
}

// Dominates reports whether every path from the root to b leads through a. The root reaches both.
func (t *Tree[N]) Dominates(a, b N) bool {
	return t.enter[a] <= t.enter[b] && t.enter[b] < t.leave[a]
}
