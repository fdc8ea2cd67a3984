package interp

import (
	"jacquard/simt/lane"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// applyModes replaces the kernels of u if a mode bit selects other arithmetic.
func applyModes(p *program.Program, u *op) {
	k, in := &p.Kernel, u.Ins
	if k.Modes.MulZeroWins && in.Op == tesla.OpFMul {
		u.k2 = lane.FMulZeroWins(in.Round)
	}
	if !k.Modes.SatNaNZero || k.Arch < tesla.SM12 || in.Mods&tesla.Sat == 0 {
		return
	}
	switch in.Op.Class() {
	case tesla.ClassFloat, tesla.ClassSpecial:
		u.exec, u.Clamp = execSatNaNZero, false
	case tesla.ClassConvert:
		if kernel := u.k1; kernel != nil {
			u.k1 = func(d, a lane.Rows, s *lane.Sel) { convertNaNToZero(kernel, in.From, d, a, s) }
		}
	}
}

// execSatNaNZero is exec1, exec2 and exec3 with a clamped result under SAT_NAN_ZERO. GT200 keeps a
// NaN made by the operation itself.
func execSatNaNZero(eng *Engine, u *op, s *lane.Sel) bool {
	var x [3]lane.Rows
	n := 1
	switch {
	case u.k3 != nil:
		n = 3
	case u.k2 != nil:
		n = 2
	}
	for i := range n {
		x[i] = eng.source(u, i, s)
	}
	if eng.Raised != nil {
		return false
	}
	operand := &eng.holds
	for i := range operand {
		operand[i] = lane.All
	}
	if eng.Program.Kernel.Arch == tesla.SM13 {
		*operand = [lane.MaxWarps]lane.Mask{}
		for i := range n {
			lane.NaNs(operand, x[i], tesla.F32, s)
		}
	}
	d := eng.result(u)
	switch n {
	case 1:
		u.k1(d, x[0], s)
	case 2:
		u.k2(d, x[0], x[1], s)
	case 3:
		u.k3(d, x[0], x[1], x[2], s)
	}
	lane.FSatNaNZero(d, d, operand, s)
	eng.store(u, d, s)
	return true
}

// convertNaNToZero is a saturating conversion under SAT_NAN_ZERO. All NaNs of a conversion come
// from operands.
func convertNaNToZero(kernel func(d, a lane.Rows, s *lane.Sel), from tesla.Type, d, a lane.Rows, s *lane.Sel) {
	var nan [lane.MaxWarps]lane.Mask
	if from == tesla.F32 || from == tesla.F16 {
		lane.NaNs(&nan, a, from, s)
	}
	kernel(d, a, s)
	for i := range s.N {
		row := d.At(int(s.Warp[i]))
		for k := range row {
			if (nan[i]&s.Mask[i])>>k&1 != 0 {
				row[k] = 0
			}
		}
	}
}
