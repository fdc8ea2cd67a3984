package interp

import (
	"jacquard/simt/lane"
	"jacquard/simt/program"
	"jacquard/tesla"
)

var floats = bindings{
	tesla.OpFAdd:   bindFAdd,
	tesla.OpFMul:   bindFloat2(lane.FMulRN, lane.FMulRZ),
	tesla.OpFMax:   bindFloat2(lane.FMax, lane.FMax),
	tesla.OpFMin:   bindFloat2(lane.FMin, lane.FMin),
	tesla.OpFMad:   bindFMad,
	tesla.OpFSet:   bindFSet,
	tesla.OpSlct:   bindSlct,
	tesla.OpQuadOp: bindQuadOp,
	tesla.OpRcp:    bindSFU(lane.Rcp),
	tesla.OpRsqrt:  bindSFU(lane.Rsqrt),
	tesla.OpLg2:    bindSFU(lane.Lg2),
	tesla.OpSin:    bindSFU(lane.Sin),
	tesla.OpCos:    bindSFU(lane.Cos),
	tesla.OpEx2:    bindSFU(lane.Ex2),
	tesla.OpPreSin: bindSFU(lane.PreSin),
	tesla.OpPreEx2: bindSFU(lane.PreEx2),
}

// bindFloat2 binds an operation on two f32 sources, with its kernels for rounding to nearest and
// towards zero, the only modes.
func bindFloat2(nearest, zero lane.Binary) func(*program.Program, *op) {
	return func(_ *program.Program, u *op) {
		u.exec, u.k2 = exec2, nearest
		if u.Ins.Round == tesla.RZ {
			u.k2 = zero
		}
		u.flagged(floatFlags)
	}
}

// bindFAdd binds a subtraction where a source's sign is changed.
func bindFAdd(p *program.Program, u *op) {
	bindFloat2(lane.FAddRN, lane.FAddRZ)(p, u)
	if u.Ins.Round == tesla.RZ {
		return
	}
	for i := range 2 {
		if unsign(&u.Src[i]) {
			u.Src[0], u.Src[1] = u.Src[1-i], u.Src[i]
			u.k2 = lane.FSubRN
			return
		}
	}
}

// unsign removes a change of sign from a source, and reports whether there was one. A launch-wide
// row keeps its change of sign, which costs nothing.
func unsign(x *program.Source) bool {
	if x.Mode == program.SrcRow || x.Fix&program.FixNeg == 0 {
		return false
	}
	x.Fix &^= program.FixNeg
	return true
}

// bindFMad binds another kernel where a sign is changed.
func bindFMad(_ *program.Program, u *op) {
	switch {
	case unsign(&u.Src[2]):
		u.k3 = lane.FMsub
	case unsign(&u.Src[0]) || unsign(&u.Src[1]):
		u.k3 = lane.FNmad
	default:
		u.k3 = lane.FMad
	}
	u.exec = exec3
	u.flagged(floatFlags)
}

func bindFSet(_ *program.Program, u *op) { u.exec, u.compare = execSet, lane.FCompare }

func bindSlct(_ *program.Program, u *op) {
	u.exec, u.k3 = exec3, lane.FSlct
	u.flagged(func(eng *Engine, u *op, d lane.Rows, s *lane.Sel) { lane.FSlctFlags(eng.Flags[u.CDst], d, s) })
}

// bindSFU binds a special function, which writes no flags.
func bindSFU(kernel lane.Unary) func(*program.Program, *op) {
	return func(_ *program.Program, u *op) { u.exec, u.k1 = exec1, kernel }
}

func bindQuadOp(_ *program.Program, u *op) {
	u.exec = execQuadOp
	u.flagged(floatFlags)
}

func floatFlags(eng *Engine, u *op, d lane.Rows, s *lane.Sel) {
	lane.FFlags(eng.Flags[u.CDst], d, s)
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
	lane.FAddRN(d, p, q, s)
	if derivative {
		lane.Move(d, lane.RowsOf(&zeroRow, 0), s)
	}
	eng.store(u, d, s)
	return true
}
