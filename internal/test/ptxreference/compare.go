package ptxreference

import "jacquard/ptx"

// comparison returns how the instruction compares operands of a type, nil if it cannot.
func (b *binder) comparison(t ptx.Type) func(x, y uint64) bool {
	if formatOf(t) != nil {
		return b.floatComparison(b.arithOf(t))
	}
	if !integer(t) && t != ptx.Pred {
		return nil
	}
	w := wordOf(t)
	switch b.in.Cmp {
	case ptx.Eq:
		return func(x, y uint64) bool { return x == y }
	case ptx.Ne:
		return func(x, y uint64) bool { return x != y }
	case ptx.Lt:
		return w.less
	case ptx.Le:
		return func(x, y uint64) bool { return !w.less(y, x) }
	case ptx.Gt:
		return func(x, y uint64) bool { return w.less(y, x) }
	case ptx.Ge:
		return func(x, y uint64) bool { return !w.less(x, y) }
	case ptx.Lo:
		return func(x, y uint64) bool { return x < y }
	case ptx.Ls:
		return func(x, y uint64) bool { return x <= y }
	case ptx.Hi:
		return func(x, y uint64) bool { return x > y }
	case ptx.Hs:
		return func(x, y uint64) bool { return x >= y }
	}
	return nil
}

func (b *binder) floatComparison(f arith) func(x, y uint64) bool {
	// The answers for less, equal, greater and unordered.
	answers, ok := map[ptx.Cmp][4]bool{
		ptx.Eq:  {false, true, false, false},
		ptx.Ne:  {true, false, true, false},
		ptx.Lt:  {true, false, false, false},
		ptx.Le:  {true, true, false, false},
		ptx.Gt:  {false, false, true, false},
		ptx.Ge:  {false, true, true, false},
		ptx.Equ: {false, true, false, true},
		ptx.Neu: {true, false, true, true},
		ptx.Ltu: {true, false, false, true},
		ptx.Leu: {true, true, false, true},
		ptx.Gtu: {false, false, true, true},
		ptx.Geu: {false, true, true, true},
		ptx.Num: {true, true, true, false},
		ptx.Nan: {false, false, false, true},
	}[b.in.Cmp]
	if !ok {
		return nil
	}
	return func(x, y uint64) bool {
		sign, ordered := f.order(x, y)
		if !ordered {
			return answers[3]
		}
		return answers[sign+1]
	}
}

// combined returns how a comparison and a third operand make a predicate.
func (b *binder) combined() func(x, p bool) bool {
	switch b.in.Bool {
	case ptx.And:
		return func(x, p bool) bool { return x && p }
	case ptx.Or:
		return func(x, p bool) bool { return x || p }
	case ptx.Xor:
		return func(x, p bool) bool { return x != p }
	}
	return func(x, _ bool) bool { return x }
}

// compare binds setp and set. The second result of setp has the comparison inverted.
func (b *binder) compare() step {
	in, t := b.in, b.in.Type
	yes := uint64(1)
	if in.Op == ptx.OpSet {
		if t = in.From; t == ptx.NoType {
			t = in.Type
		}
		switch yes = ^uint64(0); {
		case formatOf(in.Type) != nil:
			yes = formatOf(in.Type).one()
		case two(t):
			yes = 0xffff
		}
	}
	mismatch := in.Op == ptx.OpSet && (two(in.Type) && !two(t) || two(t) && (width(in.Type) != 32 || in.Type == ptx.F32))
	holds, combine := b.comparison(t), b.combined()
	if holds == nil || mismatch {
		b.fail(Unsupported, "comparison")
		return nil
	}
	d, q, x, y := b.sink(0), b.pair(0), b.source(1, t), b.source(2, t)
	var p source
	n := 3
	if in.Bool != ptx.NoBool {
		p, n = b.source(3, ptx.Pred), 4
	}
	b.operands(n)
	if two(t) {
		return func(th *thread) error {
			x, y, third := x.get(th), y.get(th), p.get(th) != 0
			low := truth(combine(holds(x&0xffff, y&0xffff), third))
			high := truth(combine(holds(x>>16, y>>16), third))
			q.put(th, high)
			if in.Op == ptx.OpSet {
				low |= high << 16
			}
			d.put(th, yes*low)
			return nil
		}
	}
	return func(th *thread) error {
		r, third := holds(x.get(th), y.get(th)), p.get(th) != 0
		d.put(th, yes*truth(combine(r, third)))
		q.put(th, truth(combine(!r, third)))
		return nil
	}
}

// selection returns selp and slct.
func (b *binder) selection() operation {
	t, from := b.in.Type, b.in.From
	if b.in.Op == ptx.OpSelp {
		return operation{t, []ptx.Type{t, t, ptx.Pred}, func(x, y, p, _ uint64) uint64 {
			if p != 0 {
				return x
			}
			return y
		}}
	}
	first := func(c uint64) bool { return signExtend(c, 32) >= 0 }
	if from == ptx.F32 {
		f := b.arithOf(from)
		first = func(c uint64) bool { sign, ok := f.order(c, 0); return ok && sign >= 0 }
	} else if from != ptx.S32 {
		return operation{}
	}
	return operation{t, []ptx.Type{t, t, from}, func(x, y, c, _ uint64) uint64 {
		if first(c) {
			return x
		}
		return y
	}}
}

// testp returns the operation of that name.
func (b *binder) testp() operation {
	f := formatOf(b.in.Type)
	if f == nil {
		return operation{}
	}
	// Tests see subnormal numbers, whatever arithmetic makes of them.
	test := map[ptx.Mode]func(x uint64) bool{
		ptx.TestFinite:     func(x uint64) bool { return x&^f.sign() < f.infinity() },
		ptx.TestInfinite:   func(x uint64) bool { return x&^f.sign() == f.infinity() },
		ptx.TestNumber:     func(x uint64) bool { return !f.isNaN(x) },
		ptx.TestNotANumber: f.isNaN,
		ptx.TestNormal:     func(x uint64) bool { return f.flush(x) == x && x&^f.sign() < f.infinity() }, // a zero is
		ptx.TestSubnormal:  func(x uint64) bool { return f.isSubnormal(x) && x&^f.sign() != 0 },
	}[b.in.Mode]
	if test == nil {
		return operation{}
	}
	return operation{ptx.Pred, []ptx.Type{b.in.Type}, func(x, _, _, _ uint64) uint64 {
		return truth(test(x))
	}}
}
