package ssabuild

import (
	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// half is a format of 16 bits. Its numbers are Words whose upper halves are zero.
type half struct {
	t        ptx.Type // of one number
	infinity uint32
	one      uint32
	normal   uint32 // the smallest normal number
}

const halfSign = 0x8000

var (
	binary16 = &half{ptx.F16, 0x7c00, 0x3c00, 0x0400}
	brain16  = &half{ptx.BF16, 0x7f80, 0x3f80, 0x0080}
	binary32 = &half{ptx.F32, 0x7f800000, 0x3f800000, 0x00800000} // for bounded
)

// halfOf returns the format of a type, or of the two numbers of a type, nil if it is another one.
func halfOf(t ptx.Type) *half {
	switch t {
	case ptx.F16, ptx.F16x2:
		return binary16
	case ptx.BF16, ptx.BF16x2:
		return brain16
	}
	return nil
}

// pair reports whether a type is of two numbers.
func pair(t ptx.Type) bool { return t == ptx.F16x2 || t == ptx.BF16x2 }

// floats16 builds arithmetic of f16 and bf16: the same with each number of the operands.
func (b *builder) floats16(in *ptx.Instr) {
	f := halfOf(in.Type)
	all := b.numbers(in.Args[1:], in.Type)
	var out []*ir.Value
	for _, args := range all {
		if in.Mods&ptx.Ftz != 0 {
			b.flush(f, args)
		}
		v := b.halfOperation(in, f, args)
		if in.Mods&ptx.Ftz != 0 {
			v = b.flushed(f, v)
		}
		out = append(out, b.bounded(in, f, v))
	}
	b.assign(&in.Args[0], in.Type, b.paired(out), nil)
}

// numbers returns the operands' numbers: the only or lower ones, and the upper ones if there are two.
func (b *builder) numbers(args []ptx.Operand, t ptx.Type) [][]*ir.Value {
	all := make([][]*ir.Value, 1+t.Bits()/32)
	for i := range args {
		v := b.value(&args[i], t)
		all[0] = append(all[0], b.do(ir.ZExt16, v))
		if pair(t) {
			all[1] = append(all[1], b.do(ir.ShrU, v, b.word(16)))
		}
	}
	return all
}

// paired returns a number, or a word of two.
func (b *builder) paired(out []*ir.Value) *ir.Value {
	if len(out) == 1 {
		return out[0]
	}
	return b.do(ir.Or, out[0], b.do(ir.Shl, out[1], b.word(16)))
}

// halfOperation builds an operation on numbers. neg and abs leave the bits of a NaN.
func (b *builder) halfOperation(in *ptx.Instr, f *half, args []*ir.Value) *ir.Value {
	name := in.Op.String()
	switch in.Op {
	case ptx.OpNeg:
		return b.do(ir.Xor, args[0], b.word(halfSign))
	case ptx.OpAbs:
		return b.do(ir.And, args[0], b.word(halfSign-1))
	case ptx.OpMin, ptx.OpMax:
		signs := func() *ir.Value { return b.do(ir.Shl, b.do(ir.Xor, args[0], args[1]), b.word(16)) }
		return b.unranked(f, b.extreme(in, b.ranked(f, args[0]), b.ranked(f, args[1]), signs))
	case ptx.OpSub:
		name, args[1] = "add", b.do(ir.Xor, args[1], b.word(halfSign))
	case ptx.OpEx2, ptx.OpTanh:
		name += "_approx"
	}
	return b.do(ir.ZExt16, b.call(name+"_"+f.t.String(), args, 1)[0])
}

// flush makes zeros of subnormal operands.
func (b *builder) flush(f *half, args []*ir.Value) {
	for i := range args {
		args[i] = b.flushed(f, args[i])
	}
}

// flushed returns a number, or a zero of its sign if it is subnormal.
func (b *builder) flushed(f *half, v *ir.Value) *ir.Value {
	magnitude := b.do(ir.And, v, b.word(halfSign-1))
	small := b.compare(ptx.Lt, ptx.U32, magnitude, b.word(f.normal))
	return b.do(ir.Select, small, b.do(ir.And, v, b.word(halfSign)), v)
}

// bounded applies .sat and .relu. The former turns a NaN into +0.
func (b *builder) bounded(in *ptx.Instr, f *half, v *ir.Value) *ir.Value {
	if in.Mods&ptx.Sat != 0 {
		above := b.compare(ptx.Le, ptx.U32, v, b.word(f.infinity))
		most := b.do(ir.Select, above, b.word(f.one), b.word(0))
		v = b.do(ir.Select, b.compare(ptx.Le, ptx.U32, v, b.word(f.one)), v, most)
	}
	if in.Mods&ptx.Relu != 0 {
		v = b.do(ir.Select, b.compare(ptx.Ge, ptx.U32, v, b.word(halfSign)), b.word(0), v)
	}
	return v
}

// ranked returns an f32 that compares as a number does, which for a bf16 is not its value: the
// machine takes subnormal numbers of f32 for zeros.
func (b *builder) ranked(f *half, v *ir.Value) *ir.Value {
	if f == brain16 {
		return b.call("rank_bf16", []*ir.Value{v}, 1)[0]
	}
	return b.cvt(ptx.F32, ptx.F16, ptx.NoRound, v)
}

// unranked returns the number of an f32 that ranked returned.
func (b *builder) unranked(f *half, v *ir.Value) *ir.Value {
	if f == brain16 {
		v = b.call("unrank_bf16", []*ir.Value{v}, 1)[0]
	} else {
		v = b.cvt(ptx.F16, ptx.F32, ptx.NoRound, v)
	}
	return b.do(ir.ZExt16, v)
}

// comparedHalves returns the predicates of setp and set, one for each number of the operands.
func (b *builder) comparedHalves(in *ptx.Instr, t ptx.Type) []*ir.Value {
	f := halfOf(t)
	var out []*ir.Value
	for _, args := range b.numbers(in.Args[1:3], t) {
		if in.Mods&ptx.Ftz != 0 {
			b.flush(f, args)
		}
		p := b.add(ir.FCmp, ir.Pred, b.ranked(f, args[0]), b.ranked(f, args[1]))
		p.Cmp = in.Cmp
		out = append(out, p)
	}
	return out
}

// toHalf builds cvt to f16 and bf16: of one operand, or of two, upper one first.
func (b *builder) toHalf(in *ptx.Instr) {
	f := halfOf(in.Type)
	if in.From == ptx.F64 && b.typeOf(in.From) == ptx.F64 && !b.double() {
		return
	}
	var out []*ir.Value
	for i := len(in.Args) - 1; i > 0; i-- {
		v := b.bounded(in, f, b.rounded(f, in.Round, b.oddSingle(in, f, &in.Args[i])))
		out = append(out, v)
	}
	b.assign(&in.Args[0], in.Type, b.paired(out), nil)
}

// rounded rounds an f32, which may be subnormal, to a format of 16 bits.
func (b *builder) rounded(f *half, round ptx.Round, x *ir.Value) *ir.Value {
	if round == ptx.NoRound || round > ptx.RP { // an integer is exact
		round = ptx.RN
	}
	if f == binary16 && (round == ptx.RN || round == ptx.RZ) {
		return b.do(ir.ZExt16, b.cvt(ptx.F16, ptx.F32, round, x))
	}
	name := "round_" + round.String() + "_" + f.t.String()
	return b.do(ir.ZExt16, b.call(name, []*ir.Value{x}, 1)[0])
}

// oddSingle returns an f32 that rounds to a number as the operand does: it is odd if it is not exact.
func (b *builder) oddSingle(in *ptx.Instr, f *half, o *ptx.Operand) *ir.Value {
	from := b.typeOf(in.From)
	lo, hi := b.both(o, in.From)
	integral := in.Round >= ptx.RNI && in.Round <= ptx.RPI
	switch {
	case integral && f == brain16:
		lo = b.lifted(b.do(ir.Shl, lo, b.word(16)))
	case halfOf(from) != nil:
		lo = b.single16(halfOf(from), lo)
	case from == ptx.F32:
		if in.Mods&ptx.Ftz != 0 || b.m.Target.Arch < 20 {
			lo = b.cvt(from, from, ptx.NoRound, lo)
		}
	case from.Bits() == 64:
		return b.call("odd_"+from.String(), []*ir.Value{lo, hi}, 1)[0]
	case from.Bits() == 32 && f == brain16:
		return b.call("odd_"+from.String(), []*ir.Value{lo}, 1)[0]
	default: // f32 has the subnormal numbers in the range of f16
		return b.cvt(ptx.F32, container(from), ptx.RZ, b.extend(lo, from))
	}
	if integral {
		return b.cvt(ptx.F32, ptx.F32, in.Round, lo)
	}
	return lo
}

// mixed reports an operation of f32 whose operands but the last are of 16 bits.
func mixed(in *ptx.Instr) bool {
	return in.Type == ptx.F32 && halfOf(in.From) != nil && arithmetic(in.Op)
}

// widened16 returns an operand of an operation of f32, which may be of 16 bits.
func (b *builder) widened16(in *ptx.Instr, i int) *ir.Value {
	if mixed(in) && i < len(in.Args)-1 {
		return b.single16(halfOf(in.From), b.value(&in.Args[i], in.From))
	}
	return b.value(&in.Args[i], in.Type)
}

// single16 returns a number as f32.
func (b *builder) single16(f *half, v *ir.Value) *ir.Value {
	if f == brain16 {
		return b.do(ir.Shl, v, b.word(16))
	}
	return b.cvt(ptx.F32, ptx.F16, ptx.NoRound, v)
}
