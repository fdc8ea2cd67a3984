package reference

import (
	"jacquard/fpu"
	"jacquard/sfu"
	"jacquard/tesla"
)

const sign32 = 1 << 31

// float returns a source of a single precision operation with its modifiers.
func (o *Operation) float(i int) uint32 {
	v := uint32([...]uint64{o.A, o.B, o.C}[i])
	if o.In.Src[i].Abs {
		v &^= sign32
	}
	if o.In.Src[i].Neg {
		v ^= sign32
	}
	return v
}

// single carries out the arithmetic of docs/isa/operations.md, Single precision.
func (o *Operation) single() Result {
	a, b, c, round := o.float(0), o.float(1), o.float(2), fpu.Round(o.In.Round)
	var r uint32
	switch o.In.Op {
	case tesla.OpFAdd:
		r = fpu.Add(a, b, round)
	case tesla.OpFMul:
		r = fpu.Mul(a, b, round)
		if o.Kernel.Modes.MulZeroWins {
			r = fpu.MulZeroWins(a, b, round)
		}
	case tesla.OpFMad:
		r = fpu.Mad(a, b, c)
	case tesla.OpFMax:
		r = fpu.Max(a, b)
	case tesla.OpFMin:
		r = fpu.Min(a, b)
	case tesla.OpFSet:
		return answer(uint8(fpu.Compare(a, b))&uint8(o.In.Cmp) != 0)
	case tesla.OpQuadOp:
		return o.quad()
	default:
		return o.unknown()
	}
	r = o.saturate(r)
	return word(r, uint8(fpu.FlagsOf(r)))
}

// saturate clamps the result of an operation that asks for it (docs/isa/numbers.md, Saturation;
// docs/isa/machine.md, Mode bits).
func (o *Operation) saturate(r uint32) uint32 {
	switch {
	case o.In.Mods&tesla.Sat == 0:
		return r
	case !o.nanToZero():
		return fpu.Sat(r)
	}
	brought := o.Kernel.Arch != tesla.SM13
	for i := range o.In.Src {
		brought = brought || o.In.Src[i].Kind != tesla.None && isNaN(o.float(i))
	}
	return fpu.SatNaNZero(r, brought)
}

// nanToZero reports whether SAT_NAN_ZERO is in force: it exists from sm_12 on.
func (o *Operation) nanToZero() bool { return o.Kernel.Modes.SatNaNZero && o.Kernel.Arch >= tesla.SM12 }

func isNaN(v uint32) bool { return v&^sign32 > 0x7f800000 }

// choose is docs/isa/operations.md, Slct.
func (o *Operation) choose() Result {
	r := fpu.Select(uint32(o.A), uint32(o.B), o.float(2))
	return word(r, uint8(fpu.FlagsSelect(r)))
}

// quad is docs/isa/operations.md, QuadOp. A is the value of the named lane.
func (o *Operation) quad() Result {
	x, b := uint32(o.A), uint32(o.B)
	var r uint32
	switch {
	case o.In.QuadLane >= 4: // derivatives
	case o.In.Quad[o.Lane%4] == tesla.Add:
		r = fpu.Add(x, b, fpu.RN)
	case o.In.Quad[o.Lane%4] == tesla.SubR:
		r = fpu.Add(b, x^sign32, fpu.RN)
	case o.In.Quad[o.Lane%4] == tesla.Sub:
		r = fpu.Add(x, b^sign32, fpu.RN)
	default:
		r = fpu.Add(b, 0, fpu.RN)
	}
	return word(r, uint8(fpu.FlagsOf(r)))
}

// functions are the special functions of docs/isa/operations.md.
var functions = map[tesla.Op]func(uint32) uint32{
	tesla.OpRcp: sfu.Rcp, tesla.OpRsqrt: sfu.Rsqrt, tesla.OpLg2: sfu.Lg2, tesla.OpPreSin: sfu.PreSin,
	tesla.OpSin: sfu.Sin, tesla.OpCos: sfu.Cos, tesla.OpPreEx2: sfu.PreEx2, tesla.OpEx2: sfu.Ex2,
}

// special evaluates a special function. No encoding asks for its flags.
func (o *Operation) special() Result {
	return Result{Value: uint64(o.saturate(functions[o.In.Op](o.float(0))))}
}
