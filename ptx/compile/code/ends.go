package code

import (
	"slices"

	"jacquard/internal/flowgraph"
)

// Bounds of the search for the ends of the kernel before which lanes meet.
const (
	maxEnds    = 8 // that are tried for a class
	maxClasses = 8
)

// meetings finds the post-dominators of all blocks. It counts one end of the kernel for each
// block, the same for all blocks of a class, because no lane needs to wait for lanes that end
// elsewhere. The first class holds the blocks that lead to the best end, the second holds the
// remaining blocks that lead to the next end, and so on. No block leads to a class before its own.
func (s *structuring) meetings() {
	n := len(s.f.Blocks)
	s.class, s.ipdom, s.pdepth, s.back = fill(n, -1), fill(n, -1), make([]int32, n), nil
	class := int32(0)
	if s.f.Dispatch != nil {
		s.classify(class, s.beforeDispatch(), int32(n))
		class++
	}
	for ; class < maxClasses; class++ {
		end, tree := s.bestEnd()
		if tree == nil {
			return
		}
		s.classify(class, tree, end)
	}
}

func fill(n int, x int32) []int32 { return slices.Repeat([]int32{x}, n) }

// beforeDispatch returns the post-dominators of blocks that lead to the block where lanes are
// dispatched, under the number of a block that does not exist.
func (s *structuring) beforeDispatch() *flowgraph.Tree[int32] {
	n := int32(len(s.f.Blocks))
	succ, pred := slices.Clone(s.g.succ), slices.Clone(s.g.pred)
	succ, pred = append(succ, nil), append(pred, nil)
	for _, b := range s.g.Order {
		if slices.Contains(s.f.Blocks[b].successors(), s.f.Dispatch) {
			succ[b] = append(slices.Clip(succ[b]), n)
			pred[n] = append(pred[n], b)
		}
	}
	succ[0] = slices.DeleteFunc(slices.Clone(succ[0]), func(t int32) bool { return t == int32(s.f.Dispatch.ID) })
	return flowgraph.Dominators(n, pred, succ)
}

// bestEnd returns the end of the kernel of no class to which most blocks with Meet lead, and of such
// ends the one before which most branches meet; and the post-dominators of the blocks that lead
// there, nil if there is no end.
func (s *structuring) bestEnd() (best int32, tree *flowgraph.Tree[int32]) {
	most, tried := -1, 0
	for i := len(s.g.Order) - 1; i >= 0 && tried < maxEnds; i-- {
		end := s.g.Order[i]
		if s.f.Blocks[end].End.Kind != Exit || s.class[end] >= 0 {
			continue
		}
		tried++
		back := flowgraph.Dominators(end, s.g.pred, s.g.succ)
		if n := s.worth(back, end); n > most {
			best, tree, most = end, back, n
		}
	}
	return best, tree
}

// worth counts the branches that meet before an end. A branch that meets earlier counts twice, and
// a block with Meet counts more than all branches.
func (s *structuring) worth(back *flowgraph.Tree[int32], end int32) int {
	n := 0
	for _, b := range back.Order {
		e := &s.f.Blocks[b].End
		if s.f.Blocks[b].Meet {
			n += 2 * len(s.f.Blocks)
		}
		if s.class[b] >= 0 || !e.divides() ||
			back.Place[e.To[0].ID] < 0 || back.Place[e.To[1].ID] < 0 {
			continue
		}
		switch j := back.Above[b]; {
		case s.costly(j):
		case j == end:
			n++
		default:
			n += 2
		}
	}
	return n
}

// costly reports whether meeting at a block costs more than it saves.
func (s *structuring) costly(j int32) bool {
	k := s.f.Blocks[j]
	return k.End.Kind == Exit && len(k.Code) <= 1
}

// classify makes the blocks that lead to an end, and are of no class yet, a class.
func (s *structuring) classify(class int32, back *flowgraph.Tree[int32], end int32) {
	s.back = append(s.back, back)
	for _, b := range back.Order {
		if b == int32(len(s.f.Blocks)) || s.class[b] >= 0 {
			continue
		}
		s.class[b] = class
		if above := back.Above[b]; above >= 0 && above < int32(len(s.f.Blocks)) {
			s.ipdom[b], s.pdepth[b] = above, s.pdepth[above]+1
		}
	}
}

// behindAll reports whether all ways from block p to the end that counts for it come to block j.
func (s *structuring) behindAll(p, j int32) bool {
	c := s.class[p]
	return c >= 0 && c == s.class[j] && s.back[c].Dominates(j, p)
}

// ends reports whether lanes that go from block b to block t come to another end of the kernel
// than the other lanes of b.
func (s *structuring) ends(b, t int32) bool { return s.class[b] != s.class[t] }
