package reference

import (
	"jacquard/fpu"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// convert is docs/isa/operations.md, Cvt.
func (o *Operation) convert() Result {
	in := o.In
	to, from := lane.Kinds[in.Type], lane.Kinds[in.From]
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
