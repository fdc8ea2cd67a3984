package simt_test

import (
	"jacquard/fpu"
	"jacquard/sfu"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// run carries out the instruction in one thread, whose guard holds.
func (x *oracleLane) run(in *tesla.Instruction) {
	a, b, c := &in.Src[0], &in.Src[1], &in.Src[2]
	switch in.Op {
	case tesla.OpNop, tesla.OpPmEvent, tesla.OpBrkpt, tesla.OpBar:
	case tesla.OpRet:
		x.t.ended = true
	case tesla.OpIAdd, tesla.OpIMul, tesla.OpIMad, tesla.OpISad, tesla.OpISet, tesla.OpIMax, tesla.OpIMin,
		tesla.OpShl, tesla.OpShr, tesla.OpLogic:
		v, flags := x.integer(in)
		x.write(in, uint64(v), flags)
	case tesla.OpFAdd, tesla.OpFMul, tesla.OpFMad, tesla.OpFMax, tesla.OpFMin, tesla.OpRcp, tesla.OpRsqrt, tesla.OpLg2,
		tesla.OpSin, tesla.OpCos, tesla.OpEx2, tesla.OpPreSin, tesla.OpPreEx2, tesla.OpQuadOp:
		v := x.single(in)
		x.write(in, uint64(v), uint8(fpu.FlagsOf(v)))
	case tesla.OpFSet:
		x.writeTruth(in, uint8(fpu.Compare(x.float(a), x.float(b)))&uint8(in.Cmp) != 0)
	case tesla.OpSlct:
		v := fpu.Select(x.word(a), x.word(b), x.float(c))
		x.write(in, uint64(v), uint8(fpu.FlagsSelect(v)))
	case tesla.OpDSet:
		x.writeTruth(in, uint8(fpu.Compare64(x.double(a), x.double(b)))&uint8(in.Cmp) != 0)
	case tesla.OpDAdd, tesla.OpDMul, tesla.OpDFma, tesla.OpDMax, tesla.OpDMin:
		v := x.wide(in)
		x.write(in, v, uint8(fpu.Flags64(v)))
	case tesla.OpCvt:
		c := oracleConversion(in)
		v, flags := c.Do(x.conversionSource(in))
		x.write(in, v, uint8(flags))
	default:
		x.move(in)
	}
	x.advance(in)
}

func (x *oracleLane) writeTruth(in *tesla.Instruction, v bool) {
	r := uint64(0)
	if v {
		r = 0xffffffff
	}
	x.write(in, r, oracleTruth(v))
}

// oracleWidth is the width of an integer operation's operands.
func oracleWidth(t tesla.Type) (width int, signed bool) {
	switch t {
	case tesla.B16, tesla.U16:
		return 16, false
	case tesla.S16:
		return 16, true
	case tesla.S24, tesla.S32:
		return 32, true
	}
	return 32, false
}

func (x *oracleLane) integer(in *tesla.Instruction) (uint32, uint8) {
	width, signed := oracleWidth(in.Type)
	sum := [...]lane.Sum{tesla.Add: lane.SumAdd, tesla.Sub: lane.SumSub, tesla.SubR: lane.SumSubR, tesla.AddC: lane.SumCarry}[in.Arith]
	carry := in.CarryIn != tesla.NoCond && x.t.cond[in.CarryIn.Index()]&lane.BitC != 0
	sat := in.Mods&tesla.Sat != 0
	var c uint32
	a, b := x.source(&in.Src[0], width), x.source(&in.Src[1], width)
	if in.Src[2].Kind != tesla.None {
		c = x.word(&in.Src[2])
	}
	switch in.Op {
	case tesla.OpIAdd:
		return lane.RefAdd(sum, a, b, width, carry, sat)
	case tesla.OpIMul:
		if width == 16 {
			return lane.RefMul16(a, b, in.Src[0].As == tesla.S16, in.Src[1].As == tesla.S16)
		}
		return lane.RefMul(oracleProduct(in), a, b)
	case tesla.OpIMad:
		return lane.RefMad(oracleProduct(in), sum, a, b, c, carry, sat)
	case tesla.OpISad:
		return lane.RefSad(a, b, c, width, signed)
	case tesla.OpISet:
		return lane.RefSet(a, b, uint8(in.Cmp), width, signed)
	case tesla.OpIMax:
		return lane.RefMax(a, b, width, signed)
	case tesla.OpIMin:
		return lane.RefMin(a, b, width, signed)
	case tesla.OpShl:
		return lane.RefShl(a, b, width)
	case tesla.OpShr:
		return lane.RefShr(a, b, width, signed)
	}
	if in.Src[0].Not {
		a = ^a
	}
	if in.Src[1].Not {
		b = ^b
	}
	return lane.RefResult([...]uint32{tesla.And: a & b, tesla.Or: a | b, tesla.Xor: a ^ b, tesla.Pass: b}[in.Logic], width, 0)
}

func oracleProduct(in *tesla.Instruction) lane.Product {
	high := in.Mods&tesla.High != 0
	switch {
	case in.Type == tesla.U16:
		return lane.ProductU16
	case in.Type == tesla.S16:
		return lane.ProductS16
	case in.Type == tesla.U24 && high:
		return lane.ProductU24Hi
	case in.Type == tesla.U24:
		return lane.ProductU24
	case high:
		return lane.ProductS24Hi
	}
	return lane.ProductS24
}

func (x *oracleLane) single(in *tesla.Instruction) uint32 {
	if in.Op == tesla.OpQuadOp {
		return x.quadop(in)
	}
	a, b, c := x.float(&in.Src[0]), uint32(0), uint32(0)
	if in.Src[1].Kind != tesla.None {
		b = x.float(&in.Src[1])
	}
	if in.Src[2].Kind != tesla.None {
		c = x.float(&in.Src[2])
	}
	var r uint32
	switch in.Op {
	case tesla.OpFAdd:
		r = fpu.Add(a, b, fpu.Round(in.Round))
	case tesla.OpFMul:
		r = fpu.Mul(a, b, fpu.Round(in.Round))
	case tesla.OpFMad:
		r = fpu.Mad(a, b, c)
	case tesla.OpFMax:
		r = fpu.Max(a, b)
	case tesla.OpFMin:
		r = fpu.Min(a, b)
	case tesla.OpRcp:
		r = sfu.Rcp(a)
	case tesla.OpRsqrt:
		r = sfu.Rsqrt(a)
	case tesla.OpLg2:
		r = sfu.Lg2(a)
	case tesla.OpSin:
		r = sfu.Sin(a)
	case tesla.OpCos:
		r = sfu.Cos(a)
	case tesla.OpEx2:
		r = sfu.Ex2(a)
	case tesla.OpPreSin:
		r = sfu.PreSin(a)
	case tesla.OpPreEx2:
		r = sfu.PreEx2(a)
	}
	if in.Mods&tesla.Sat != 0 {
		r = fpu.Sat(r)
	}
	return r
}

// quadop combines a neighbour's first operand with the own second one.
func (x *oracleLane) quadop(in *tesla.Instruction) uint32 {
	if in.QuadLane >= 4 {
		return 0
	}
	from := x.lane&^3 | int(in.QuadLane)
	if from >= len(x.quad) || x.quad[from].ended {
		x.stop = &oracleStop{why: "the value of a thread that is not there"}
		return 0
	}
	neighbour := *x
	neighbour.t = &x.quad[from]
	a, b := neighbour.word(&in.Src[0]), x.word(&in.Src[1])
	const sign = 1 << 31
	switch in.Quad[x.lane%4] {
	case tesla.Add:
		return fpu.Add(a, b, fpu.RN)
	case tesla.SubR:
		return fpu.Add(b, a^sign, fpu.RN)
	case tesla.Sub:
		return fpu.Add(a, b^sign, fpu.RN)
	}
	return fpu.Add(b, 0, fpu.RN)
}

func (x *oracleLane) double(o *tesla.Operand) uint64 {
	return fpu.Modify64(x.pair(int(o.Index)), o.Abs, o.Neg)
}

func (x *oracleLane) wide(in *tesla.Instruction) uint64 {
	a, b, r := x.double(&in.Src[0]), x.double(&in.Src[1]), fpu.Round(in.Round)
	switch in.Op {
	case tesla.OpDAdd:
		return fpu.Add64(a, b, r)
	case tesla.OpDMul:
		return fpu.Mul64(a, b, r)
	case tesla.OpDFma:
		return fpu.Fma64(a, b, x.double(&in.Src[2]), r)
	case tesla.OpDMax:
		return fpu.Max64(a, b)
	}
	return fpu.Min64(a, b)
}

// oracleKinds are the converter's names of the types.
func oracleKind(t tesla.Type) fpu.Kind {
	return map[tesla.Type]fpu.Kind{
		tesla.U8: fpu.U8, tesla.S8: fpu.S8, tesla.U8W: fpu.U8W, tesla.S8W: fpu.S8W, tesla.U16: fpu.U16, tesla.S16: fpu.S16,
		tesla.U32: fpu.U32, tesla.S32: fpu.S32, tesla.U64: fpu.U64, tesla.S64: fpu.S64, tesla.F16: fpu.F16, tesla.F32: fpu.F32, tesla.F64: fpu.F64,
	}[t]
}

func oracleConversion(in *tesla.Instruction) fpu.Conversion {
	to, from := oracleKind(in.Type), oracleKind(in.From)
	return fpu.Conversion{
		To: to, From: from, Round: fpu.Round(in.Round), Abs: in.Src[0].Abs, Neg: in.Src[0].Neg,
		Integral: in.Mods&tesla.Integral != 0 && to >= fpu.F16 && from >= fpu.F16,
		Sat:      in.Mods&tesla.Sat != 0 && to >= fpu.F16,
	}
}

func (x *oracleLane) conversionSource(in *tesla.Instruction) uint64 {
	o := &in.Src[0]
	switch in.From {
	case tesla.U8, tesla.S8:
		return uint64(x.short(o) & 0xff)
	case tesla.U16, tesla.S16, tesla.F16:
		return uint64(x.short(o))
	case tesla.U8W, tesla.S8W:
		return uint64(x.word(o) & 0xff)
	case tesla.U64, tesla.S64, tesla.F64:
		return x.pair(int(o.Index))
	}
	return uint64(x.word(o))
}
