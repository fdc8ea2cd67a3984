package optimize

import (
	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// inverse is the comparison that holds where another does not.
var inverse = map[ptx.Cmp]ptx.Cmp{
	ptx.Eq: ptx.Ne, ptx.Ne: ptx.Eq, ptx.Lt: ptx.Ge, ptx.Ge: ptx.Lt, ptx.Le: ptx.Gt, ptx.Gt: ptx.Le,
}

// inverseFloat is inverse where operands may be NaN.
var inverseFloat = map[ptx.Cmp]ptx.Cmp{
	ptx.Eq: ptx.Neu, ptx.Neu: ptx.Eq, ptx.Ne: ptx.Equ, ptx.Equ: ptx.Ne,
	ptx.Lt: ptx.Geu, ptx.Geu: ptx.Lt, ptx.Le: ptx.Gtu, ptx.Gtu: ptx.Le,
	ptx.Gt: ptx.Leu, ptx.Leu: ptx.Gt, ptx.Ge: ptx.Ltu, ptx.Ltu: ptx.Ge,
	ptx.Num: ptx.Nan, ptx.Nan: ptx.Num,
}

// mirror is the comparison with its operands exchanged.
var mirror = map[ptx.Cmp]ptx.Cmp{
	ptx.Eq: ptx.Eq, ptx.Ne: ptx.Ne, ptx.Lt: ptx.Gt, ptx.Gt: ptx.Lt, ptx.Le: ptx.Ge, ptx.Ge: ptx.Le,
}

// not simplifies Not.
func (s *simplifier) not(v, a *ir.Value) {
	switch {
	case a.Op == ir.Not:
		s.is(v, a.Args[0])
	case a.Op == ir.ICmp:
		s.inverted(v, a, inverse)
	case a.Op == ir.FCmp || a.Op == ir.DCmp:
		s.inverted(v, a, inverseFloat)
	}
}

// inverted makes v the inverse of the comparison a.
func (s *simplifier) inverted(v, a *ir.Value, table map[ptx.Cmp]ptx.Cmp) {
	v.Cmp, v.Sub = table[a.Cmp], a.Sub
	s.become(v, a.Op, a.Args...)
}

// compare simplifies comparisons of integers.
func (s *simplifier) compare(v *ir.Value) {
	a, b := v.Args[0], v.Args[1]
	if a.Op == ir.Const && b.Op != ir.Const {
		v.Args[0], v.Args[1] = b, a
		v.Cmp = mirror[v.Cmp]
		a, b = b, a
	}
	if v.Sub.Bits() == 16 && known(a) <= 15 && known(b) <= 15 {
		v.Sub = ptx.U32
		s.changed = true
	}
	if b.Is(0) && (v.Cmp == ptx.Eq || v.Cmp == ptx.Ne) {
		s.againstZero(v, a)
	}
}

// againstZero simplifies a == 0 and a != 0.
func (s *simplifier) againstZero(v, a *ir.Value) {
	wide := v.Sub.Bits() == 32
	switch {
	case !wide:
	case negative(a) != nil:
		v.SetArg(0, negative(a))
		s.changed = true
	case a.Op == ir.And && truth(a.Args[0]) && a.Args[1].Op == ir.Const && a.Args[1].Imm != 0:
		v.SetArg(0, a.Args[0])
		s.changed = true
	case !s.lowered && (a.Op == ir.And || a.Op == ir.Or) && boolean(a.Args[0]) && boolean(a.Args[1]):
		s.fromLogic(v, a)
	case a.Op == ir.PredSet:
		s.fromPred(v, a.Args[0])
	case a.Op == ir.ISet || a.Op == ir.FSet || a.Op == ir.DSet:
		s.fromSet(v, a)
	}
}

// truth reports whether a Word is all ones or zero.
func truth(v *ir.Value) bool {
	switch v.Op {
	case ir.ISet, ir.FSet, ir.DSet, ir.PredSet:
		return true
	case ir.And, ir.Or, ir.Xor:
		return v.Kind == ir.Word && truth(v.Args[0]) && truth(v.Args[1])
	}
	return v.Op == ir.Const && (v.Imm == 0 || uint32(v.Imm) == ^uint32(0))
}

// boolean reports whether a Word is a comparison that only one value uses, or its negation.
func boolean(v *ir.Value) bool {
	if v.Uses != 1 {
		return false
	}
	if x := negative(v); x != nil {
		return boolean(x)
	}
	return v.Op == ir.ISet || v.Op == ir.FSet || v.Op == ir.DSet
}

// fromLogic makes v the logic of the comparisons that a combines.
func (s *simplifier) fromLogic(v, a *ir.Value) {
	var p [2]*ir.Value
	for i, x := range a.Args {
		if n := negative(x); n != nil {
			x = n
		}
		op := map[ir.Op]ir.Op{ir.ISet: ir.ICmp, ir.FSet: ir.FCmp, ir.DSet: ir.DCmp}[x.Op]
		p[i] = s.new(op, ir.Pred, x.Args...)
		p[i].Cmp, p[i].Sub = x.Cmp, x.Sub
	}
	logic := s.new(a.Op, ir.Pred, p[0], p[1])
	s.fromPred(v, logic)
}

// fromPred makes v the predicate p, or its inverse.
func (s *simplifier) fromPred(v, p *ir.Value) {
	if v.Op == ir.ISet {
		if v.Cmp == ptx.Ne {
			s.become(v, ir.PredSet, p)
		} else {
			s.become(v, ir.PredSet, s.new(ir.Not, ir.Pred, p))
		}
		v.Cmp, v.Sub = ptx.NoCmp, ptx.NoType
		return
	}
	if v.Cmp == ptx.Ne {
		s.is(v, p)
		return
	}
	s.become(v, ir.Not, p)
	v.Cmp, v.Sub = ptx.NoCmp, ptx.NoType
}

// fromSet makes v the comparison that a set made, or its inverse.
func (s *simplifier) fromSet(v, a *ir.Value) {
	cmp := a.Cmp
	if v.Cmp == ptx.Eq {
		if a.Op == ir.ISet {
			cmp = inverse[cmp]
		} else {
			cmp = inverseFloat[cmp]
		}
	}
	op := a.Op
	if v.Op == ir.ICmp {
		op = map[ir.Op]ir.Op{ir.ISet: ir.ICmp, ir.FSet: ir.FCmp, ir.DSet: ir.DCmp}[a.Op]
	}
	v.Cmp, v.Sub = cmp, a.Sub
	s.become(v, op, a.Args...)
}

// selectValue simplifies Select.
func (s *simplifier) selectValue(v *ir.Value) {
	p, a, b := v.Args[0], v.Args[1], v.Args[2]
	switch {
	case a == b || b.Op == ir.Undef:
		s.is(v, a)
	case a.Op == ir.Undef:
		s.is(v, b)
	case p.Op == ir.Const && p.Imm&1 != 0:
		s.is(v, a)
	case p.Op == ir.Const:
		s.is(v, b)
	case p.Op == ir.Not:
		s.become(v, ir.Select, p.Args[0], b, a)
	case a.Is(0xffffffff) && b.Is(0) && v.Kind == ir.Word:
		s.become(v, ir.PredSet, p)
	case a.Is(0) && b.Is(0xffffffff) && v.Kind == ir.Word:
		s.become(v, ir.PredSet, s.new(ir.Not, ir.Pred, p))
	case a.Is(1) && b.Is(0) && v.Kind == ir.Word:
		s.become(v, ir.Sub, s.f.Word(0), s.new(ir.PredSet, ir.Word, p))
	}
}

// predSet makes a set of a comparison that nothing else uses.
func (s *simplifier) predSet(v *ir.Value) {
	p := v.Args[0]
	op, ok := map[ir.Op]ir.Op{ir.ICmp: ir.ISet, ir.FCmp: ir.FSet, ir.DCmp: ir.DSet}[p.Op]
	if ok {
		v.Cmp, v.Sub = p.Cmp, p.Sub
		s.become(v, op, p.Args...)
	}
}
