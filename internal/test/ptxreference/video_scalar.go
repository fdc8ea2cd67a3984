package ptxreference

import (
	"math/big"

	"jacquard/ptx"
)

// scalarVideo returns the operations on words, or bytes and halves of them, whose results are exact
// before they are clamped.
func (b *binder) scalarVideo() operation {
	in := b.in
	t, from := in.Type, [...]ptx.Type{in.From, in.From2}
	if in.Op == ptx.OpVset {
		t, from = ptx.U32, [...]ptx.Type{in.Type, in.From}
	}
	if len(in.Args) < 3 || len(in.Args) > 4 {
		b.fail(Malformed, "%d operands", len(in.Args))
		return operation{}
	}
	first, last := b.videoFirst(), b.videoLast(t)
	args := []ptx.Type{ptx.U32, ptx.U32, ptx.U32}[:len(in.Args)-1]
	return operation{ptx.U32, args, func(x, y, c, _ uint64) uint64 {
		p, q := laneOf(&in.Args[1], x, from[0]), laneOf(&in.Args[2], y, from[1])
		if in.Op == ptx.OpVmad {
			return b.multiply(p, q, c)
		}
		return last(first(p, q), c)
	}}
}

// laneOf returns the number of an operand with word x, without a sign in front of the operand.
func laneOf(o *ptx.Operand, x uint64, t ptx.Type) *big.Int {
	if o.Neg {
		x = -x
	}
	at, n := o.Lane.Field()
	return wordType{t, n, signed(t)}.big(x >> at & ones(n))
}

// lowWord returns the lowest 32 bits of a number.
func lowWord(v *big.Int) uint64 {
	return new(big.Int).And(v, new(big.Int).SetUint64(ones(32))).Uint64()
}

// videoFirst returns the operation on the first two operands.
func (b *binder) videoFirst() func(x, y *big.Int) *big.Int {
	amount := func(y *big.Int) uint {
		if b.in.Mods&ptx.Wrap != 0 {
			return uint(y.Uint64() & 31)
		}
		return uint(min(y.Uint64(), 32))
	}
	return func(x, y *big.Int) *big.Int {
		r := new(big.Int)
		switch b.in.Op {
		case ptx.OpVadd:
			return r.Add(x, y)
		case ptx.OpVsub:
			return r.Sub(x, y)
		case ptx.OpVabsdiff:
			return r.Abs(r.Sub(x, y))
		case ptx.OpVmin:
			return nearer(x, y, -1)
		case ptx.OpVmax:
			return nearer(x, y, 1)
		case ptx.OpVset:
			return r.SetUint64(truth(fulfils(b.in.Cmp, x.Cmp(y))))
		case ptx.OpVshl:
			return r.Lsh(x, amount(y))
		}
		return r.Rsh(x, amount(y)) // rounds down, as a shift with the sign does
	}
}

// nearer returns the number at one end: the smaller for -1, the greater for 1.
func nearer(x, y *big.Int, end int) *big.Int {
	if x.Cmp(y) == end {
		return x
	}
	return y
}

// fulfils reports whether an order of two numbers fulfils a comparison.
func fulfils(cmp ptx.Cmp, order int) bool {
	switch cmp {
	case ptx.Eq:
		return order == 0
	case ptx.Ne:
		return order != 0
	case ptx.Lt:
		return order < 0
	case ptx.Le:
		return order <= 0
	case ptx.Gt:
		return order > 0
	}
	return order >= 0
}

// videoLast returns the second half of the instruction: it clamps the first result and merges it
// into a word or combines it with one.
func (b *binder) videoLast(t ptx.Type) func(v *big.Int, c uint64) uint64 {
	in, word := b.in, wordOf(t)
	at, n := in.Args[0].Lane.Field()
	part := wordType{t, n, word.signed}
	return func(v *big.Int, c uint64) uint64 {
		if in.Mods&ptx.Sat != 0 {
			v = part.big(part.clamp(v) & ones(n))
		}
		switch in.Atom {
		case ptx.AtomAdd:
			v = new(big.Int).Add(v, word.big(c))
		case ptx.AtomMin:
			v = nearer(v, word.big(c), -1)
		case ptx.AtomMax:
			v = nearer(v, word.big(c), 1)
		default:
			mask := ones(n) << at
			return c&^mask | lowWord(v)<<at&mask
		}
		return lowWord(v)
	}
}

// multiply returns the result of vmad. The addend has a sign if the product has one.
func (b *binder) multiply(x, y *big.Int, c uint64) uint64 {
	in := b.in
	negates := in.Args[1].Neg != in.Args[2].Neg
	t := ptx.U32
	if negates || signed(in.From) || signed(in.From2) {
		t = ptx.S32
	}
	v, addend := new(big.Int).Mul(x, y), laneOf(&in.Args[3], c, t)
	if negates {
		v.Neg(v)
	}
	if in.Args[3].Neg {
		t = ptx.S32
		addend.Neg(addend)
	}
	v.Add(v, addend)
	if in.Mods&ptx.PlusOne != 0 {
		v.Add(v, big.NewInt(1))
	}
	switch {
	case in.Mods&ptx.Shr7 != 0:
		v.Rsh(v, 7)
	case in.Mods&ptx.Shr15 != 0:
		v.Rsh(v, 15)
	}
	if in.Mods&ptx.Sat != 0 {
		return wordOf(t).clamp(v)
	}
	return lowWord(v)
}
