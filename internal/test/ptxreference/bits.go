package ptxreference

import (
	"math/bits"

	"jacquard/ptx"
)

// logic returns the operations on bits.
func (b *binder) logic() operation {
	in, t := b.in, b.in.Type
	n := width(t)
	switch in.Op {
	case ptx.OpAnd:
		return binary(t, func(a, c uint64) uint64 { return a & c })
	case ptx.OpOr:
		return binary(t, func(a, c uint64) uint64 { return a | c })
	case ptx.OpXor:
		return binary(t, func(a, c uint64) uint64 { return a ^ c })
	case ptx.OpNot:
		return unary(t, func(a uint64) uint64 { return ^a })
	case ptx.OpCnot:
		return unary(t, func(a uint64) uint64 { return truth(a == 0) })
	case ptx.OpShl:
		return shift(t, func(a uint64, by int) uint64 { return a << by })
	case ptx.OpShr:
		w := wordOf(t)
		return shift(t, func(a uint64, by int) uint64 {
			if w.signed {
				return uint64(w.int(a) >> by)
			}
			return a >> by
		})
	case ptx.OpPopc:
		return count(t, func(a uint64) int { return bits.OnesCount64(a) })
	case ptx.OpClz:
		return count(t, func(a uint64) int { return bits.LeadingZeros64(a) - 64 + n })
	case ptx.OpBfind:
		return b.bfind(wordOf(t))
	case ptx.OpBrev:
		return unary(t, func(a uint64) uint64 { return bits.Reverse64(a) >> (64 - n) })
	}
	return operation{}
}

// shift is an operation with an amount of 32 bits, clamped to the width.
func shift(t ptx.Type, f func(a uint64, by int) uint64) operation {
	n := uint64(width(t))
	return operation{t, []ptx.Type{t, ptx.U32}, func(a, by, _, _ uint64) uint64 {
		return f(a, int(min(by, n)))
	}}
}

// count is an operation with a result of 32 bits.
func count(t ptx.Type, f func(a uint64) int) operation {
	return operation{ptx.U32, []ptx.Type{t}, func(a, _, _, _ uint64) uint64 {
		return uint64(f(a))
	}}
}

// bfind returns the place of the highest bit that is not a sign, counted from the top with
// .shiftamt.
func (b *binder) bfind(w wordType) operation {
	fromTop := b.in.Mods&ptx.Shiftamt != 0
	return count(w.t, func(a uint64) int {
		if w.negative(a) {
			a = ^a & ones(w.bits)
		}
		switch {
		case a == 0:
			return -1
		case fromTop:
			return w.bits - bits.Len64(a)
		}
		return bits.Len64(a) - 1
	})
}

// lop3 looks up each bit of three words in a table of 8 bits.
func lop3(a, b, c, table uint64) (r uint64) {
	for i := range 32 {
		r |= table >> (a>>i&1<<2 | b>>i&1<<1 | c>>i&1) & 1 << i
	}
	return r
}

// funnel returns shf: a and b are the lower and the upper word.
func (b *binder) funnel() operation {
	left, wrap := b.in.Mods&ptx.Left != 0, b.in.Mods&ptx.Wrap != 0
	return operation{ptx.B32, []ptx.Type{ptx.B32, ptx.B32, ptx.U32}, func(a, c, by, _ uint64) uint64 {
		if wrap {
			by &= 31
		}
		by = min(by, 32)
		if left {
			return (c<<32 | a) << by >> 32
		}
		return (c<<32 | a) >> by
	}}
}

// lop3Predicate binds lop3 with a second result: whether the first is not 0, combined with a
// predicate.
func (b *binder) lop3Predicate() step {
	t, combine := ptx.B32, b.combined()
	d, p := b.sink(0), b.pair(0)
	x, y, z := b.source(1, t), b.source(2, t), b.source(3, t)
	table, q := b.source(4, t), b.source(5, ptx.Pred)
	b.operands(6)
	return func(th *thread) error {
		r := lop3(x.get(th), y.get(th), z.get(th), table.get(th))
		third := q.get(th) != 0
		d.put(th, r)
		p.put(th, truth(combine(r != 0, third)))
		return nil
	}
}
