package ssabuild

import (
	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
	"jacquard/tesla"
)

// double reports whether the device has f64, and fails otherwise.
func (b *builder) double() bool {
	if b.target.Arch < tesla.SM13 {
		b.fail("%s has no double precision; write .target sm_13, or map_f64_to_f32", b.target.Arch)
		return false
	}
	return true
}

// float builds the arithmetic of f32, or of f64.
func (b *builder) float(in *ptx.Instr) {
	switch {
	case in.Op == ptx.OpEx2 || in.Op == ptx.OpTanh:
		b.function(in)
	case b.typeOf(in.Type) == ptx.F32:
		b.single(in)
	case b.double():
		b.doubles(in)
	}
}

// single builds arithmetic of f32.
func (b *builder) single(in *ptx.Instr) {
	round := in.Round
	if in.Type == ptx.F64 && round == ptx.RN {
		round = ptx.NoRound // of an operation on f64 that becomes one on f32
	}
	op := in.Op
	if in.Type == ptx.F64 && (op == ptx.OpMad || op == ptx.OpFma) {
		op, round = ptx.OpMad, ptx.NoRound
	}
	if round == ptx.RM || round == ptx.RP {
		b.missing(in)
		return
	}
	arg := func(i int) *ir.Value { return b.widened16(in, i) }
	var v *ir.Value
	switch op {
	case ptx.OpAdd:
		v = b.do(ir.FAdd, arg(1), arg(2))
	case ptx.OpSub:
		v = b.do(ir.FAdd, arg(1), b.do(ir.FNeg, arg(2)))
	case ptx.OpMul:
		v = b.do(ir.FMul, arg(1), arg(2))
	case ptx.OpMad:
		if round != ptx.NoRound {
			b.missing(in)
			return
		}
		v = b.do(ir.FMad, arg(1), arg(2), arg(3))
	case ptx.OpMin, ptx.OpMax:
		x, y := arg(1), arg(2)
		v = b.extreme(in, x, y, func() *ir.Value { return b.do(ir.Xor, x, y) })
	case ptx.OpNeg:
		v = b.signed(in, ir.FNeg, arg(1))
	case ptx.OpAbs:
		v = b.signed(in, ir.FAbs, arg(1))
	default:
		b.missing(in)
		return
	}
	v.Round = round
	if v.Sat = in.Mods&ptx.Sat != 0; v.Sat {
		v = b.zeroOfNaN(in, v)
	}
	b.assign(&in.Args[0], ptx.F32, v, nil)
}

// signed builds neg and abs. PTX for sm_20 and later keeps subnormal numbers unless it says .ftz; the
// machine's conversions take them for zeros.
func (b *builder) signed(in *ptx.Instr, op ir.Op, x *ir.Value) *ir.Value {
	switch {
	case !b.keeps(in):
		return b.do(op, x)
	case op == ir.FNeg:
		return b.do(ir.Xor, x, b.word(1<<31))
	}
	return b.do(ir.And, x, b.word(1<<31-1))
}

// extreme builds min and max of numbers in f32. With .xorsign or .abs they are of magnitudes, and
// .xorsign gives the result the sign of the product. signs returns a word with that sign: x and y of
// a NaN may have lost it.
func (b *builder) extreme(in *ptx.Instr, x, y *ir.Value, signs func() *ir.Value) *ir.Value {
	op := map[ptx.Op]ir.Op{ptx.OpMin: ir.FMin, ptx.OpMax: ir.FMax}[in.Op]
	if in.Mods&(ptx.XorSign|ptx.AbsResult) != 0 {
		x, y = b.do(ir.FAbs, x), b.do(ir.FAbs, y)
	}
	v := b.do(op, x, y)
	if in.Mods&ptx.NaN != 0 {
		v = b.do(ir.Select, b.unordered(x, y), b.word(nan32), v)
	}
	if in.Mods&ptx.XorSign != 0 {
		v = b.do(ir.Select, b.unordered(v, v), v, b.do(ir.Or, v, b.do(ir.And, signs(), b.word(1<<31))))
	}
	return v
}

const nan32 = 0x7fffffff

// unordered returns whether one of two f32 is no number.
func (b *builder) unordered(x, y *ir.Value) *ir.Value {
	p := b.add(ir.FCmp, ir.Pred, x, y)
	p.Cmp = ptx.Nan
	return p
}

// doubles builds arithmetic of f64.
func (b *builder) doubles(in *ptx.Instr) {
	arg := func(i int) *ir.Value { return b.long(&in.Args[i], in.Type) }
	do := func(op ir.Op, args ...*ir.Value) *ir.Value { return b.add(op, ir.Long, args...) }
	var v *ir.Value
	switch in.Op {
	case ptx.OpAdd:
		v = do(ir.DAdd, arg(1), arg(2))
	case ptx.OpSub:
		v = do(ir.DAdd, arg(1), do(ir.DNeg, arg(2)))
	case ptx.OpMul:
		v = do(ir.DMul, arg(1), arg(2))
	case ptx.OpMad, ptx.OpFma:
		v = do(ir.DFma, arg(1), arg(2), arg(3))
	case ptx.OpMin:
		v = do(ir.DMin, arg(1), arg(2))
	case ptx.OpMax:
		v = do(ir.DMax, arg(1), arg(2))
	case ptx.OpNeg:
		v = do(ir.DNeg, arg(1))
	case ptx.OpAbs:
		v = do(ir.DAbs, arg(1))
	default:
		b.missing(in)
		return
	}
	v.Round = in.Round
	b.resultLong(in, v)
}

// function builds the functions of f32 that the special function unit approximates.
func (b *builder) function(in *ptx.Instr) {
	if b.typeOf(in.Type) != ptx.F32 || in.Mods&ptx.Approx == 0 && !b.mapped(in.Type) {
		b.missing(in)
		return
	}
	x := b.value(&in.Args[1], in.Type)
	var v *ir.Value
	switch in.Op {
	case ptx.OpRcp:
		v = b.do(ir.Rcp, x)
	case ptx.OpSqrt:
		v = b.do(ir.Rcp, b.do(ir.Rsqrt, x))
	case ptx.OpRsqrt:
		v = b.do(ir.Rsqrt, x)
	case ptx.OpSin:
		v = b.do(ir.Sin, b.do(ir.PreSin, x))
	case ptx.OpCos:
		v = b.do(ir.Cos, b.do(ir.PreSin, x))
	case ptx.OpLg2:
		v = b.do(ir.Lg2, x)
	case ptx.OpEx2:
		v = b.do(ir.Ex2, b.do(ir.PreEx2, x))
	default:
		b.missing(in)
		return
	}
	b.assign(&in.Args[0], ptx.F32, v, nil)
}

// copysign builds d = b with the sign of a.
func (b *builder) copysign(in *ptx.Instr) {
	alo, ahi := b.both(&in.Args[1], in.Type)
	blo, bhi := b.both(&in.Args[2], in.Type)
	join := func(sign, rest *ir.Value) *ir.Value {
		return b.do(ir.Or, b.do(ir.And, sign, b.word(1<<31)), b.do(ir.And, rest, b.word(1<<31-1)))
	}
	if b.typeOf(in.Type) == ptx.F32 {
		b.assign(&in.Args[0], ptx.F32, join(alo, blo), nil)
		return
	}
	b.assign(&in.Args[0], in.Type, blo, join(ahi, bhi))
}
