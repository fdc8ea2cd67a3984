package flowgraph_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/flowgraph"
)

// reached returns the nodes that a search from root finds without entering one node.
func reached(root, without int32, succ [][]int32) map[int32]bool {
	found := map[int32]bool{}
	var visit func(n int32)
	visit = func(n int32) {
		if n != without && !found[n] {
			found[n] = true
			for _, s := range succ[n] {
				visit(s)
			}
		}
	}
	visit(root)
	return found
}

// A node dominates the nodes that are not reached without it.
func TestDominatorsOfRandomGraphs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := int32(1 + r.IntN(12))
		succ, pred := make([][]int32, n), make([][]int32, n)
		for a := range n {
			for range r.IntN(3) {
				b := r.Int32N(n)
				succ[a], pred[b] = append(succ[a], b), append(pred[b], a)
			}
		}
		require.Equal(t, fmt.Sprint(pred), fmt.Sprint(flowgraph.Predecessors(succ)))
		root := r.Int32N(n)
		tree := flowgraph.Dominators(root, succ, pred)
		all := reached(root, flowgraph.None, succ)
		require.Len(t, tree.Order, len(all))
		knot := flowgraph.Components(tree.Order, pred)
		for a := range n {
			for b := range n {
				together := all[a] && all[b] && reached(a, flowgraph.None, succ)[b] && reached(b, flowgraph.None, succ)[a]
				require.Equal(t, together, knot[a] == knot[b] && knot[a] != flowgraph.None, "%v: %d, %d", succ, a, b)
			}
		}
		require.Equal(t, root, tree.Order[0])
		for b := range n {
			require.Equal(t, all[b], tree.Place[b] != flowgraph.None)
			nearest := int32(flowgraph.None)
			for a := range all {
				if !all[b] {
					continue
				}
				dominates := a == b || !reached(root, a, succ)[b]
				require.Equal(t, dominates, tree.Dominates(a, b), "%v from %d: %d, %d", succ, root, a, b)
				if dominates && a != b && (nearest == flowgraph.None || tree.Place[a] > tree.Place[nearest]) {
					nearest = a
				}
			}
			require.Equal(t, nearest, tree.Above[b], "%v from %d: %d", succ, root, b)
			for a := range all {
				if !all[b] {
					continue
				}
				common := root
				for c := range all {
					if tree.Dominates(c, a) && tree.Dominates(c, b) && tree.Place[c] > tree.Place[common] {
						common = c
					}
				}
				require.Equal(t, common, tree.Common(a, b), "%v from %d: %d, %d", succ, root, a, b)
			}
		}
	}
}
