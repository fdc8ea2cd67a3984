package translate

import (
	"jacquard/fpu"
	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// double is a part of source i of u, a register pair, without modifiers.
func (e *emitter) double(u *program.Op, i, part int) vector.Pair {
	n := int(u.Ins.Src[i].Index)
	return vector.Pair{Lo: e.general(n, part), Hi: e.general(n+1, part)}
}

// modified is double with modifiers.
func (e *emitter) modified(u *program.Op, i, part int) vector.Pair {
	d, o := e.double(u, i, part), &u.Ins.Src[i]
	if !o.Abs && !o.Neg {
		return d
	}
	m := e.DModify(d, o.Abs, o.Neg)
	e.temporary(m.Lo)
	e.temporary(m.Hi)
	return m
}

// pair stores a part of a result in a register pair.
func (e *emitter) pair(u *program.Op, part int, d vector.Pair) {
	for i, v := range [...]vector.Vec{d.Lo, d.Hi} {
		if n := int(u.Dst.Index) + i; u.Dst.Mode == program.DstReg && n < e.p.Kernel.Registers {
			e.assign(n, part, v)
		} else {
			e.Free(v)
		}
	}
}

// doubles computes an f64 result part by part.
func (e *emitter) doubles(u *program.Op, f func(part int) vector.Pair) bool {
	if u.CDst != program.NoCond && e.Level == vector.AVX2 { // too few registers
		return false
	}
	e.begin(u)
	if u.CDst == program.NoCond {
		e.parts(func(part int) { e.pair(u, part, f(part)) })
		return true
	}
	var list []vector.Pair
	e.parts(func(part int) { list = append(list, f(part)) })
	e.parts(func(part int) { e.DFlags(list[part], part) })
	e.putFlags(u, "zs")
	e.parts(func(part int) { e.pair(u, part, list[part]) })
	return true
}

func (e *emitter) doubleBinary(u *program.Op) bool {
	r := fpu.Round(u.Ins.Round)
	return e.doubles(u, func(part int) vector.Pair {
		a, b := e.modified(u, 0, part), e.modified(u, 1, part)
		switch u.Ins.Op {
		case tesla.OpDAdd:
			return e.DAdd(a, b, r)
		case tesla.OpDMul:
			return e.DMul(a, b, r)
		case tesla.OpDMin:
			return e.DMin(a, b)
		}
		return e.DMax(a, b)
	})
}

func (e *emitter) doubleFma(u *program.Op) bool {
	return e.doubles(u, func(part int) vector.Pair {
		return e.DFma(e.modified(u, 0, part), e.modified(u, 1, part), e.modified(u, 2, part), fpu.Round(u.Ins.Round))
	})
}

func (e *emitter) doubleCompare(u *program.Op) bool {
	return e.set(u, func(part int) vector.Mask {
		return e.DCompare(e.modified(u, 0, part), e.modified(u, 1, part), uint8(u.Ins.Cmp))
	})
}
