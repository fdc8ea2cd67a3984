package optimize

import (
	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// Predicates turns phis and logic of predicates into Words of all ones or zero, and compares these
// Words with zero where a predicate is wanted. A condition register holds a comparison only.
func Predicates(f *ir.Func) {
	s := &simplifier{f: f, carried: carried(f)}
	words := map[*ir.Value]*ir.Value{}
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op == ir.Phi && v.Kind == ir.Pred {
				w := f.New(ir.Phi, ir.Word)
				w.Block, w.Line = b, v.Line
				words[v] = w
			}
		}
	}
	for _, b := range f.Blocks {
		s.predicates(b, words)
	}
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if w := words[v]; w != nil {
				s.phi(v, w)
			}
		}
	}
	simplify(f, true)
}

// predicates rewrites the logic of a block, and puts the Words of its phis after them.
func (s *simplifier) predicates(b *ir.Block, words map[*ir.Value]*ir.Value) {
	s.at, s.out = b, nil
	var fromPhis []*ir.Value
	inPhis := true
	for _, v := range b.Values {
		s.line = v.Line
		if v.Op != ir.Phi && inPhis {
			inPhis = false
			s.out = append(s.out, fromPhis...)
		}
		if w := words[v]; w != nil {
			s.out = append(s.out, w)
			fromPhis = append(fromPhis, v)
			continue
		}
		if v.Kind == ir.Pred {
			s.predicate(v)
		}
		s.out = append(s.out, v)
	}
	if inPhis {
		s.out = append(s.out, fromPhis...)
	}
	b.Values = s.out
}

// predicate rewrites And, Or and Xor.
func (s *simplifier) predicate(v *ir.Value) {
	switch v.Op {
	case ir.And, ir.Or, ir.Xor:
		if s.chains(v) {
			return
		}
		x := s.new(ir.PredSet, ir.Word, v.Args[0])
		y := s.new(ir.PredSet, ir.Word, v.Args[1])
		s.notZero(v, s.new(v.Op, ir.Word, x, y))
	}
}

// chains reports whether v can be made by comparisons one after the other: its operands are
// comparisons, or such a chain first, that nothing else uses. The longer operand goes first.
func (s *simplifier) chains(v *ir.Value) bool {
	if v.Op == ir.Xor {
		return false
	}
	if s.chain(v.Args[1], v) {
		v.Args[0], v.Args[1] = v.Args[1], v.Args[0]
	}
	a, b := v.Args[0], v.Args[1]
	return (comparison(a, v) || s.chain(a, v)) && comparison(b, v)
}

func comparison(p, user *ir.Value) bool {
	return (p.Op == ir.ICmp || p.Op == ir.FCmp || p.Op == ir.DCmp) && p.Uses == 1 && p.Block == user.Block
}

// chain reports whether an operand of user is a chain. Operands are rewritten before their users.
func (s *simplifier) chain(p, user *ir.Value) bool {
	return (p.Op == ir.And || p.Op == ir.Or) && p.Kind == ir.Pred && p.Uses == 1 && p.Block == user.Block
}

// notZero makes v the predicate that w is not zero.
func (s *simplifier) notZero(v, w *ir.Value) {
	v.Become(ir.ICmp, w, s.f.Word(0))
	v.Cmp, v.Sub = ptx.Ne, ptx.U32
}

// phi makes v, a phi of predicates, a comparison of the phi w of Words.
func (s *simplifier) phi(v, w *ir.Value) {
	for i, p := range v.Block.Preds {
		set := s.f.New(ir.PredSet, ir.Word, v.Args[i])
		set.Line, set.Block = v.Line, p
		p.Values = append(p.Values, set)
		w.AddArg(set)
	}
	s.notZero(v, w)
}
