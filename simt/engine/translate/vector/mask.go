package vector

import "jacquard/simt/engine/translate/x86"

// The predicates of VCMPPS and VCMPPD. All but the last are false for a NaN.
const (
	predicateEqual     = 0x00
	predicateLess      = 0x11
	predicateAtMost    = 0x12
	predicateUnequal   = 0x0c
	predicateOrdered   = 0x07
	predicateUnordered = 0x03
)

// compare emits a comparison of lanes with a fresh mask.
func (b *Builder) compare(op x86.VOp, x Vec, y Source, imm int) Mask {
	m := b.Mask()
	b.threeImm(op, Vec(m), x, y, imm)
	return m
}

func (b *Builder) equal(x Vec, y Source) Mask { return b.compare(x86.VPCMPEQD, x, y, 0) }

// greater compares signed numbers.
func (b *Builder) greater(x Vec, y Source) Mask { return b.compare(x86.VPCMPGTD, x, y, 0) }

func (b *Builder) compareFloat(predicate int, x Vec, y Source) Mask {
	return b.compare(x86.VCMPPS, x, y, predicate)
}

func (b *Builder) unordered(x Vec) Mask { return b.compareFloat(predicateUnordered, x, x) }

// invert complements a mask in place.
func (b *Builder) invert(m Mask) Mask {
	if b.Level == AVX512 {
		b.a.V(x86.Ins{Op: x86.KNOTW, D: uint8(m), RM: x86.K(uint8(m))})
		return m
	}
	return Mask(b.xorIn(Vec(m), b.Literal(ones)))
}

// zeroIn returns the lanes in which x&y is 0.
func (b *Builder) zeroIn(x Vec, y Source) Mask {
	if b.Level == AVX512 {
		return b.compare(x86.VPTESTNMD, x, y, 0)
	}
	return Mask(b.in(x86.VPCMPEQD, b.and(x, y), b.Literal(0)))
}

// nonzero returns the lanes in which x&y is not 0.
func (b *Builder) nonzero(x Vec, y Source) Mask {
	if b.Level == AVX512 {
		return b.compare(x86.VPTESTMD, x, y, 0)
	}
	return b.invert(b.zeroIn(x, y))
}

// sign is the mask of the lanes with their sign bit set; it consumes x. With AVX2 it is x itself:
// only sign bits of the mask count.
func (b *Builder) sign(x Vec) Mask {
	if b.Level == AVX2 {
		return Mask(x)
	}
	m := b.Mask()
	b.two(x86.VPMOVD2M, Vec(m), x)
	b.Free(x)
	return m
}

// signOf is sign of a vector that stays.
func (b *Builder) signOf(x Vec) Mask {
	if b.Level == AVX2 {
		return Mask(b.copy(x))
	}
	m := b.Mask()
	b.two(x86.VPMOVD2M, Vec(m), x)
	return m
}

// join is the union of two masks; it consumes both.
func (b *Builder) join(m, n Mask) Mask { return b.combine(x86.KORW, x86.VPOR, m, n) }

// meet is the intersection of two masks; it consumes both.
func (b *Builder) meet(m, n Mask) Mask { return b.combine(x86.KANDW, x86.VPAND, m, n) }

func (b *Builder) combine(op512, op2 x86.VOp, m, n Mask) Mask {
	b.combineIn(op512, op2, m, m, n)
	b.FreeMask(n)
	return m
}

func (b *Builder) combineIn(op512, op2 x86.VOp, d, m, n Mask) {
	if b.Level == AVX512 {
		b.a.V(x86.Ins{Op: op512, D: uint8(d), S: uint8(m), RM: x86.K(uint8(n))})
	} else {
		b.three(op2, Vec(d), Vec(m), n)
	}
}

// without removes the lanes of n from m.
func (b *Builder) without(m, n Mask) Mask {
	b.combineIn(x86.KANDNW, x86.VPANDN, m, n, m)
	return m
}

// blend is y in the lanes of m and x elsewhere.
func (b *Builder) blend(m Mask, x Vec, y Source) Vec {
	d := b.Vec()
	b.blendTo(d, m, x, y)
	return d
}

func (b *Builder) blendTo(d Vec, m Mask, x Vec, y Source) {
	if b.Level == AVX512 {
		b.under(m, x86.VPBLENDMD, d, x, y)
		return
	}
	b.a.V(x86.Ins{Op: x86.VPBLENDVB, L: x86.Y, D: uint8(d), S: uint8(x), RM: operand(y), M: uint8(m)})
}

// replace puts y in the lanes m of x, and frees m.
func (b *Builder) replace(x Vec, m Mask, y Source) {
	b.blendTo(x, m, x, y)
	b.FreeMask(m)
}

// keepIf clears the lanes of x outside m, and frees m.
func (b *Builder) keepIf(x Vec, m Mask) {
	if b.Level == AVX512 {
		b.a.V(x86.Ins{Op: x86.VMOVDQA32, L: x86.Z, D: uint8(x), RM: x86.V(uint8(x)),
			K: uint8(m), Zero: true})
	} else {
		b.andIn(x, m)
	}
	b.FreeMask(m)
}

// Select is y in the lanes of m and x elsewhere. With AVX2 the lanes of m are all ones or zero.
func (b *Builder) Select(m Mask, x Vec, y Source) Vec { return b.blend(m, x, y) }

// Expand is all ones in the lanes of m and 0 elsewhere. With AVX2, m has that form already.
func (b *Builder) Expand(m Mask) Vec {
	if b.Level == AVX2 {
		return b.copy(Vec(m))
	}
	v := b.Vec()
	b.a.V(x86.Ins{Op: x86.VPMOVM2D, L: x86.Z, D: uint8(v), RM: x86.K(uint8(m))})
	return v
}

// FromBits returns the lanes of a part whose bits are set in a general register, which stays.
func (b *Builder) FromBits(from x86.Reg, part int) Mask {
	if b.Level == AVX512 {
		m := b.Mask()
		if part == 1 {
			b.a.Mov(32, x86.R(x86.RAX), x86.R(from))
			b.a.Shr(32, x86.R(x86.RAX), x86.Imm(16))
			from = x86.RAX
		}
		b.a.V(x86.Ins{Op: x86.KMOVW, D: uint8(m), RM: x86.R(from)})
		return m
	}
	v := b.Vec()
	b.a.V(x86.Ins{Op: x86.VMOVD, D: uint8(v), RM: x86.R(from)})
	b.two(x86.VPBROADCASTD, v, v)
	lanes := b.words(func(i int) uint32 { return 1 << (8*part + i) })
	b.andIn(v, lanes)
	return Mask(b.in(x86.VPCMPEQD, v, lanes))
}

// Collect puts a part's mask at its place in a general register and frees the mask. Parts come in
// ascending order; the first part clears the register. It destroys RAX, which cannot be the
// destination.
func (b *Builder) Collect(m Mask, part int, to x86.Reg) {
	into := x86.RAX
	if part == 0 {
		into = to
	}
	if b.Level == AVX512 {
		b.a.V(x86.Ins{Op: x86.KMOVWR, D: uint8(into), RM: x86.K(uint8(m))})
	} else {
		b.a.V(x86.Ins{Op: x86.VMOVMSKPS, L: x86.Y, D: uint8(into), RM: x86.V(uint8(m))})
	}
	b.FreeMask(m)
	if part > 0 {
		b.a.Shl(32, x86.R(x86.RAX), x86.Imm(int64(part*b.Level.Lanes())))
		b.a.Or(32, x86.R(to), x86.R(x86.RAX))
	}
}

// FromMemory is FromBits of a word in memory.
func (b *Builder) FromMemory(at x86.Operand, part int) Mask {
	if b.Level == AVX512 {
		m := b.Mask()
		b.a.V(x86.Ins{Op: x86.KMOVW, D: uint8(m), RM: at.Disp(int32(2 * part))})
		return m
	}
	v := b.op1(x86.VPBROADCASTB, Mem(at.Disp(int32(part))))
	lanes := b.words(func(i int) uint32 { return 1 << i })
	b.andIn(v, lanes)
	return Mask(b.in(x86.VPCMPEQD, v, lanes))
}
