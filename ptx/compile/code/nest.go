package code

// nest numbers the loops of a graph, by header: the loops within another come after it and before the
// end of its numbers. Other blocks have no numbers.
type nest struct{ first, end []int32 }

// newNest takes the blocks in reverse postorder, where outer headers come first, and the loops of a
// graph.
func newNest(order, loop, parent []int32) nest {
	n := nest{make([]int32, len(loop)), make([]int32, len(loop))}
	for i := len(order) - 1; i >= 0; i-- { // end counts the loops within each, and itself
		if h := order[i]; loop[h] == h {
			n.end[h]++
			if parent[h] >= 0 {
				n.end[parent[h]] += n.end[h]
			}
		}
	}
	free := make([]int32, len(loop)) // by header: the next number within
	all := int32(1)
	for _, h := range order {
		if loop[h] != h {
			continue
		}
		next := &all
		if parent[h] >= 0 {
			next = &free[parent[h]]
		}
		n.first[h] = *next
		*next += n.end[h]
		free[h] = n.first[h] + 1
		n.end[h] += n.first[h]
	}
	return n
}

// within reports whether block b is in the loop of a header.
func (g *graph) within(b, head int32) bool {
	l := g.loop[b]
	return l >= 0 && g.nest.first[head] <= g.nest.first[l] && g.nest.first[l] < g.nest.end[head]
}
