package optimize

import (
	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// simplifier rewrites the values of a kernel.
type simplifier struct {
	f *ir.Func
	// carried are the sums whose carry is used. They are not simplified.
	carried map[*ir.Value]bool
	out     []*ir.Value // values of the block before the current one
	at      *ir.Block
	line    ir.Line
	changed bool
	// lowered says that there is no more logic of predicates but chains of comparisons.
	lowered bool
}

// rounds bounds how often Simplify goes over a kernel.
const rounds = 8

// Simplify folds constants and replaces operations by cheaper ones until nothing changes.
func Simplify(f *ir.Func) { simplify(f, false) }

// simplify is Simplify. lowered says that the pass "predicate" has run: predicates stay comparisons.
func simplify(f *ir.Func, lowered bool) {
	for range rounds {
		s := &simplifier{f: f, carried: carried(f), lowered: lowered}
		for _, b := range f.Blocks {
			s.block(b)
		}
		Clean(f)
		if !s.changed {
			return
		}
	}
}

// carried returns the sums whose carry is used.
func carried(f *ir.Func) map[*ir.Value]bool {
	used := map[*ir.Value]bool{}
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op == ir.AddC {
				used[v.Args[2]] = true
			}
		}
	}
	return used
}

func (s *simplifier) block(b *ir.Block) {
	s.at, s.out = b, make([]*ir.Value, 0, len(b.Values)+8)
	for _, v := range b.Values {
		for i, a := range v.Args {
			if a.Op == ir.Copy {
				v.SetArg(i, ir.Resolve(a))
			}
		}
		s.line = v.Line
		if v.Op != ir.Copy && !s.carried[v] {
			s.value(v)
		}
		s.out = append(s.out, v)
	}
	b.Values = s.out
}

// new makes a value in front of the current one.
func (s *simplifier) new(op ir.Op, kind ir.Kind, args ...*ir.Value) *ir.Value {
	v := s.f.New(op, kind, args...)
	v.Block, v.Line = s.at, s.line
	s.out = append(s.out, v)
	return v
}

// become makes v another operation.
func (s *simplifier) become(v *ir.Value, op ir.Op, args ...*ir.Value) {
	v.Become(op, args...)
	s.changed = true
}

// is makes v a copy of x.
func (s *simplifier) is(v, x *ir.Value) {
	v.CopyOf(x)
	s.changed = true
}

func (s *simplifier) isWord(v *ir.Value, c uint32) { s.is(v, s.f.Word(c)) }

// value simplifies one value.
func (s *simplifier) value(v *ir.Value) {
	if v.Op.Commutes() && len(v.Args) >= 2 && v.Args[0].Op == ir.Const && v.Args[1].Op != ir.Const {
		v.Args[0], v.Args[1] = v.Args[1], v.Args[0]
	}
	if s.fold(v) {
		return
	}
	switch v.Op {
	case ir.Add, ir.Sub, ir.AddC:
		s.sum(v)
	case ir.Mul, ir.Mul16, ir.Mul24:
		s.product(v)
	case ir.And, ir.Or, ir.Xor, ir.Not:
		s.logic(v)
	case ir.Shl, ir.ShrU, ir.ShrS:
		s.shift(v)
	case ir.ZExt8, ir.ZExt16, ir.SExt8, ir.SExt16:
		s.extend(v)
	case ir.Low, ir.High:
		s.half(v)
	case ir.Pack:
		s.pack(v)
	case ir.ICmp, ir.ISet:
		s.compare(v)
	case ir.Select:
		s.selectValue(v)
	case ir.PredSet:
		s.predSet(v)
	case ir.FNeg, ir.FAbs, ir.DNeg, ir.DAbs:
		s.sign(v)
	case ir.Store:
		s.store(v)
	}
}

// half simplifies a Word of a Long.
func (s *simplifier) half(v *ir.Value) {
	a, i := v.Args[0], 0
	if v.Op == ir.High {
		i = 1
	}
	switch a.Op {
	case ir.Pack:
		s.is(v, a.Args[i])
	case ir.Const:
		s.isWord(v, uint32(a.Imm>>(32*i)))
	}
}

func (s *simplifier) pack(v *ir.Value) {
	lo, hi := v.Args[0], v.Args[1]
	if lo.Op == ir.Low && hi.Op == ir.High && lo.Args[0] == hi.Args[0] {
		s.is(v, lo.Args[0])
	}
}

// sign simplifies signs of floats: a sign that is set twice, or not at all.
func (s *simplifier) sign(v *ir.Value) {
	a := v.Args[0]
	neg, abs := ir.FNeg, ir.FAbs
	if v.Kind == ir.Long {
		neg, abs = ir.DNeg, ir.DAbs
	}
	switch {
	case v.Sat:
	case v.Op == neg && a.Op == neg && !a.Sat:
		// A copy would keep denormals and NaNs that the negation changes; abs and neg of f32 do
		// not change the value that an operation reads, and stores take the value as it is.
		if v.Kind == ir.Long {
			s.is(v, a.Args[0])
		}
	case v.Op == abs && (a.Op == neg || a.Op == abs) && !a.Sat:
		s.become(v, abs, a.Args[0])
	}
}

// store drops extensions of the value of a narrow store.
func (s *simplifier) store(v *ir.Value) {
	if v.Count != 1 || v.Sub.Bits() >= 32 {
		return
	}
	if x := s.trimmed(v.Args[1], v.Sub.Bits()); x != v.Args[1] {
		v.SetArg(1, x)
		s.changed = true
	}
}

// trimmed returns a value with the same lower bits that is cheaper.
func (s *simplifier) trimmed(v *ir.Value, bits int) *ir.Value {
	for {
		switch {
		case (v.Op == ir.ZExt16 || v.Op == ir.SExt16) && bits <= 16,
			(v.Op == ir.ZExt8 || v.Op == ir.SExt8) && bits <= 8:
			v = v.Args[0]
		case v.Op == ir.And && v.Args[1].Op == ir.Const && uint32(v.Args[1].Imm)&mask(bits) == mask(bits):
			v = v.Args[0]
		default:
			return v
		}
	}
}

// mask returns the lower bits of a Word, all 32 if there are no more.
func mask(bits int) uint32 { return 1<<bits - 1 }

func signed(t ptx.Type) bool { return ir.Signed(t) }
