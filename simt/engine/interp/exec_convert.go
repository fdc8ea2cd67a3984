package interp

import (
	"jacquard/simt/lane"
	"jacquard/simt/program"
	"jacquard/tesla"
)

var conversions = bindings{
	tesla.OpCvt: bindCvt,
}

func bindCvt(_ *program.Program, u *op) {
	in := u.Ins
	x, sat, integral := &in.Src[0], in.Mods&tesla.Sat != 0, in.Mods&tesla.Integral != 0
	if program.IsWide(in.Type) || program.IsWide(in.From) {
		u.exec = execCvtWide
		u.wide, _ = lane.CvtKernel64(in.Type, in.From, in.Round, integral, x.Abs, x.Neg, sat)
		return
	}
	u.exec = exec1
	u.k1, _ = lane.CvtKernel(in.Type, in.From, in.Round, integral, x.Abs, x.Neg, sat)
	if u.CDst != program.NoCond {
		u.cvtFlags, _ = lane.CvtFlags(in.Type)
		u.flags = func(eng *Engine, u *op, d lane.Rows, s *lane.Sel) { u.cvtFlags(eng.Flags[u.CDst], d, s) }
	}
}

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
		lane.Move(eng.result(u), d.Lo, s)
	}
	return true
}
