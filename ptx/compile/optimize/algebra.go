package optimize

import (
	"math/bits"

	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// constant returns the value of a constant Word.
func constant(v *ir.Value) (uint32, bool) { return uint32(v.Imm), v.Op == ir.Const }

// negative returns x of 0 - x.
func negative(v *ir.Value) *ir.Value {
	if v.Op == ir.Sub && v.Args[0].Is(0) && !v.Sat {
		return v.Args[1]
	}
	return nil
}

// sum simplifies Add, Sub and AddC.
func (s *simplifier) sum(v *ir.Value) {
	if v.Sat || v.Kind != ir.Word {
		return
	}
	a, b := v.Args[0], v.Args[1]
	c, isConst := constant(b)
	switch {
	case v.Op == ir.AddC:
		s.carrySum(v)
	case isConst && c == 0:
		s.is(v, a)
	case v.Op == ir.Sub && isConst:
		s.become(v, ir.Add, a, s.f.Word(-c))
	case v.Op == ir.Sub && a == b:
		s.isWord(v, 0)
	case v.Op == ir.Sub && negative(b) != nil:
		s.become(v, ir.Add, a, negative(b))
	case v.Op == ir.Add && negative(b) != nil:
		s.become(v, ir.Sub, a, negative(b))
	case v.Op == ir.Add && negative(a) != nil:
		s.become(v, ir.Sub, b, negative(a))
	case isConst && v.Op == ir.Add:
		s.addConst(v, a, c)
	case v.Op == ir.Add:
		s.reassociate(v, a, b)
	}
}

// addConst joins constants of nested sums.
func (s *simplifier) addConst(v, a *ir.Value, c uint32) {
	switch {
	case a.Op == ir.Add && a.Args[1].Op == ir.Const && !a.Sat && !s.carried[a]:
		s.become(v, ir.Add, a.Args[0], s.f.Word(uint32(a.Args[1].Imm)+c))
	case a.Op == ir.Symbol:
		x := s.new(ir.Symbol, ir.Word)
		x.Sym, x.Space, x.Imm = a.Sym, a.Space, uint64(uint32(a.Imm)+c)
		s.is(v, x)
	}
}

// reassociate moves a constant out of a sum, so that sums that differ by a constant share the rest.
func (s *simplifier) reassociate(v, a, b *ir.Value) {
	for i, x := range v.Args[:2] {
		other := v.Args[1-i]
		if x.Op == ir.Add && x.Args[1].Op == ir.Const && !x.Sat && !s.carried[x] && x.Uses == 1 {
			rest := s.new(ir.Add, ir.Word, x.Args[0], other)
			s.become(v, ir.Add, rest, x.Args[1])
			return
		}
	}
}

// carrySum simplifies a sum whose carry is known.
func (s *simplifier) carrySum(v *ir.Value) {
	low := v.Args[2]
	if s.carried[v] || low.Sat {
		return
	}
	none := low.Op == ir.Add && (low.Args[0].Is(0) || low.Args[1].Is(0) || known(low.Args[0])+1 < 32 && known(low.Args[1])+1 < 32)
	if none {
		s.become(v, ir.Add, v.Args[0], v.Args[1])
		return
	}
	if low.Op == ir.Sub && low.Args[1].Is(0) {
		rest := s.new(ir.Add, ir.Word, v.Args[0], v.Args[1])
		s.become(v, ir.Add, rest, s.f.Word(1))
	}
}

// product simplifies products.
func (s *simplifier) product(v *ir.Value) {
	a, b := v.Args[0], v.Args[1]
	if v.Op == ir.Mul16 {
		for i := range 2 {
			if x := s.trimmed(v.Args[i], 16); x != v.Args[i] {
				v.SetArg(i, x)
				s.changed = true
			}
		}
	}
	c, ok := constant(b)
	switch {
	case !ok:
		s.narrowProduct(v, a, b)
	case c == 0:
		s.isWord(v, 0)
	case v.Op == ir.Mul && c == 1:
		s.is(v, a)
	case v.Op == ir.Mul && c&(c-1) == 0:
		s.become(v, ir.Shl, a, s.f.Word(uint32(bits.TrailingZeros32(c))))
	case v.Op == ir.Mul24 && c&(c-1) == 0 && c < 1<<23 && !v.Signed() && known(a) <= 24:
		s.become(v, ir.Shl, a, s.f.Word(uint32(bits.TrailingZeros32(c))))
	default:
		s.narrowProduct(v, a, b)
	}
}

// narrowProduct replaces a product of 32 bits whose factors are narrow.
func (s *simplifier) narrowProduct(v, a, b *ir.Value) {
	if v.Op != ir.Mul {
		return
	}
	ka, kb := known(a), known(b)
	switch {
	case ka <= 16 && kb <= 16:
		v.Sub = ptx.U16
		s.become(v, ir.Mul16, a, b)
	case ka <= 24 && kb <= 24:
		v.Sub = ptx.U32
		s.become(v, ir.Mul24, a, b)
	}
}

// logic simplifies And, Or, Xor and Not.
func (s *simplifier) logic(v *ir.Value) {
	a := v.Args[0]
	if v.Op == ir.Not {
		s.not(v, a)
		return
	}
	b := v.Args[1]
	if v.Kind == ir.Pred {
		s.logicPred(v, a, b)
		return
	}
	c, ok := constant(b)
	switch {
	case a == b && v.Op == ir.Xor:
		s.isWord(v, 0)
	case a == b:
		s.is(v, a)
	case ok && c == 0 && v.Op == ir.And:
		s.isWord(v, 0)
	case ok && c == 0:
		s.is(v, a)
	case ok && v.Op == ir.And && c&mask(known(a)) == mask(known(a)):
		s.is(v, a)
	case ok && v.Op == ir.And && a.Op == ir.And && a.Args[1].Op == ir.Const:
		s.become(v, ir.And, a.Args[0], s.f.Word(c&uint32(a.Args[1].Imm)))
	case ok && v.Op == ir.And && c == 0xffff:
		s.become(v, ir.ZExt16, a)
	case ok && v.Op == ir.And && c == 0xff:
		s.become(v, ir.ZExt8, a)
	case ok && c == ^uint32(0) && v.Op == ir.Or:
		s.isWord(v, c)
	case ok && c == ^uint32(0) && v.Op == ir.Xor:
		s.become(v, ir.Not, a)
	}
}

// logicPred simplifies logic with a constant predicate.
func (s *simplifier) logicPred(v, a, b *ir.Value) {
	if a == b && v.Op != ir.Xor {
		s.is(v, a)
		return
	}
	if b.Op != ir.Const {
		return
	}
	truth := b.Imm&1 != 0
	switch {
	case truth == (v.Op == ir.And):
		s.is(v, a)
	case v.Op == ir.Xor && truth:
		s.become(v, ir.Not, a)
	case v.Op == ir.Xor:
		s.is(v, a)
	default:
		s.is(v, b)
	}
}

// shift simplifies shifts by constants.
func (s *simplifier) shift(v *ir.Value) {
	a := v.Args[0]
	n, ok := constant(v.Args[1])
	switch {
	case a.Is(0):
		s.is(v, a)
	case !ok:
	case n == 0:
		s.is(v, a)
	case n >= 32 && v.Op != ir.ShrS:
		s.isWord(v, 0)
	case a.Op == v.Op && a.Args[1].Op == ir.Const && a.Args[1].Imm < 32:
		s.become(v, v.Op, a.Args[0], s.f.Word(min(n, 32)+uint32(a.Args[1].Imm)))
	case v.Op == ir.ShrU && a.Op == ir.Shl && a.Args[1].Is(uint64(n)):
		s.become(v, ir.And, a.Args[0], s.f.Word(^uint32(0)>>n))
	case v.Op == ir.Shl && a.Op == ir.ShrU && a.Args[1].Is(uint64(n)):
		s.become(v, ir.And, a.Args[0], s.f.Word(^uint32(0)<<n))
	case v.Op == ir.ShrU && known(a) <= int(n):
		s.isWord(v, 0)
	case v.Op == ir.ShrS && known(a) < 32:
		s.become(v, ir.ShrU, a, v.Args[1])
	case v.Op == ir.Shl && a.Op == ir.Add && a.Args[1].Op == ir.Const && a.Uses == 1 && !s.carried[a]:
		x := s.new(ir.Shl, ir.Word, a.Args[0], v.Args[1])
		s.become(v, ir.Add, x, s.f.Word(uint32(a.Args[1].Imm)<<n))
	}
}

// extend simplifies extensions.
func (s *simplifier) extend(v *ir.Value) {
	a := v.Args[0]
	width := 16
	if v.Op == ir.ZExt8 || v.Op == ir.SExt8 {
		width = 8
	}
	zero := v.Op == ir.ZExt8 || v.Op == ir.ZExt16
	switch {
	case zero && known(a) <= width, !zero && known(a) < width:
		s.is(v, a)
	case a.Op == v.Op:
		s.is(v, a)
	default:
		if x := s.trimmed(a, width); x != a {
			s.become(v, v.Op, x)
		}
	}
}
