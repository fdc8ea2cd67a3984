package flowgraph_test

import (
	"fmt"

	"jacquard/internal/flowgraph"
)

// An if with two sides: both paths meet in node 3.
func ExampleDominators() {
	succ := [][]int{{1, 2}, {3}, {3}, {}}
	pred := [][]int{{}, {0}, {0}, {1, 2}}
	t := flowgraph.Dominators(0, succ, pred)
	fmt.Println(t.Order, t.Above)
	fmt.Println(t.Dominates(0, 3), t.Dominates(1, 3), t.Common(1, 2))
	// Output:
	// [0 2 1 3] [-1 0 0 0]
	// true false 0
}
