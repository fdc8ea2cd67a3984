package code

import (
	"slices"

	"jacquard/internal/flowgraph"
)

// outside returns the block at whose end the region of all ways to j begins, loops with several
// entries among them. It returns -1 if there is none.
//
// Such a region holds more than it must, but lanes have to meet somewhere before a barrier: the
// machine counts a warp when the first of its lanes comes there.
func (s *structuring) outside(j int32) int32 {
	round := s.g.roundWithout(j)
	for p := s.g.Above[j]; p >= 0; p = s.g.Above[p] {
		if !round[p] && s.behindAll(p, j) {
			return p
		}
	}
	return -1
}

// roundWithout returns, by block, whether a way leads from its end back to it without block j.
func (g *graph) roundWithout(j int32) []bool {
	succ, pred := slices.Clone(g.succ), slices.Clone(g.pred)
	for _, t := range succ[j] {
		pred[t] = slices.DeleteFunc(slices.Clone(pred[t]), func(p int32) bool { return p == j })
	}
	succ[j] = nil
	order, _ := flowgraph.Search(0, succ)
	knot := flowgraph.Components(order, pred)
	round := make([]bool, len(succ))
	for _, b := range order {
		for _, t := range succ[b] {
			round[b] = round[b] || knot[t] == knot[b]
		}
	}
	return round
}
