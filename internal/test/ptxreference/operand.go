package ptxreference

import "jacquard/ptx"

// binder makes one instruction ready. The first error stays; methods then return zero values.
type binder struct {
	*compiler
	in  *ptx.Instr
	err error
}

func (b *binder) fail(kind Kind, format string, args ...any) {
	if b.err == nil {
		b.err = b.p.errorAt(kind, b.in.Pos, format, args...)
	}
}

// source is an operand that is read: a register, a number, or a value that a function finds.
type source struct {
	slot int // of a register if mask is not 0
	mask uint64
	bits uint64 // of a number
	find func(t *thread) uint64
}

func (s *source) get(t *thread) uint64 {
	switch {
	case s.mask != 0:
		return t.regs[s.slot] & s.mask
	case s.find != nil:
		return s.find(t)
	}
	return s.bits
}

// sink is a register that is written. The zero sink drops the value.
type sink struct {
	slot int
	mask uint64
}

func (s sink) put(t *thread, x uint64) {
	if s.mask != 0 {
		t.regs[s.slot] = x & s.mask
	}
}

// arg returns operand i, or an empty one.
func (b *binder) arg(i int) *ptx.Operand {
	if i < 0 || i >= len(b.in.Args) {
		b.fail(Malformed, "operand %d is missing", i+1)
		return &ptx.Operand{}
	}
	return &b.in.Args[i]
}

// has reports whether there is an operand i.
func (b *binder) has(i int) bool { return i < len(b.in.Args) }

// source binds operand i, whose type is t.
func (b *binder) source(i int, t ptx.Type) source { return b.sourceOf(b.arg(i), t) }

func (b *binder) sourceOf(o *ptx.Operand, t ptx.Type) source {
	mask := ones(width(t))
	if mask == 0 {
		b.fail(Unsupported, "operand type")
	}
	s := source{}
	switch o.Kind {
	case ptx.Register:
		s = source{slot: b.register(o), mask: mask}
	case ptx.Immediate:
		s.bits = o.Value & mask
	case ptx.SpecialReg:
		find := b.special(o.Special)
		s.find = func(t *thread) uint64 { return find(t) & mask }
	case ptx.Symbol:
		s = b.address(o)
	default:
		b.fail(Malformed, "operand of a wrong kind")
	}
	return b.changed(s, o, t)
}

// changed applies ! and - to an operand.
func (b *binder) changed(s source, o *ptx.Operand, t ptx.Type) source {
	mask := ones(width(t))
	switch {
	case o.Not && t == ptx.Pred:
		return source{find: func(t *thread) uint64 { return s.get(t) ^ 1 }}
	case o.Not:
		return source{find: func(t *thread) uint64 { return ^s.get(t) & mask }}
	case o.Kind == ptx.Register && o.Value != 0:
		return source{find: func(t *thread) uint64 { return (s.get(t) + o.Value) & mask }}
	case o.Neg && formatOf(t) != nil:
		sign := formatOf(t).sign()
		if width(t) > formatOf(t).bits {
			sign |= sign << 16
		}
		return source{find: func(t *thread) uint64 { return s.get(t) ^ sign }}
	case o.Neg:
		return source{find: func(t *thread) uint64 { return -s.get(t) & mask }}
	}
	return s
}

// register returns the slot of a register or of an element of a vector.
func (b *binder) register(o *ptx.Operand) int {
	if o.Var == nil {
		b.fail(Malformed, "operand without register")
		return 0
	}
	n, err := b.slot(o.Var, b.in.Pos)
	if err != nil && b.err == nil {
		b.err = err
	}
	part := max(int(o.Part)-1, 0)
	if part >= max(o.Var.Vector, 1) {
		b.fail(Malformed, "element %d of %s", part, o.Var.Name)
		return 0
	}
	return n + part
}

// sink binds operand i as a result.
func (b *binder) sink(i int) sink { return b.sinkOf(b.arg(i)) }

func (b *binder) sinkOf(o *ptx.Operand) sink {
	switch o.Kind {
	case ptx.Discard:
		return sink{}
	case ptx.Register:
		n := b.register(o)
		if b.err != nil {
			return sink{}
		}
		return sink{slot: n, mask: ones(width(o.Var.Type))}
	}
	b.fail(Malformed, "result that is no register")
	return sink{}
}

// pair binds the second result of operand i, if it has one.
func (b *binder) pair(i int) sink {
	if v := b.arg(i).Pair; v != nil {
		return b.sinkOf(&ptx.Operand{Kind: ptx.Register, Var: v})
	}
	return sink{}
}

// list returns the elements of operand i: of a list, of a vector register, or the operand alone.
func (b *binder) list(i int) []ptx.Operand { return elementsOf(b.arg(i)) }

func elementsOf(o *ptx.Operand) []ptx.Operand {
	switch {
	case o.Kind == ptx.List:
		return o.List
	case o.Kind == ptx.Register && o.Part == 0 && o.Var != nil && o.Var.Vector > 1:
		list := make([]ptx.Operand, min(o.Var.Vector, 4))
		for n := range list {
			list[n] = ptx.Operand{Kind: ptx.Register, Var: o.Var, Part: int8(n + 1)}
		}
		return list
	}
	return []ptx.Operand{*o}
}

// address binds the address of a variable or function in its space.
func (b *binder) address(o *ptx.Operand) source {
	if o.Func != nil {
		return source{bits: b.p.functionAddress(o.Func) + o.Value}
	}
	if o.Var == nil {
		b.fail(Malformed, "address of nothing")
		return source{}
	}
	if offset, ok := b.frame[o.Var]; ok {
		offset += o.Value
		return source{find: func(t *thread) uint64 { return uint64(t.base) + offset }}
	}
	for _, known := range []map[*ptx.Var]uint64{b.kernel, b.p.addresses} {
		if a, ok := known[o.Var]; ok {
			return source{bits: a + o.Value}
		}
	}
	b.fail(Unsupported, "address of %s, which the module does not define", o.Var.Name)
	return source{}
}
