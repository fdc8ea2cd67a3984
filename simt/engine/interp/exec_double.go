package interp

import (
	"jacquard/simt/lane"
	"jacquard/simt/program"
	"jacquard/tesla"
)

var doubles = bindings{
	tesla.OpDAdd: bindDouble(execDAdd),
	tesla.OpDMul: bindDouble(execDMul),
	tesla.OpDFma: bindDouble(execDFma),
	tesla.OpDMin: bindDouble(execDMin),
	tesla.OpDMax: bindDouble(execDMax),
	tesla.OpDSet: bindExec(execDSet),
}

// bindDouble binds an operation whose sources and result are doubles.
func bindDouble(compute func(eng *Engine, u *op, d lane.Rows64, s *lane.Sel)) func(*program.Program, *op) {
	return bindExec(func(eng *Engine, u *op, s *lane.Sel) bool {
		d := eng.wideScratch(tmpData)
		compute(eng, u, d, s)
		if u.CDst != program.NoCond {
			lane.DFlags(eng.Flags[u.CDst], d, s)
		}
		eng.storeWide(u, d, s)
		return true
	})
}

// A double is in a register pair. Results go through scratch, because the written pair may overlap
// the pairs read.

// wide returns source i of u as 64-bit rows, with modifiers applied as to doubles: a NaN keeps its
// sign.
func (eng *Engine) wide(u *op, i int, s *lane.Sel) lane.Rows64 {
	o := &u.Ins.Src[i]
	v := lane.Rows64{Lo: eng.Register(int32(o.Index)), Hi: eng.Register(int32(o.Index) + 1)}
	if o.Abs || o.Neg {
		t := eng.wideScratch(tmpWide + 2*i)
		lane.DModify(t, v, o.Abs, o.Neg, s)
		return t
	}
	return v
}

func (eng *Engine) wideScratch(i int) lane.Rows64 {
	return lane.Rows64{Lo: eng.scratch(i), Hi: eng.scratch(i + 1)}
}

// storeWide moves a 64-bit result to its pair and sets flags.
func (eng *Engine) storeWide(u *op, d lane.Rows64, s *lane.Sel) {
	if u.Dst.Mode == program.DstReg {
		for i, r := range [...]lane.Rows{d.Lo, d.Hi} {
			if n := int(u.Dst.Index) + i; n < eng.Program.Kernel.Registers {
				lane.Move(eng.RegisterRows(n), r, s)
			}
		}
	}
}

func execDAdd(eng *Engine, u *op, d lane.Rows64, s *lane.Sel) {
	lane.DAdd(d, eng.wide(u, 0, s), eng.wide(u, 1, s), u.Ins.Round, s)
}

func execDMul(eng *Engine, u *op, d lane.Rows64, s *lane.Sel) {
	lane.DMul(d, eng.wide(u, 0, s), eng.wide(u, 1, s), u.Ins.Round, s)
}

func execDFma(eng *Engine, u *op, d lane.Rows64, s *lane.Sel) {
	lane.DFma(d, eng.wide(u, 0, s), eng.wide(u, 1, s), eng.wide(u, 2, s), u.Ins.Round, s)
}

func execDMin(eng *Engine, u *op, d lane.Rows64, s *lane.Sel) {
	lane.DMin(d, eng.wide(u, 0, s), eng.wide(u, 1, s), s)
}

func execDMax(eng *Engine, u *op, d lane.Rows64, s *lane.Sel) {
	lane.DMax(d, eng.wide(u, 0, s), eng.wide(u, 1, s), s)
}

func execDSet(eng *Engine, u *op, s *lane.Sel) bool {
	lane.DCompare(&eng.holds, eng.wide(u, 0, s), eng.wide(u, 1, s), uint8(u.Ins.Cmp), s)
	eng.answer(u, s)
	return true
}
