package branch

import (
	"slices"

	"jacquard/simt/cfg"
)

// lorie runs the lanes in the block with the least number: R. Lorie and H. Strong, "Method for
// conditional branch execution in SIMD vector processors", US patent 4,435,758 (1984). A compiler
// numbers the blocks so that lanes that are ahead wait for the others. When the walk comes to a
// block, the lanes waiting for it are enabled again.
type lorie struct{ *order }

func prepareLorie(k *Kernel, _ []string) (func() Flow, error) {
	g := k.Graph()
	if err := refuseUnknown(g, "it numbers the blocks beforehand"); err != nil {
		return nil, err
	}
	for _, c := range g.Calls {
		if calls(g, c.Callee, c.Caller) {
			return nil, &RefusedError{PC: c.PC,
				Reason: "it numbers callees before their callers, and this call closes a circle"}
		}
	}
	return newWalks(k, walk{guide: lorie{newOrder(g)}}), nil
}

// calls reports whether function a is b or calls b, directly or through others.
func calls(g *cfg.Graph, a, b int) bool {
	seen := make([]bool, len(g.Functions))
	var visit func(int) bool
	visit = func(k int) bool {
		if k == b || seen[k] {
			return k == b
		}
		seen[k] = true
		return slices.ContainsFunc(g.Calls, func(c cfg.Call) bool { return c.Caller == k && visit(c.Callee) })
	}
	return visit(a)
}

func (o lorie) turn(w *walk, _ turn) uint32 { return o.first(w) }

func (o lorie) pass(w *walk, _ uint32) uint32 { return o.first(w) }

// first returns, of the pcs of lanes, the one with the least number.
func (o lorie) first(w *walk) uint32 {
	m := w.ready()
	at := w.pc[first(m)]
	rank := o.of(at)
	for last := at; m != 0; m &= m - 1 {
		pc := w.pc[first(m)]
		if pc == last { // most lanes are beside lanes at their pc
			continue
		}
		last = pc
		if r := o.of(pc); r < rank || r == rank && pc < at {
			at, rank = pc, r
		}
	}
	return at
}

// stop returns the end of the block, or a pc before it at which a barrier left lanes.
func (o lorie) stop(w *walk) uint32 {
	if w.ready() == w.active {
		return NoStop
	}
	return min(o.end(w.at), w.ahead())
}
