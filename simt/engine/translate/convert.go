package translate

import (
	"jacquard/fpu"
	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/lane"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// convert translates a conversion.
func (e *emitter) convert(u *program.Op) bool {
	in := u.Ins
	x := &in.Src[0]
	c, ok := lane.Conversion(in.Type, in.From, in.Round, in.Mods&tesla.Integral != 0, x.Abs, x.Neg, in.Mods&tesla.Sat != 0)
	if !ok || e.p.Kernel.Modes.SatNaNZero {
		return false
	}
	to, from := program.IsWide(in.Type), program.IsWide(in.From)
	switch {
	case (to || from) && u.CDst != program.NoCond:
		return false
	case c.To == fpu.F64 && c.From == fpu.F64 && !c.Integral && !c.Sat:
		e.begin(u)
		e.parts(func(part int) { e.pair(u, part, e.DCopy(e.double(u, 0, part), c.Abs, c.Neg)) })
		return true
	case to && from:
		return false
	case to:
		return e.widen(u, c)
	case from:
		return e.narrow(u, c)
	}
	if !e.converts(c) {
		return false
	}
	return e.compute(u, func(v vector.Vec, part int) { e.ConvertFlags(c.To, v, part) }, "zs", func(part int) vector.Vec {
		v, _ := e.Convert(c, e.vector(u, 0, part))
		return v
	})
}

// converts reports whether package vector has code for a conversion of words.
func (e *emitter) converts(c fpu.Conversion) bool {
	ok, known := e.conversions[c]
	if !known {
		trial := vector.New(x86.New(e.a.EVEX()), e.Level)
		_, ok = trial.Convert(c, trial.Vec())
		e.conversions[c] = ok
	}
	return ok
}

// widen translates a conversion of a word to a pair.
func (e *emitter) widen(u *program.Op, c fpu.Conversion) bool {
	trial := vector.New(x86.New(e.a.EVEX()), e.Level)
	if _, ok := trial.Widen(c, trial.Vec()); !ok {
		return false
	}
	e.begin(u)
	e.parts(func(part int) {
		d, _ := e.Widen(c, e.vector(u, 0, part))
		e.pair(u, part, d)
	})
	return true
}

// narrow translates a conversion of a pair to a word.
func (e *emitter) narrow(u *program.Op, c fpu.Conversion) bool {
	trial := vector.New(x86.New(e.a.EVEX()), e.Level)
	if _, ok := trial.Narrow(c, vector.Pair{Lo: trial.Vec(), Hi: trial.Vec()}); !ok {
		return false
	}
	e.begin(u)
	e.parts(func(part int) {
		d, _ := e.Narrow(c, e.double(u, 0, part))
		e.result(u, part, d)
	})
	return true
}
