package ssabuild

import (
	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// number is a value inside a scalar video instruction: its lower 32 bits, and the bits above them
// with the sign. A number of more than 64 bits has the nearest upper bits that still compare
// correctly with a word. The type is the type of a word that can hold the number, if there is one.
type number struct {
	lo, hi *ir.Value
	t      ptx.Type
}

// numberOf extends a word by the sign of its type.
func (b *builder) numberOf(v *ir.Value, t ptx.Type) number {
	if ir.Signed(t) {
		return number{v, b.do(ir.ShrS, v, b.word(31)), ptx.S32}
	}
	return number{v, b.word(0), ptx.U32}
}

// lane returns an operand of a scalar video instruction, or the part of it that is named. A sign
// before it is left to vmad.
func (b *builder) lane(o ptx.Operand, t ptx.Type) number {
	o.Neg = false
	at, bits := o.Lane.Field()
	return b.laneOf(b.value(&o, t), at, bits, t)
}

// laneOf returns some bits of a word as a number.
func (b *builder) laneOf(v *ir.Value, at, bits int, t ptx.Type) number {
	if at > 0 {
		v = b.do(ir.ShrU, v, b.word(uint32(at)))
	}
	n := b.numberOf(b.extend(v, laneType(t, bits)), t)
	if bits < 32 {
		n.t = ptx.S32
	}
	return n
}

// laneType returns the type of a lane of a word.
func laneType(t ptx.Type, bits int) ptx.Type {
	switch {
	case bits == 32:
		return t
	case ir.Signed(t):
		return map[int]ptx.Type{8: ptx.S8, 16: ptx.S16}[bits]
	}
	return map[int]ptx.Type{8: ptx.U8, 16: ptx.U16}[bits]
}

// videoTypes returns the types of the result and the sources of a video instruction.
func videoTypes(in *ptx.Instr) (t, from, from2 ptx.Type) {
	switch in.Op {
	case ptx.OpVset, ptx.OpVset2, ptx.OpVset4:
		return ptx.U32, in.Type, in.From
	}
	return in.Type, in.From, in.From2
}

// videoLanes builds a video instruction on two halves or four bytes.
func (b *builder) videoLanes(in *ptx.Instr) {
	t, from, from2 := videoTypes(in)
	n := in.Op.Lanes()
	bits := 32 / n
	words := [2]*ir.Value{b.value(&in.Args[1], ptx.B32), b.value(&in.Args[2], ptx.B32)}
	source := func(arg, i int, t ptx.Type) number {
		k := (arg-1)*n + i
		if l := in.Args[arg].Lane; l != ptx.WholeLane {
			k = l.Part(i)
		}
		return b.laneOf(words[k/n], k%n*bits, bits, t)
	}
	c, kept := b.value(&in.Args[3], ptx.B32), ^uint32(0)
	var parts []*ir.Value
	for i := range n {
		if !in.Args[0].Lane.Has(i) {
			continue
		}
		v := b.primary(in, from, source(1, i, from), source(2, i, from2))
		if v.t = ptx.S32; in.Mods&ptx.Sat != 0 {
			v = b.clamped(v, t, bits)
		}
		if in.Atom == ptx.AtomAdd {
			c = b.do(ir.Add, c, v.lo)
			continue
		}
		field := uint32(1)<<bits - 1
		parts = append(parts, b.do(ir.Shl, b.do(ir.And, v.lo, b.word(field)), b.word(uint32(i*bits))))
		kept &^= field << (i * bits)
	}
	c = b.do(ir.And, c, b.word(kept))
	for _, part := range parts {
		c = b.do(ir.Or, c, part)
	}
	b.result(in, c)
}

// video builds a scalar video instruction.
func (b *builder) video(in *ptx.Instr) {
	t, from, from2 := videoTypes(in)
	x, y := b.lane(in.Args[1], from), b.lane(in.Args[2], from2)
	if in.Op == ptx.OpVmad {
		b.result(in, b.vmad(in, x, y))
		return
	}
	v := b.primary(in, from, x, y)
	at, bits := in.Args[0].Lane.Field()
	if in.Mods&ptx.Sat != 0 {
		v = b.clamped(v, t, bits)
	}
	if len(in.Args) == 3 {
		b.result(in, v.lo)
		return
	}
	c := b.numberOf(b.value(&in.Args[3], t), t)
	switch in.Atom {
	case ptx.AtomAdd:
		v.lo = b.do(ir.Add, v.lo, c.lo)
	case ptx.AtomMin:
		v = b.pick(ir.Min, v, c)
	case ptx.AtomMax:
		v = b.pick(ir.Max, v, c)
	default:
		mask := uint32(1)<<bits - 1
		part := b.do(ir.Shl, b.do(ir.And, v.lo, b.word(mask)), b.word(uint32(at)))
		v.lo = b.do(ir.Or, b.do(ir.And, c.lo, b.word(^(mask<<at))), part)
	}
	b.result(in, v.lo)
}

// primary returns the result of a video instruction on its first two operands, or on a lane of
// them.
func (b *builder) primary(in *ptx.Instr, from ptx.Type, x, y number) number {
	switch in.Op {
	case ptx.OpVadd, ptx.OpVadd2, ptx.OpVadd4:
		return b.wideNumber(ir.Add, x, y)
	case ptx.OpVsub, ptx.OpVsub2, ptx.OpVsub4:
		return b.wideNumber(ir.Sub, x, y)
	case ptx.OpVabsdiff, ptx.OpVabsdiff2, ptx.OpVabsdiff4:
		if x.t == y.t {
			return b.numberOf(b.typed(ir.Sad, x.t, x.lo, y.lo, b.word(0)), ptx.U32)
		}
		d := b.wideNumber(ir.Sub, x, y)
		lo, hi := b.absLong(d.lo, d.hi)
		return number{lo: lo, hi: hi}
	case ptx.OpVmin, ptx.OpVmin2, ptx.OpVmin4:
		return b.pick(ir.Min, x, y)
	case ptx.OpVmax, ptx.OpVmax2, ptx.OpVmax4:
		return b.pick(ir.Max, x, y)
	case ptx.OpVavrg2, ptx.OpVavrg4: // one half is rounded away from zero
		sum := b.do(ir.Add, x.lo, y.lo)
		up := b.do(ir.Add, b.do(ir.ShrS, sum, b.word(31)), b.word(1))
		return number{lo: b.do(ir.ShrS, b.do(ir.Add, sum, up), b.word(1))}
	case ptx.OpVset, ptx.OpVset2, ptx.OpVset4:
		p := b.compareNumbers(in.Cmp, x, y)
		return b.numberOf(b.do(ir.Select, p, b.word(1), b.word(0)), ptx.U32)
	}
	return b.videoShift(in, from, x, y.lo)
}

// videoShift builds vshl and vshr.
func (b *builder) videoShift(in *ptx.Instr, from ptx.Type, x number, n *ir.Value) number {
	right := ir.ShrU
	if ir.Signed(from) {
		right = ir.ShrS
	}
	if in.Mods&ptx.Wrap != 0 {
		n = b.do(ir.And, n, b.word(31))
	} else {
		n = b.typed(ir.Min, ptx.U32, n, b.word(32))
	}
	if in.Op == ptx.OpVshr {
		return number{b.do(right, x.lo, n), x.hi, x.t}
	}
	over := b.do(right, x.lo, b.do(ir.Sub, b.word(32), n))
	return number{lo: b.do(ir.Shl, x.lo, n), hi: b.nearest(over, x.hi)}
}

// nearest returns the upper bits of a number whose sign stands in a word of its own.
func (b *builder) nearest(hi, sign *ir.Value) *ir.Value {
	const most = 1<<31 - 1
	return b.do(ir.Xor, b.typed(ir.Min, ptx.U32, b.do(ir.Xor, hi, sign), b.word(most)), sign)
}

func (b *builder) wideNumber(op ir.Op, x, y number) number {
	lo, hi := b.wide(op, x.lo, x.hi, y.lo, y.hi)
	return number{lo: lo, hi: hi}
}

// compareNumbers returns whether x compares so with y.
func (b *builder) compareNumbers(cmp ptx.Cmp, x, y number) *ir.Value {
	if x.t == y.t && x.t != ptx.NoType {
		return b.compare(cmp, x.t, x.lo, y.lo)
	}
	return b.compareLong(cmp, ptx.S64, x.lo, x.hi, y.lo, y.hi)
}

// pick returns the minimum or the maximum.
func (b *builder) pick(op ir.Op, x, y number) number {
	if x.t == y.t && x.t != ptx.NoType {
		return b.numberOf(b.typed(op, x.t, x.lo, y.lo), x.t)
	}
	p := b.compareNumbers(map[ir.Op]ptx.Cmp{ir.Min: ptx.Lt, ir.Max: ptx.Gt}[op], x, y)
	return number{lo: b.do(ir.Select, p, x.lo, y.lo), hi: b.do(ir.Select, p, x.hi, y.hi)}
}

// clamped returns the nearest number of a type, or of a lane with so many bits.
func (b *builder) clamped(v number, t ptx.Type, bits int) number {
	lo := v.lo
	if v.t != ptx.S32 || bits == 32 {
		sign := b.do(ir.ShrS, v.hi, b.word(31))
		above, end := b.word(0), b.do(ir.Not, sign)
		if ir.Signed(t) || bits < 32 {
			above, end = b.do(ir.ShrS, v.lo, b.word(31)), b.do(ir.Xor, sign, b.word(1<<31-1))
		}
		lo = b.do(ir.Select, b.compare(ptx.Eq, ptx.U32, v.hi, above), v.lo, end)
	}
	if bits < 32 {
		lo = b.typed(ir.Clamp, laneType(t, bits), lo)
		lo.From = ptx.S32
	}
	return b.numberOf(lo, t)
}

// vmad returns the result of vmad: a product, to which the third operand is added with 96 bits.
func (b *builder) vmad(in *ptx.Instr, x, y number) *ir.Value {
	const a, c = 1, 3
	negates := in.Args[a].Neg != in.Args[a+1].Neg
	t, top := ptx.U32, b.word(0)
	lo, hi := b.product(t, x.lo, y.lo)
	hi = b.do(ir.Sub, b.do(ir.Sub, hi, b.do(ir.And, x.hi, y.lo)), b.do(ir.And, y.hi, x.lo))
	if ir.Signed(in.From) || ir.Signed(in.From2) {
		t, top = ptx.S32, b.do(ir.ShrS, hi, b.word(31))
	}
	if negates {
		t = ptx.S32
	}
	z := b.lane(in.Args[c], t)
	product, addend := [3]*ir.Value{lo, hi, top}, [3]*ir.Value{z.lo, z.hi, z.hi}
	switch {
	case in.Mods&ptx.PlusOne != 0:
		for i, w := range addend {
			addend[i] = b.do(ir.Not, w) // -c - 1
		}
		product = b.sum96(ir.Sub, product, addend)
	case negates:
		product = b.sum96(ir.Sub, addend, product)
	case in.Args[c].Neg:
		t = ptx.S32
		product = b.sum96(ir.Sub, product, addend)
	default:
		product = b.sum96(ir.Add, product, addend)
	}
	v := b.scaled(in, product)
	if in.Mods&ptx.Sat != 0 {
		v = b.clamped(v, t, 32)
	}
	return v.lo
}

// sum96 adds or subtracts numbers of three words.
func (b *builder) sum96(op ir.Op, x, y [3]*ir.Value) (r [3]*ir.Value) {
	r[0], r[1] = b.wide(op, x[0], x[1], y[0], y[1])
	if op == ir.Sub {
		y[2] = b.do(ir.Not, y[2])
	}
	r[2] = b.do(ir.AddC, x[2], y[2], r[1])
	return r
}

// scaled shifts a sum of vmad to the right.
func (b *builder) scaled(in *ptx.Instr, w [3]*ir.Value) number {
	n := uint32(0)
	switch {
	case in.Mods&ptx.Shr7 != 0:
		n = 7
	case in.Mods&ptx.Shr15 != 0:
		n = 15
	}
	w[0], _ = b.shiftConst(ir.ShrU, w[0], w[1], n)
	w[1], w[2] = b.shiftConst(ir.ShrS, w[1], w[2], n)
	return number{lo: w[0], hi: b.nearest(w[1], w[2])}
}
