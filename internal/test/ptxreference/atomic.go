package ptxreference

import "jacquard/ptx"

// atomic binds atom and red. red has no result.
func (b *binder) atomic() step {
	first, d := 1, sink{}
	if b.in.Op == ptx.OpRed {
		first = 0
	} else {
		d = b.sink(0)
	}
	t, n := b.in.Type, width(b.in.Type)/8
	if n == 0 || max(b.in.Vector, 1) != 1 {
		b.fail(Unsupported, "type of the access")
		return nil
	}
	update := b.update()
	if update == nil {
		b.fail(Unsupported, "operation on the type")
		return nil
	}
	p, x := b.place(first), b.source(first+1, t)
	var y source
	if b.in.Atom == ptx.AtomCas {
		y = b.source(first+2, t)
	}
	return func(th *thread) error {
		address := p.address(th)
		m, err := th.bytes(p.space, address, n, true)
		if err != nil {
			return err
		}
		space, _ := specific(p.space, address)
		old := little(m)
		putLittle(m, update(space, old, x.get(th), y.get(th)))
		d.put(th, extend(old, t))
		return nil
	}
}

// update returns the result of the operation on old and the operands.
func (b *binder) update() func(s ptx.Space, old, x, y uint64) uint64 {
	t, op := b.in.Type, b.in.Atom
	switch {
	case op == ptx.AtomExch:
		return func(_ ptx.Space, _, x, _ uint64) uint64 { return x }
	case op == ptx.AtomCas:
		return func(_ ptx.Space, old, x, y uint64) uint64 {
			if old == x {
				return y
			}
			return old
		}
	case formatOf(t) != nil:
		return b.updateFloat()
	case !integer(t):
		return nil
	}
	f := wordOf(t).reduce(op)
	if f == nil {
		return nil
	}
	return func(_ ptx.Space, old, x, _ uint64) uint64 { return f(old, x) }
}

// reduce returns an operation of atom, red and redux on integers, nil if there is none.
func (w wordType) reduce(op ptx.AtomOp) func(old, x uint64) uint64 {
	switch op {
	case ptx.AtomAnd:
		return func(old, x uint64) uint64 { return old & x }
	case ptx.AtomOr:
		return func(old, x uint64) uint64 { return old | x }
	case ptx.AtomXor:
		return func(old, x uint64) uint64 { return old ^ x }
	case ptx.AtomAdd:
		return func(old, x uint64) uint64 { return old + x }
	case ptx.AtomMin:
		return func(old, x uint64) uint64 { return w.pick(x, old, w.less(x, old)) }
	case ptx.AtomMax:
		return func(old, x uint64) uint64 { return w.pick(x, old, w.less(old, x)) }
	case ptx.AtomInc:
		return func(old, x uint64) uint64 {
			if old >= x {
				return 0
			}
			return old + 1
		}
	case ptx.AtomDec:
		return func(old, x uint64) uint64 {
			if old == 0 || old > x {
				return x
			}
			return old - 1
		}
	}
	return nil
}

// updateFloat returns addition, minimum and maximum. Sums of f32 flush subnormal numbers in global
// memory, but not in shared memory (PTX ISA, "atom").
func (b *binder) updateFloat() func(s ptx.Space, old, x, y uint64) uint64 {
	t, op := b.in.Type, b.in.Atom
	f := arith{format: formatOf(t), mode: ptx.RN}
	g := f
	g.ftz = t == ptx.F32
	binary := func(g arith, old, x uint64) uint64 {
		switch op {
		case ptx.AtomAdd:
			return g.add(old, x, false)
		case ptx.AtomMin:
			return g.pick(old, x, false, false)
		}
		return g.pick(old, x, true, false)
	}
	if op != ptx.AtomAdd && op != ptx.AtomMin && op != ptx.AtomMax {
		return nil
	}
	return func(s ptx.Space, old, x, _ uint64) uint64 {
		how := f
		if s == ptx.Global && op == ptx.AtomAdd {
			how = g
		}
		if t == ptx.F16x2 || t == ptx.BF16x2 {
			return binary(how, old>>16, x>>16)<<16 | binary(how, old&0xffff, x&0xffff)&0xffff
		}
		return binary(how, old, x)
	}
}
