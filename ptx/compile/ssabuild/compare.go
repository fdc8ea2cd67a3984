package ssabuild

import (
	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// ordered maps the comparisons that name their sign to comparisons that take it from the type.
var ordered = map[ptx.Cmp]ptx.Cmp{ptx.Lo: ptx.Lt, ptx.Ls: ptx.Le, ptx.Hi: ptx.Gt, ptx.Hs: ptx.Ge}

// compare returns the predicate x cmp y of integers of at most 32 bits.
func (b *builder) compare(cmp ptx.Cmp, t ptx.Type, x, y *ir.Value) *ir.Value {
	v := b.add(ir.ICmp, ir.Pred, x, y)
	v.Cmp, v.Sub = cmp, t
	return v
}

// compareLong returns the predicate of 64-bit integers.
func (b *builder) compareLong(cmp ptx.Cmp, t ptx.Type, alo, ahi, blo, bhi *ir.Value) *ir.Value {
	if cmp == ptx.Eq || cmp == ptx.Ne {
		diff := b.do(ir.Or, b.do(ir.Xor, alo, blo), b.do(ir.Xor, ahi, bhi))
		return b.compare(cmp, ptx.U32, diff, b.word(0))
	}
	high := ptx.U32
	if ir.Signed(t) {
		high = ptx.S32
	}
	strict := map[ptx.Cmp]ptx.Cmp{ptx.Lt: ptx.Lt, ptx.Le: ptx.Lt, ptx.Gt: ptx.Gt, ptx.Ge: ptx.Gt}[cmp]
	same := b.add(ir.And, ir.Pred, b.compare(ptx.Eq, ptx.U32, ahi, bhi), b.compare(cmp, ptx.U32, alo, blo))
	return b.add(ir.Or, ir.Pred, same, b.compare(strict, high, ahi, bhi))
}

// compared returns the predicate of setp and set without their second predicate, or one for each
// half.
func (b *builder) compared(in *ptx.Instr, t ptx.Type) []*ir.Value {
	if halfOf(t) != nil {
		return b.comparedHalves(in, t)
	}
	return []*ir.Value{b.comparison(in, t, &in.Args[1], &in.Args[2])}
}

// comparison returns the predicate of two operands.
func (b *builder) comparison(in *ptx.Instr, t ptx.Type, x, y *ptx.Operand) *ir.Value {
	cmp := in.Cmp
	if o, ok := ordered[cmp]; ok {
		cmp, t = o, unsigned(t)
	}
	switch {
	case t == ptx.F32 || t == ptx.F64 && b.m.Target.MapF64:
		v := b.add(ir.FCmp, ir.Pred, b.value(x, t), b.value(y, t))
		v.Cmp = cmp
		return v
	case t == ptx.F64:
		if !b.double() {
			return b.f.Const(ir.Pred, 0)
		}
		v := b.add(ir.DCmp, ir.Pred, b.long(x, t), b.long(y, t))
		v.Cmp = cmp
		return v
	case t.Bits() == 64:
		alo, ahi := b.both(x, t)
		blo, bhi := b.both(y, t)
		return b.compareLong(cmp, t, alo, ahi, blo, bhi)
	case t.Bits() == 16:
		return b.compare(cmp, t, b.extended(x, t), b.extended(y, t))
	}
	return b.compare(cmp, t, b.value(x, t), b.value(y, t))
}

func unsigned(t ptx.Type) ptx.Type {
	switch t {
	case ptx.S16:
		return ptx.U16
	case ptx.S32:
		return ptx.U32
	case ptx.S64:
		return ptx.U64
	}
	return t
}

// combine applies the second predicate of setp and set.
func (b *builder) combine(in *ptx.Instr, p *ir.Value, at int) *ir.Value {
	if in.Bool == ptx.NoBool || at >= len(in.Args) {
		return p
	}
	q := b.predicate(&in.Args[at])
	op := map[ptx.BoolOp]ir.Op{ptx.And: ir.And, ptx.Or: ir.Or, ptx.Xor: ir.Xor}[in.Bool]
	return b.add(op, ir.Pred, p, q)
}

// setp builds p|q = (a cmp b) op c: q has the complement of the comparison, or the comparison of
// the upper halves.
func (b *builder) setp(in *ptx.Instr) {
	all := b.compared(in, in.Type)
	p := all[0]
	var second *ir.Value // computed before the first result, which c may be
	switch {
	case in.Args[0].Pair == nil:
	case len(all) == 2:
		second = b.combine(in, all[1], 3)
	default:
		second = b.combine(in, b.add(ir.Not, ir.Pred, p), 3)
	}
	if in.Args[0].Kind != ptx.Discard {
		b.set(b.first(in.Args[0].Var), b.combine(in, p, 3))
	}
	if second != nil {
		b.set(b.first(in.Args[0].Pair), second)
	}
}

// setInstr builds set: all ones, or 1.0.
func (b *builder) setInstr(in *ptx.Instr) {
	yes := ^uint32(0)
	switch f := halfOf(in.Type); {
	case f != nil:
		yes = f.one
	case b.typeOf(in.Type) == ptx.F32:
		yes = 0x3f800000
	case pair(in.From):
		yes = 0xffff
	}
	var out []*ir.Value
	for _, p := range b.compared(in, in.From) {
		v := b.do(ir.PredSet, b.combine(in, p, 3))
		out = append(out, b.do(ir.And, v, b.word(yes)))
	}
	b.result(in, b.paired(out))
}

// selp builds d = c ? a : b.
func (b *builder) selp(in *ptx.Instr) {
	p := b.predicate(&in.Args[3])
	b.choose(in, p)
}

// choose selects between operands 1 and 2.
func (b *builder) choose(in *ptx.Instr, p *ir.Value) {
	alo, ahi := b.both(&in.Args[1], in.Type)
	blo, bhi := b.both(&in.Args[2], in.Type)
	lo := b.do(ir.Select, p, alo, blo)
	if b.typeOf(in.Type).Bits() == 64 {
		b.assign(&in.Args[0], in.Type, lo, b.do(ir.Select, p, ahi, bhi))
		return
	}
	b.assign(&in.Args[0], b.typeOf(in.Type), lo, nil)
}

// slct builds d = c >= 0 ? a : b.
func (b *builder) slct(in *ptx.Instr) {
	c := b.value(&in.Args[3], in.From)
	if in.From != ptx.F32 {
		b.choose(in, b.compare(ptx.Ge, ptx.S32, c, b.word(0)))
		return
	}
	alo, ahi := b.both(&in.Args[1], in.Type)
	blo, bhi := b.both(&in.Args[2], in.Type)
	lo := b.do(ir.FSlct, alo, blo, c)
	if b.typeOf(in.Type).Bits() == 64 {
		b.assign(&in.Args[0], in.Type, lo, b.do(ir.FSlct, ahi, bhi, c))
		return
	}
	b.assign(&in.Args[0], b.typeOf(in.Type), lo, nil)
}
