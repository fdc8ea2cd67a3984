package reference

import (
	"jacquard/fpu"
	"jacquard/tesla"
)

// wide returns a source of a double precision operation with its modifiers.
func (o *Operation) wide(i int) uint64 {
	s := &o.In.Src[i]
	return fpu.Modify64([...]uint64{o.A, o.B, o.C}[i], s.Abs, s.Neg)
}

// double carries out the arithmetic of docs/isa/operations.md, Double precision.
func (o *Operation) double() Result {
	a, b, c, round := o.wide(0), o.wide(1), o.wide(2), fpu.Round(o.In.Round)
	var r uint64
	switch o.In.Op {
	case tesla.OpDAdd:
		r = fpu.Add64(a, b, round)
	case tesla.OpDMul:
		r = fpu.Mul64(a, b, round)
	case tesla.OpDFma:
		r = fpu.Fma64(a, b, c, round)
	case tesla.OpDMax:
		r = fpu.Max64(a, b)
	case tesla.OpDMin:
		r = fpu.Min64(a, b)
	case tesla.OpDSet:
		return answer(uint8(fpu.Compare64(a, b))&uint8(o.In.Cmp) != 0)
	default:
		return o.unknown()
	}
	return Result{r, uint8(fpu.Flags64(r))}
}
