package ptxreference

import "jacquard/ptx"

// arithOf returns how the instruction treats floats of a type.
func (b *binder) arithOf(t ptx.Type) arith {
	f := arith{format: formatOf(t), mode: b.in.Round, ftz: b.in.Mods&ptx.Ftz != 0,
		sat: b.in.Mods&ptx.Sat != 0, nan1: b.keepsNaN(), relu: b.in.Mods&ptx.Relu != 0}
	if t == ptx.F32 {
		f.ftz = b.p.flushes(b.in)
	}
	return f
}

// float returns the arithmetic operations on floats.
func (b *binder) float() operation {
	t := b.in.Type
	f := b.arithOf(t)
	op := b.floatOf(f, t)
	switch g := formatOf(b.in.From); {
	case two(t):
		return twiceOver(op)
	case g != nil && g.bits == 16 && op.f != nil:
		return b.mixed(op, g)
	}
	return op
}

// mixed makes an operation take numbers of 16 bits for its operands but the last.
func (b *binder) mixed(op operation, g *format) operation {
	f := op.f
	last := len(op.args) - 1
	for i := range last {
		op.args[i] = b.in.From
	}
	op.f = func(x, y, z, _ uint64) uint64 {
		args := [3]uint64{x, y, z}
		for i := range last {
			args[i] = b.changeFormat(args[i], single, g, ptx.RN, false)
		}
		return f(args[0], args[1], args[2], 0)
	}
	return op
}

// two reports whether a type has two floats.
func two(t ptx.Type) bool { return t == ptx.F16x2 || t == ptx.BF16x2 }

func (b *binder) floatOf(f arith, t ptx.Type) operation {
	switch b.in.Op {
	case ptx.OpAdd:
		return binary(t, func(a, c uint64) uint64 { return f.add(a, c, false) })
	case ptx.OpSub:
		return binary(t, func(a, c uint64) uint64 { return f.add(a, c, true) })
	case ptx.OpMul:
		return binary(t, f.mul)
	case ptx.OpMad, ptx.OpFma:
		if b.in.Op == ptx.OpMad && t == ptx.F32 && b.in.Round == ptx.NoRound && b.p.module.Target.Arch < 20 {
			return ternary(t, func(a, x, c uint64) uint64 { return f.clamp(fmad(a, x, c)) })
		}
		return ternary(t, f.fma)
	case ptx.OpMin, ptx.OpMax:
		return b.extreme(f, t)
	case ptx.OpAbs:
		return unary(t, func(a uint64) uint64 { return f.signed(a, 0) })
	case ptx.OpNeg:
		return unary(t, func(a uint64) uint64 { return f.signed(a, ^a&f.sign()) })
	case ptx.OpCopysign:
		return binary(t, func(a, c uint64) uint64 { return c&^f.sign() | a&f.sign() })
	}
	return b.approximate(f, t)
}

// signed returns a with another sign, or NaN. PTX leaves the NaN of f32 and of 16 bits open: the bit
// of the sign is all that changes, but where subnormal numbers become zeros.
func (f arith) signed(a, sign uint64) uint64 {
	if r, ok := f.nanOf(a); ok && (f.bits == 64 || f.bits == 32 && f.ftz) {
		return r
	}
	return f.in(a)&^f.sign() | sign
}

// extreme returns min and max.
func (b *binder) extreme(f arith, t ptx.Type) operation {
	greater, strict := b.in.Op == ptx.OpMax, b.in.Mods&ptx.NaN != 0
	if b.in.Mods&(ptx.XorSign|ptx.AbsResult) == 0 {
		return binary(t, func(a, c uint64) uint64 { return f.pick(a, c, greater, strict) })
	}
	return binary(t, func(a, c uint64) uint64 {
		r := f.pick(a&^f.sign(), c&^f.sign(), greater, strict)
		if f.isNaN(r) || b.in.Mods&ptx.XorSign == 0 {
			return r
		}
		return r | (a^c)&f.sign()
	})
}

// twiceOver applies an operation to both halves of its operands.
func twiceOver(op operation) operation {
	f := op.f
	if f == nil {
		return op
	}
	op.f = func(a, b, c, d uint64) uint64 {
		low := f(a&0xffff, b&0xffff, c&0xffff, d&0xffff)
		return f(a>>16, b>>16, c>>16, d>>16)<<16 | low&0xffff
	}
	return op
}

// approximate returns division, roots and transcendental functions. Without a rounding, the
// machine defines the f32 ones.
func (b *binder) approximate(f arith, t ptx.Type) operation {
	in, x := b.in, b.p.approx
	exact := in.Mods&(ptx.Approx|ptx.Full) == 0 && (in.Round != ptx.NoRound || t == ptx.F64)
	switch {
	case t == ptx.F64 && in.Op == ptx.OpRsqrt && in.Mods&ptx.Ftz != 0:
		return unary(t, f.ofUpper(x.Rsqrt64))
	case t == ptx.F64 && in.Op == ptx.OpRsqrt:
		return unary(t, f.own64(x.Rsqrt64))
	case t == ptx.F64 && in.Op == ptx.OpRcp && !exact:
		return unary(t, f.ofUpper(x.Rcp64))
	case exact && in.Op == ptx.OpDiv:
		return binary(t, f.div)
	case exact && in.Op == ptx.OpRcp:
		return unary(t, func(a uint64) uint64 { return f.div(f.one(), a) })
	case exact && in.Op == ptx.OpSqrt:
		return unary(t, f.sqrt)
	case t == ptx.F64, f.bits == 16 && in.Op != ptx.OpEx2 && in.Op != ptx.OpTanh:
		return operation{}
	case in.Op == ptx.OpDiv && in.Mods&ptx.Approx == 0: // PTX 1.x has div.f32, which is div.full
		return binary(t, f.own2(x.DivFull))
	case in.Op == ptx.OpDiv:
		return binary(t, f.own2(x.Div))
	}
	own := map[ptx.Op]func(uint32) uint32{ptx.OpRcp: x.Rcp, ptx.OpSqrt: x.Sqrt, ptx.OpRsqrt: x.Rsqrt,
		ptx.OpSin: x.Sin, ptx.OpCos: x.Cos, ptx.OpLg2: x.Lg2, ptx.OpEx2: x.Ex2, ptx.OpTanh: x.Tanh}
	switch g := own[in.Op]; {
	case g == nil:
		return operation{}
	case f.bits == 16:
		return unary(t, f.own16(g))
	default:
		return unary(t, func(a uint64) uint64 {
			return f.own2(func(a, _ uint32) uint32 { return g(a) })(a, 0)
		})
	}
}

// own16 rounds the result of a machine function on a number of 16 bits.
func (f arith) own16(g func(uint32) uint32) func(a uint64) uint64 {
	return func(a uint64) uint64 {
		if r, ok := f.nanOf(a); ok {
			return r
		}
		x := single.encode(f.decode(a), ptx.RN, true)
		return f.out(single.decode(single.flush(uint64(g(uint32(x))))))
	}
}

// own2 wraps a function of the machine with PTX's rules for NaN, subnormal numbers and .sat.
func (f arith) own2(g func(a, b uint32) uint32) func(a, b uint64) uint64 {
	return func(a, b uint64) uint64 {
		if r, ok := f.nanOf(b, a); ok {
			return r
		}
		return f.finish(uint64(g(uint32(f.in(a)), uint32(f.in(b)))))
	}
}

func (f arith) own64(g func(x uint64) uint64) func(a uint64) uint64 {
	return func(a uint64) uint64 {
		if r, ok := f.nanOf(a); ok {
			return r
		}
		return f.finish(g(f.in(a)))
	}
}

// ofUpper computes with upper words alone, and takes subnormal numbers for zeros (PTX ISA,
// "rcp.approx.ftz.f64").
func (f arith) ofUpper(g func(x uint64) uint64) func(a uint64) uint64 {
	const upper = 0xffffffff00000000
	return func(a uint64) uint64 {
		if r := g(f.flush(a) & upper); !f.isNaN(a) && !f.isNaN(r) {
			return f.flush(r & upper)
		}
		return 0x7fffffff00000000
	}
}

// finish makes a result canonical.
func (f arith) finish(r uint64) uint64 {
	if f.isNaN(r) {
		return f.clamp(f.nan)
	}
	return f.clamp(f.in(r))
}
