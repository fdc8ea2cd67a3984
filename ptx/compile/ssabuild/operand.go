package ssabuild

import (
	"math"

	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// first returns the first variable of a register.
func (b *builder) first(r *ptx.Var) variable { return b.frame.first[r.Index] }

// element returns the first variable of a register, or of the element of a vector register.
func (b *builder) element(o *ptx.Operand) variable {
	x := b.first(o.Var)
	if o.Part > 1 {
		x += variable(o.Part-1) * variable(words(b.typeOf(o.Var.Type)))
	}
	return x
}

// elementsOf returns the elements of an operand: of a list, of a vector register that is named as a
// whole, or the operand alone.
func elementsOf(o *ptx.Operand) []ptx.Operand {
	switch {
	case o.Kind == ptx.List:
		return o.List
	case o.Kind == ptx.Register && o.Part == 0 && o.Var.Vector > 1:
		list := make([]ptx.Operand, o.Var.Vector)
		for i := range list {
			list[i] = ptx.Operand{Kind: ptx.Register, Var: o.Var, Part: int8(i + 1), Pos: o.Pos}
		}
		return list
	}
	return []ptx.Operand{*o}
}

// listed returns a vector register that is named as a whole as a list, and any other operand as it
// is.
func listed(o ptx.Operand) ptx.Operand {
	if all := elementsOf(&o); len(all) > 1 {
		return ptx.Operand{Kind: ptx.List, List: all, Pos: o.Pos}
	}
	return o
}

// words returns how many variables a type takes.
func words(t ptx.Type) int {
	if t.Bits() == 64 {
		return 2
	}
	return 1
}

// wordsOf returns how many variables a register takes; a vector takes the sum of its elements.
func (b *builder) wordsOf(r *ptx.Var) int { return words(b.typeOf(r.Type)) * max(r.Vector, 1) }

// value returns an operand of at most 32 bits, of type t. The bits above t are anything.
func (b *builder) value(o *ptx.Operand, t ptx.Type) *ir.Value {
	lo, _ := b.both(o, t)
	return lo
}

// long returns an operand of 64 bits as a Long.
func (b *builder) long(o *ptx.Operand, t ptx.Type) *ir.Value { return b.pack(b.both(o, t)) }

// pack makes a Long of two Words.
func (b *builder) pack(lo, hi *ir.Value) *ir.Value {
	if lo.Op == ir.Low && hi.Op == ir.High && lo.Args[0] == hi.Args[0] {
		return lo.Args[0]
	}
	return b.add(ir.Pack, ir.Long, lo, hi)
}

// unpack returns the Words of a Long.
func (b *builder) unpack(v *ir.Value) (lo, hi *ir.Value) {
	if v.Op == ir.Pack {
		return v.Args[0], v.Args[1]
	}
	return b.do(ir.Low, v), b.do(ir.High, v)
}

// both returns the lower and upper Word of an operand; the upper only for 64 bits.
func (b *builder) both(o *ptx.Operand, t ptx.Type) (lo, hi *ir.Value) {
	switch o.Kind {
	case ptx.Register:
		return b.registerValue(o, t)
	case ptx.Immediate:
		return b.immediate(o, t)
	case ptx.SpecialReg:
		return b.special(o.Special, t)
	case ptx.Symbol, ptx.Address:
		return b.symbol(o), b.word(0)
	case ptx.List:
		return b.joined(o, t)
	}
	b.fail("an operand of this kind has no value here")
	return b.undef(), b.word(0)
}

func (b *builder) registerValue(o *ptx.Operand, t ptx.Type) (lo, hi *ir.Value) {
	x := b.element(o)
	lo = b.get(x)
	if words(b.typeOf(o.Var.Type)) == 2 {
		hi = b.get(x + 1)
	}
	if hi == nil && t.Bits() == 64 {
		hi = b.word(0)
	}
	switch {
	case o.Neg:
		return b.negated(lo, hi, t)
	case o.Value == 0:
		return lo, hi
	case hi == nil:
		return b.plus(lo, o.Value), nil
	}
	return b.wide(ir.Add, lo, hi, b.word(uint32(o.Value)), b.word(uint32(o.Value>>32)))
}

// negated returns the opposite of an operand of type t: a float with the other sign.
func (b *builder) negated(lo, hi *ir.Value, t ptx.Type) (*ir.Value, *ir.Value) {
	switch {
	case b.typeOf(t) == ptx.F32:
		return b.do(ir.FNeg, lo), hi
	case t == ptx.F64:
		return lo, b.do(ir.Xor, hi, b.word(1<<31))
	case pair(t):
		return b.do(ir.Xor, lo, b.word(halfSign<<16|halfSign)), hi
	case halfOf(t) != nil:
		return b.do(ir.Xor, lo, b.word(halfSign)), hi
	case hi == nil:
		return b.do(ir.Neg, lo), nil
	}
	return b.wide(ir.Sub, b.word(0), b.word(0), lo, hi)
}

func (b *builder) immediate(o *ptx.Operand, t ptx.Type) (lo, hi *ir.Value) {
	v := o.Value
	if t == ptx.F64 && b.m.Target.MapF64 {
		x := float32(math.Float64frombits(v))
		v = uint64(math.Float32bits(x))
		if x != x {
			v = nan32
		}
	}
	return b.word(uint32(v)), b.word(uint32(v >> 32))
}

// joined returns the value of {a, b}: a mov that packs.
func (b *builder) joined(o *ptx.Operand, t ptx.Type) (lo, hi *ir.Value) {
	n := len(o.List)
	if n == 0 || t.Bits()%n != 0 {
		b.fail("a vector of %d elements does not make %d bits", n, t.Bits())
		return b.undef(), b.word(0)
	}
	each := t.Bits() / n
	var w [2]*ir.Value
	for i := range o.List {
		part := b.value(&o.List[i], bitsType(each))
		if each == 64 {
			return b.both(&o.List[i], t)
		}
		at := i * each
		part = b.shifted(part, each, at%32)
		if w[at/32] == nil {
			w[at/32] = part
		} else {
			w[at/32] = b.do(ir.Or, w[at/32], part)
		}
	}
	return w[0], w[1]
}

// shifted returns the lower bits of v, moved up.
func (b *builder) shifted(v *ir.Value, bits, up int) *ir.Value {
	if bits+up < 32 {
		v = b.extend(v, bitsType(bits))
	}
	if up > 0 {
		v = b.do(ir.Shl, v, b.word(uint32(up)))
	}
	return v
}

// bitsType returns the untyped type of a width.
func bitsType(bits int) ptx.Type {
	switch bits {
	case 8:
		return ptx.B8
	case 16:
		return ptx.B16
	case 32:
		return ptx.B32
	}
	return ptx.B64
}

// extend extends a value of type t to all bits of a Word.
func (b *builder) extend(v *ir.Value, t ptx.Type) *ir.Value {
	switch {
	case t == ptx.S8:
		return b.do(ir.SExt8, v)
	case t == ptx.S16:
		return b.do(ir.SExt16, v)
	case t.Bits() == 8:
		return b.do(ir.ZExt8, v)
	case t.Bits() == 16:
		return b.do(ir.ZExt16, v)
	}
	return v
}

// extended returns an operand of at most 32 bits with all bits of the Word defined.
func (b *builder) extended(o *ptx.Operand, t ptx.Type) *ir.Value {
	if o.Kind == ptx.Immediate {
		return b.word(extendConst(uint32(o.Value), t))
	}
	return b.extend(b.value(o, t), t)
}

// extendConst extends a number of type t to all bits of a Word.
func extendConst(x uint32, t ptx.Type) uint32 {
	switch {
	case t == ptx.S8:
		return uint32(int32(int8(x)))
	case t == ptx.S16:
		return uint32(int32(int16(x)))
	case t.Bits() == 8:
		return uint32(uint8(x))
	case t.Bits() == 16:
		return uint32(uint16(x))
	}
	return x
}

// predicate returns an operand that is a predicate.
func (b *builder) predicate(o *ptx.Operand) *ir.Value {
	if o.Kind == ptx.Immediate {
		return b.f.Const(ir.Pred, o.Value&1)
	}
	if o.Var == nil || o.Var.Type != ptx.Pred {
		b.fail("a predicate is wanted here")
		return b.f.Const(ir.Pred, 0)
	}
	p := b.get(b.first(o.Var))
	if o.Not {
		p = b.add(ir.Not, ir.Pred, p)
	}
	return p
}

// assign writes a result of one or two Words to an operand of type t. A register wider than the
// type takes the value extended.
func (b *builder) assign(o *ptx.Operand, t ptx.Type, lo, hi *ir.Value) {
	switch o.Kind {
	case ptx.Discard:
		return
	case ptx.List:
		b.scatter(o, t, lo, hi)
		return
	case ptx.Register:
	default:
		b.fail("a result needs a register")
		return
	}
	x := b.element(o)
	if width := b.typeOf(o.Var.Type).Bits(); width > t.Bits() && t.Bits() > 1 {
		lo, hi = b.widened(lo, hi, t, width)
	}
	b.set(x, lo)
	if words(b.typeOf(o.Var.Type)) == 2 {
		if hi == nil {
			hi = b.word(0)
		}
		b.set(x+1, hi)
	}
}

// widened extends a result of type t to a register of more bits.
func (b *builder) widened(lo, hi *ir.Value, t ptx.Type, width int) (*ir.Value, *ir.Value) {
	if t.Bits() < 32 {
		lo = b.extend(lo, t)
	}
	if width == 64 {
		hi = b.word(0)
		if ir.Signed(t) {
			hi = b.do(ir.ShrS, lo, b.word(31))
		}
	}
	return lo, hi
}

// scatter writes the parts of a value to the elements of {a, b}: a mov that unpacks.
func (b *builder) scatter(o *ptx.Operand, t ptx.Type, lo, hi *ir.Value) {
	n := len(o.List)
	if n == 0 || t.Bits()%n != 0 {
		b.fail("%d bits do not make a vector of %d elements", t.Bits(), n)
		return
	}
	each := t.Bits() / n
	w := [2]*ir.Value{lo, hi}
	for i := range o.List {
		at := i * each
		part := w[at/32]
		if at%32 > 0 {
			part = b.do(ir.ShrU, part, b.word(uint32(at%32)))
		}
		b.assign(&o.List[i], bitsType(each), part, nil)
	}
}

// result is assign for a value of at most 32 bits.
func (b *builder) result(in *ptx.Instr, v *ir.Value) { b.assign(&in.Args[0], in.Type, v, nil) }

// resultLong is assign for a Long.
func (b *builder) resultLong(in *ptx.Instr, v *ir.Value) {
	lo, hi := b.unpack(v)
	b.assign(&in.Args[0], in.Type, lo, hi)
}
