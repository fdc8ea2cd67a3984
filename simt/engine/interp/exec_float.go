package interp

import (
	"jacquard/simt/lane"
	"jacquard/tesla"
)

func floatFlags(eng *Engine, u *op, d lane.Rows, s *lane.Sel) {
	eng.lanes.FFlags(eng.Flags[u.CDst], d, s)
}

// execQuadOp combines a value x of one lane of each group of four with every lane's own
// b: x+b, b-x, x-b or b+0, by the rules of the f32 add. The derivative selectors yield 0
// in compute programs.
func execQuadOp(eng *Engine, u *op, s *lane.Sel) bool {
	const sign = 1 << 31
	from, own := eng.source(u, 0, s), eng.source(u, 1, s)
	p, q := eng.scratch(tmpExtra), eng.scratch(tmpExtra+1)
	derivative := u.Ins.QuadLane > 3
	for k := range s.N {
		w := int(s.Warp[k])
		x, y := from.At(w), own.At(w)
		pw, qw := p.At(w), q.At(w)
		for i := range pw {
			v, o := x[i&^3|int(u.Ins.QuadLane&3)], y[i]
			switch u.Ins.Quad[i&3] {
			case tesla.SubR:
				v ^= sign
			case tesla.Sub:
				o ^= sign
			case tesla.Mov2:
				v = 0
			}
			pw[i], qw[i] = v, o
		}
	}
	d := eng.result(u)
	eng.lanes.FAddRN(d, p, q, s)
	if derivative {
		eng.lanes.Move(d, lane.RowsOf(&zeroRow, 0), s)
	}
	eng.store(u, d, s)
	return true
}
