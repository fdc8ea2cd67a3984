package reference

import (
	"jacquard/fpu"
	"jacquard/tesla"
)

// kinds are the types by the names of the converters.
var kinds = map[tesla.Type]fpu.Kind{
	tesla.U8: fpu.U8, tesla.S8: fpu.S8, tesla.U8W: fpu.U8W, tesla.S8W: fpu.S8W, tesla.U16: fpu.U16, tesla.S16: fpu.S16,
	tesla.U32: fpu.U32, tesla.S32: fpu.S32, tesla.U64: fpu.U64, tesla.S64: fpu.S64,
	tesla.F16: fpu.F16, tesla.F32: fpu.F32, tesla.F64: fpu.F64,
}

// convert is docs/isa/operations.md, Cvt.
func (o *Operation) convert() Result {
	in := o.In
	to, from := kinds[in.Type], kinds[in.From]
	c := fpu.Conversion{
		To: to, From: from, Round: fpu.Round(in.Round), Abs: in.Src[0].Abs, Neg: in.Src[0].Neg,
		Integral: in.Mods&tesla.Integral != 0 && to >= fpu.F16 && from >= fpu.F16,
		Sat:      in.Mods&tesla.Sat != 0 && to >= fpu.F16,
	}
	a := o.A
	if in.Mods&tesla.Sat != 0 && o.nanToZero() && (from == fpu.F32 && isNaN(uint32(a)) || from == fpu.F16 && a&0x7fff > 0x7c00) {
		a, c.Neg = 0, false // docs/isa/machine.md, Mode bits: saturation makes +0 of a NaN
	}
	r, flags := c.Do(a)
	return Result{r, uint8(flags)}
}
