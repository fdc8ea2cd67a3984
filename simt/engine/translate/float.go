package translate

import (
	"jacquard/fpu"
	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// floats computes a result part by part, with the flags of an f32 if the instruction writes any.
// Modes of the kernel that change arithmetic are left to the interpreter.
func (e *emitter) floats(u *program.Op, f func(part int) vector.Vec) bool {
	if m := e.p.Kernel.Modes; m.MulZeroWins || m.SatNaNZero {
		return false
	}
	return e.compute(u, func(v vector.Vec, part int) { e.FFlags(v, part) }, "zs", f)
}

// together makes f compute all parts at the first one, so that one check for NaNs serves all.
func (e *emitter) together(f func(part int) vector.Vec) func(part int) vector.Vec {
	if e.Level == vector.AVX2 {
		return f
	}
	var list []vector.Vec
	return func(part int) vector.Vec {
		if part == 0 {
			e.Together(func() { list = append(list, f(0), f(1)) })
		}
		return list[part]
	}
}

// unsigned is a part of source i of u without its change of sign, and whether there is one.
func (e *emitter) unsigned(u *program.Op, i, part int) (v vector.Vec, negative bool) {
	x := &u.Src[i]
	if x.Mode == program.SrcRow || x.Fix&program.FixNeg == 0 {
		return e.vector(u, i, part), false
	}
	plain := *u
	plain.Src[i].Fix &^= program.FixNeg
	return e.vector(&plain, i, part), true
}

func (e *emitter) floatAdd(u *program.Op) bool {
	return e.floats(u, e.together(func(part int) vector.Vec {
		r := fpu.Round(u.Ins.Round)
		if r != fpu.RN { // the sign of an exact zero depends on the rounding
			return e.FAdd(e.vector(u, 0, part), e.vector(u, 1, part), r)
		}
		b, negative := e.unsigned(u, 1, part)
		if negative {
			return e.FSub(e.vector(u, 0, part), b, r)
		}
		a, negative := e.unsigned(u, 0, part)
		if negative {
			return e.FSub(b, a, r)
		}
		return e.FAdd(a, b, r)
	}))
}

func (e *emitter) floatMultiply(u *program.Op) bool {
	return e.floats(u, e.together(func(part int) vector.Vec {
		return e.FMul(e.vector(u, 0, part), e.vector(u, 1, part), fpu.Round(u.Ins.Round))
	}))
}

func (e *emitter) floatMultiplyAdd(u *program.Op) bool {
	return e.floats(u, e.together(func(part int) vector.Vec {
		c, less := e.unsigned(u, 2, part)
		if less {
			return e.FMsub(e.vector(u, 0, part), e.vector(u, 1, part), c)
		}
		a, from := e.unsigned(u, 0, part)
		if from {
			return e.FNmad(a, e.vector(u, 1, part), c)
		}
		b, from := e.unsigned(u, 1, part)
		if from {
			return e.FNmad(a, b, c)
		}
		return e.FMad(a, b, c)
	}))
}

func (e *emitter) floatExtreme(u *program.Op) bool {
	extreme := e.FMin
	if u.Ins.Op == tesla.OpFMax {
		extreme = e.FMax
	}
	return e.floats(u, func(part int) vector.Vec { return extreme(e.vector(u, 0, part), e.vector(u, 1, part)) })
}

func (e *emitter) floatCompare(u *program.Op) bool {
	return e.set(u, func(part int) vector.Mask {
		return e.FCompare(e.vector(u, 0, part), e.vector(u, 1, part), uint8(u.Ins.Cmp))
	})
}

func (e *emitter) floatSelect(u *program.Op) bool {
	return e.compute(u, func(v vector.Vec, part int) { e.FSlctFlags(v, part) }, "zs", func(part int) vector.Vec {
		return e.FSlct(e.vector(u, 0, part), e.vector(u, 1, part), e.vector(u, 2, part))
	})
}
