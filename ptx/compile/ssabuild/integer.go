package ssabuild

import (
	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// wide adds or subtracts 64 bits.
func (b *builder) wide(op ir.Op, alo, ahi, lo, hi *ir.Value) (*ir.Value, *ir.Value) {
	low := b.do(op, alo, lo)
	if op == ir.Sub {
		hi = b.do(ir.Not, hi)
	}
	return low, b.do(ir.AddC, ahi, hi, low)
}

// sum builds add, addc, sub and subc.
func (b *builder) sum(in *ptx.Instr) {
	op, carries := ir.Add, false
	switch in.Op {
	case ptx.OpSub:
		op = ir.Sub
	case ptx.OpAddc:
		carries = true
	case ptx.OpSubc:
		op, carries = ir.Sub, true
	}
	alo, ahi := b.both(&in.Args[1], in.Type)
	lo, hi := b.both(&in.Args[2], in.Type)
	if !carries && in.Type.Bits() < 64 {
		v := b.do(op, alo, lo)
		v.Sat = in.Mods&ptx.Sat != 0
		b.carryOut(in, v)
		b.result(in, v)
		return
	}
	if op == ir.Sub && carries {
		lo = b.do(ir.Not, lo)
	}
	var low *ir.Value
	if carries {
		low = b.do(ir.AddC, alo, lo, b.carryIn())
	} else {
		low = b.do(op, alo, lo)
	}
	if in.Type.Bits() < 64 {
		b.carryOut(in, low)
		b.result(in, low)
		return
	}
	if op == ir.Sub {
		hi = b.do(ir.Not, hi)
	}
	high := b.do(ir.AddC, ahi, hi, low)
	b.carryOut(in, high)
	b.assign(&in.Args[0], in.Type, low, high)
}

// product returns both Words of a 64-bit product of Words.
func (b *builder) product(t ptx.Type, x, y *ir.Value) (lo, hi *ir.Value) {
	return b.do(ir.Mul, x, y), b.typed(ir.MulHi, t, x, y)
}

// mul builds mul and mad.
func (b *builder) mul(in *ptx.Instr) {
	lo, hi, t := b.times(in)
	if in.Op == ptx.OpMul {
		b.assign(&in.Args[0], t, lo, hi)
		return
	}
	clo, chi := b.both(&in.Args[3], t)
	if in.Op == ptx.OpMadc && t.Bits() < 64 {
		clo = b.carried(in, lo, clo)
		b.assign(&in.Args[0], t, clo, nil)
		return
	}
	if t.Bits() == 64 {
		sum := []*ir.Value{clo, lo}
		op := ir.Add
		if in.Op == ptx.OpMadc {
			op, sum = ir.AddC, append(sum, b.carryIn())
		}
		low := b.do(op, sum...)
		high := b.do(ir.AddC, chi, hi, low)
		b.carryOut(in, high)
		b.assign(&in.Args[0], t, low, high)
		return
	}
	v := b.do(ir.Add, lo, clo)
	v.Sat = in.Mods&ptx.Sat != 0
	b.carryOut(in, v)
	b.assign(&in.Args[0], t, v, nil)
}

// carried adds with the carry.
func (b *builder) carried(in *ptx.Instr, x, y *ir.Value) *ir.Value {
	v := b.do(ir.AddC, x, y, b.carryIn())
	b.carryOut(in, v)
	return v
}

// times returns the product of mul and mad, and its type.
func (b *builder) times(in *ptx.Instr) (lo, hi *ir.Value, t ptx.Type) {
	t = in.Type
	switch {
	case t.Bits() == 16:
		p := b.typed(ir.Mul16, t, b.value(&in.Args[1], t), b.value(&in.Args[2], t))
		if in.Mods&ptx.HiHalf != 0 {
			return b.do(ir.ShrU, p, b.word(16)), nil, t
		}
		if in.Mods&ptx.Wide != 0 {
			return p, nil, double(t)
		}
		return p, nil, t
	case t.Bits() == 32:
		x, y := b.value(&in.Args[1], t), b.value(&in.Args[2], t)
		if in.Mods&ptx.HiHalf != 0 {
			return b.typed(ir.MulHi, t, x, y), nil, t
		}
		if in.Mods&ptx.Wide != 0 {
			lo, hi = b.product(t, x, y)
			return lo, hi, double(t)
		}
		return b.do(ir.Mul, x, y), nil, t
	}
	if in.Mods&ptx.HiHalf != 0 {
		lo, hi = b.library2("mul_hi_"+typeName(t), t, in.Args[1:3])
		return lo, hi, t
	}
	lo, hi = b.mulLong(in)
	return lo, hi, t
}

// mulLong returns the lower 64 bits of a 64-bit product.
func (b *builder) mulLong(in *ptx.Instr) (lo, hi *ir.Value) {
	alo, ahi := b.both(&in.Args[1], in.Type)
	blo, bhi := b.both(&in.Args[2], in.Type)
	lo, hi = b.product(ptx.U32, alo, blo)
	cross := b.do(ir.Add, b.do(ir.Mul, alo, bhi), b.do(ir.Mul, ahi, blo))
	return lo, b.do(ir.Add, hi, cross)
}

// double returns the type of twice the width.
func double(t ptx.Type) ptx.Type {
	switch t {
	case ptx.U16, ptx.B16:
		return ptx.U32
	case ptx.S16:
		return ptx.S32
	case ptx.U32, ptx.B32:
		return ptx.U64
	case ptx.S32:
		return ptx.S64
	}
	return t
}

// mul24 builds mul24 and mad24.
func (b *builder) mul24(in *ptx.Instr) {
	op := ir.Mul24
	if in.Mods&ptx.HiHalf != 0 {
		op = ir.Mul24Hi
	}
	v := b.typed(op, in.Type, b.value(&in.Args[1], in.Type), b.value(&in.Args[2], in.Type))
	if in.Op == ptx.OpMad24 {
		v = b.do(ir.Add, v, b.value(&in.Args[3], in.Type))
		v.Sat = in.Mods&ptx.Sat != 0
	}
	b.result(in, v)
}

// sad builds d = c + |a - b|.
func (b *builder) sad(in *ptx.Instr) {
	if in.Type.Bits() == 64 {
		b.missing(in)
		return
	}
	x, y := b.extended(&in.Args[1], in.Type), b.extended(&in.Args[2], in.Type)
	b.result(in, b.typed(ir.Sad, in.Type, x, y, b.value(&in.Args[3], in.Type)))
}

// negAbs builds neg and abs of integers.
func (b *builder) negAbs(in *ptx.Instr) {
	lo, hi := b.both(&in.Args[1], in.Type)
	switch {
	case in.Op == ptx.OpNeg && in.Type.Bits() == 64:
		lo, hi = b.wide(ir.Sub, b.word(0), b.word(0), lo, hi)
	case in.Op == ptx.OpNeg:
		lo = b.do(ir.Sub, b.word(0), lo)
	case in.Type.Bits() == 64:
		lo, hi = b.absLong(lo, hi)
	default:
		lo = b.do(ir.Abs, b.extend(lo, in.Type))
	}
	b.assign(&in.Args[0], in.Type, lo, hi)
}

// absLong returns the magnitude of 64 bits with a sign.
func (b *builder) absLong(lo, hi *ir.Value) (*ir.Value, *ir.Value) {
	sign := b.do(ir.ShrS, hi, b.word(31))
	return b.wide(ir.Sub, b.do(ir.Xor, lo, sign), b.do(ir.Xor, hi, sign), sign, sign)
}

// minMax builds min and max of integers.
func (b *builder) minMax(in *ptx.Instr) {
	if in.Type.Bits() == 64 {
		alo, ahi := b.both(&in.Args[1], in.Type)
		blo, bhi := b.both(&in.Args[2], in.Type)
		cmp := ptx.Lt
		if in.Op == ptx.OpMax {
			cmp = ptx.Gt
		}
		p := b.compareLong(cmp, in.Type, alo, ahi, blo, bhi)
		b.assign(&in.Args[0], in.Type, b.do(ir.Select, p, alo, blo), b.do(ir.Select, p, ahi, bhi))
		return
	}
	op := ir.Min
	if in.Op == ptx.OpMax {
		op = ir.Max
	}
	x, y := b.extended(&in.Args[1], in.Type), b.extended(&in.Args[2], in.Type)
	b.result(in, b.relu(in, b.typed(op, in.Type, x, y)))
}

// relu makes a result that is below zero a zero, if the instruction says so.
func (b *builder) relu(in *ptx.Instr, v *ir.Value) *ir.Value {
	if in.Mods&ptx.Relu == 0 {
		return v
	}
	return b.typed(ir.Max, ptx.S32, v, b.word(0))
}

var logicOps = map[ptx.Op]ir.Op{
	ptx.OpAnd: ir.And, ptx.OpOr: ir.Or, ptx.OpXor: ir.Xor, ptx.OpNot: ir.Not,
}

// logic builds and, or, xor and not.
func (b *builder) logic(in *ptx.Instr) {
	op := logicOps[in.Op]
	if in.Type == ptx.Pred {
		var args []*ir.Value
		for i := range in.Args[1:] {
			args = append(args, b.predicate(&in.Args[1+i]))
		}
		b.set(b.first(in.Args[0].Var), b.add(op, ir.Pred, args...))
		return
	}
	var lo, hi []*ir.Value
	for i := range in.Args[1:] {
		l, h := b.both(&in.Args[1+i], in.Type)
		lo, hi = append(lo, l), append(hi, h)
	}
	if in.Type.Bits() == 64 {
		b.assign(&in.Args[0], in.Type, b.do(op, lo...), b.do(op, hi...))
		return
	}
	b.result(in, b.do(op, lo...))
}

// lop3Predicate builds lop3 with a second result: whether the first is not 0, combined with a
// predicate.
func (b *builder) lop3Predicate(in *ptx.Instr) {
	var words []*ir.Value
	for i := range 4 {
		words = append(words, b.value(&in.Args[1+i], ptx.B32))
	}
	v := b.call("lop3_b32", words, 1)[0]
	p := b.combine(in, b.compare(ptx.Ne, ptx.U32, v, b.word(0)), 5)
	b.result(in, v)
	if q := in.Args[0].Pair; q != nil {
		b.set(b.first(q), p)
	}
}

// cnot builds d = a == 0 ? 1 : 0.
func (b *builder) cnot(in *ptx.Instr) {
	lo, hi := b.both(&in.Args[1], in.Type)
	if in.Type.Bits() == 64 {
		lo = b.do(ir.Or, lo, hi)
	} else {
		lo = b.extend(lo, in.Type)
	}
	set := b.typed(ir.ISet, ptx.U32, lo, b.word(0))
	set.Cmp = ptx.Eq
	b.assign(&in.Args[0], in.Type, b.do(ir.And, set, b.word(1)), b.word(0))
}

// shift builds shl and shr.
func (b *builder) shift(in *ptx.Instr) {
	t := in.Type
	op := ir.Shl
	switch {
	case in.Op == ptx.OpShl:
	case ir.Signed(t):
		op = ir.ShrS
	default:
		op = ir.ShrU
	}
	n := b.value(&in.Args[2], ptx.U32)
	if t.Bits() < 64 {
		v := b.value(&in.Args[1], t)
		if op != ir.Shl {
			v = b.extend(v, t)
		}
		b.result(in, b.do(op, v, n))
		return
	}
	lo, hi := b.both(&in.Args[1], t)
	count, ok := n.IsConst()
	if !ok {
		lo, hi = b.shiftBy(op, lo, hi, n)
	} else {
		lo, hi = b.shiftConst(op, lo, hi, uint32(min(count, 64)))
	}
	b.assign(&in.Args[0], t, lo, hi)
}

// shiftConst shifts 64 bits by a constant.
func (b *builder) shiftConst(op ir.Op, lo, hi *ir.Value, n uint32) (*ir.Value, *ir.Value) {
	switch {
	case n == 0:
		return lo, hi
	case op == ir.Shl && n >= 32:
		return b.word(0), b.do(ir.Shl, lo, b.word(n-32))
	case op == ir.Shl:
		over := b.do(ir.ShrU, lo, b.word(32-n))
		return b.do(ir.Shl, lo, b.word(n)), b.do(ir.Or, b.do(ir.Shl, hi, b.word(n)), over)
	}
	fill := b.word(0)
	if op == ir.ShrS {
		fill = b.do(ir.ShrS, hi, b.word(31))
	}
	if n >= 32 {
		return b.do(op, hi, b.word(n-32)), fill
	}
	under := b.do(ir.Shl, hi, b.word(32-n))
	return b.do(ir.Or, b.do(ir.ShrU, lo, b.word(n)), under), b.do(op, hi, b.word(n))
}

// shiftBy shifts 64 bits by a Word. Shifts of a Word by 32 and more give zero, or all sign bits, so
// the parts from both sides of the boundary may be combined; counts above 32 wrap to large numbers.
func (b *builder) shiftBy(op ir.Op, lo, hi, n *ir.Value) (*ir.Value, *ir.Value) {
	left := b.do(ir.Sub, b.word(32), n)
	over := b.do(ir.Sub, n, b.word(32))
	if op == ir.Shl {
		part := b.do(ir.Or, b.do(ir.Shl, hi, n), b.do(ir.ShrU, lo, left))
		return b.do(ir.Shl, lo, n), b.do(ir.Or, part, b.do(ir.Shl, lo, over))
	}
	part := b.do(ir.Or, b.do(ir.ShrU, lo, n), b.do(ir.Shl, hi, left))
	if op == ir.ShrU {
		return b.do(ir.Or, part, b.do(ir.ShrU, hi, over)), b.do(ir.ShrU, hi, n)
	}
	far := b.compare(ptx.Ge, ptx.U32, n, b.word(32))
	return b.do(ir.Select, far, b.do(ir.ShrS, hi, over), part), b.do(ir.ShrS, hi, n)
}
