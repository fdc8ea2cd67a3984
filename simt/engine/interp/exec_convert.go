package interp

import (
	"jacquard/simt/lane"
	"jacquard/simt/program"
)

// execCvtWide converts with a 64-bit value on at least one side. The unused half of a
// 32-bit side is scratch.
func execCvtWide(eng *Engine, u *op, s *lane.Sel) bool {
	x := &u.Ins.Src[0]
	from := lane.Rows64{Lo: eng.Register(int32(x.Index)), Hi: eng.Register(int32(x.Index) + 1)}
	if !program.IsWide(u.Ins.From) {
		from = lane.Rows64{Lo: eng.source(u, 0, s), Hi: lane.RowsOf(&zeroRow, 0)}
		if eng.Raised != nil {
			return false
		}
	}
	d := eng.wideScratch(tmpData)
	var f []lane.Flags
	if u.CDst != program.NoCond {
		f = eng.Flags[u.CDst]
	}
	u.wide(d, from, f, s)
	if program.IsWide(u.Ins.Type) {
		eng.storeWide(u, d, s)
	} else if u.Dst.Mode == program.DstReg {
		eng.lanes.Move(eng.result(u), d.Lo, s)
	}
	return true
}
