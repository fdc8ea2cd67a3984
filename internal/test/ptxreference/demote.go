package ptxreference

import "jacquard/ptx"

// demote applies map_f64_to_f32 to an instruction: arithmetic on f64 becomes arithmetic on f32.
// Storage keeps 64 bits, with the number in the lower 32, and immediates are rounded to f32.
// Without the option it returns the instruction itself.
func (p *Program) demote(in *ptx.Instr) *ptx.Instr {
	if !p.module.Target.MapF64 || in.Type != ptx.F64 && in.From != ptx.F64 {
		return in
	}
	d := *in
	d.Args = append([]ptx.Operand(nil), in.Args...)
	for i := range d.Args {
		demoteImmediate(in, i, &d.Args[i])
	}
	switch in.Op {
	case ptx.OpLd, ptx.OpLdu, ptx.OpSt, ptx.OpMov, ptx.OpSelp, ptx.OpAtom, ptx.OpRed, ptx.OpShfl:
		return &d // 64 bits move
	case ptx.OpSlct:
		d.From = demoted(in.From)
		return &d
	}
	d.Type, d.From = demoted(in.Type), demoted(in.From)
	switch in.Op {
	case ptx.OpDiv: // sm_1x has no division of f32 that rounds correctly, so a module means this
		d.Mods, d.Round = d.Mods|ptx.Full, ptx.NoRound
	case ptx.OpRcp, ptx.OpSqrt, ptx.OpRsqrt:
		d.Mods, d.Round = d.Mods|ptx.Approx, ptx.NoRound
	case ptx.OpMad, ptx.OpFma:
		d.Op, d.Round = ptx.OpMad, ptx.NoRound
	}
	return &d
}

func demoted(t ptx.Type) ptx.Type {
	if t == ptx.F64 {
		return ptx.F32
	}
	return t
}

// demoteImmediate rounds an operand if it is a number of f64.
func demoteImmediate(in *ptx.Instr, i int, o *ptx.Operand) {
	t := in.Type
	switch {
	case in.Op == ptx.OpSet || in.Op == ptx.OpCvt, in.Op == ptx.OpSlct && i == 3:
		t = in.From
	case in.Op == ptx.OpSelp && i == 3:
		return
	}
	if t == ptx.F64 && o.Kind == ptx.Immediate {
		o.Value = narrowed(o.Value)
	}
}

func narrowed(x uint64) uint64 { return single.encode(double.decode(x), ptx.RN, false) }
