package maze

import (
	"jacquard/asm"
	"jacquard/tesla"
)

// knot is a region of nodes with branches between any of them: loops with several entries, ways
// that cross, jumps out of ifs and out of inner knots. Hardware with a token stack can run it,
// because every lane leaves it by a break or a return.
type knot struct {
	starts []uint32    // of its nodes
	jumps  []asm.Label // to any of them
	outer  *knot
}

// knotBody writes the nodes of a knot, which lanes leave by the given instruction.
func (w *writer) knotBody(in scope, leave tesla.Op) {
	k := &knot{outer: in.knot}
	in.together, in.loop, in.knot = false, nil, k
	in.breaks = in.breaks || leave == tesla.OpBreak
	n := 2 + w.r.IntN(5)
	for i := range n {
		k.starts = append(k.starts, w.Here())
		w.plain()
		w.control(leave, w.burn())
		if in.depth > 0 && w.r.IntN(2) == 0 {
			w.statement(in)
		}
		for range w.r.IntN(3) {
			w.leaveKnot(k, leave, w.test())
		}
		if i == n-1 {
			w.store()
			w.control(leave, tesla.Guard{})
		} else if w.r.IntN(4) == 0 {
			w.leaveKnot(k, leave, tesla.Guard{})
		}
	}
	for _, j := range k.jumps {
		w.PlaceAt(k.starts[w.r.IntN(n)], j)
	}
}

// leaveKnot sends lanes to some node, perhaps of an outer knot, or out.
func (w *writer) leaveKnot(k *knot, leave tesla.Op, g tesla.Guard) {
	if w.r.IntN(4) == 0 {
		w.control(leave, g)
		return
	}
	for k.outer != nil && w.r.IntN(3) == 0 {
		k = k.outer
	}
	k.jumps = append(k.jumps, w.ahead(tesla.OpBra, g))
}
