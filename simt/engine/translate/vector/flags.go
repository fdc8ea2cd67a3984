package vector

import "jacquard/simt/engine/translate/x86"

// The registers in which the methods named ...Flags leave the flags of a row: bit i is lane i's.
// Such a method takes one part; parts come in ascending order. Between two parts RAX, RCX and RDX
// may change. Methods that say "Z and S" do not touch C and O, which the machine then clears.
const (
	RegZ = x86.R8
	RegS = x86.R9
	RegC = x86.R10
	RegO = x86.R11
)

// Sum is a variant of the adder.
type Sum uint8

// The variants: x + y, x - y and x + y + carry.
const (
	SumAdd Sum = iota
	SumSub
	SumCarry
)

// ResultFlags collects Z and S of integer results of 16 or 32 bits.
func (b *Builder) ResultFlags(x Vec, width, part int) {
	v := b.up(x, width)
	b.Collect(b.zeroOf(v), part, RegZ)
	b.Collect(b.signOf(v), part, RegS)
	b.down(width, v)
}

// zeroOf returns the lanes in which x is 0.
func (b *Builder) zeroOf(x Vec) Mask {
	if b.Level == AVX512 {
		return b.compare(x86.VPTESTNMD, x, x, 0)
	}
	return b.equal(x, b.Literal(0))
}

// up returns x moved to the top of its lanes: there the sign is the sign bit, and carry and
// overflow leave the lane. down frees it; 32 bits are at the top already.
func (b *Builder) up(x Vec, width int) Vec {
	if width == 32 {
		return x
	}
	return b.shl(x, 32-width)
}

// down frees results of up.
func (b *Builder) down(width int, list ...Vec) {
	if width != 32 {
		b.Free(list...)
	}
}

// sum returns the sum of operands that up moved. The lanes of carry count for SumCarry alone.
func (b *Builder) sum(how Sum, width int, x, y Vec, carry Mask) Vec {
	if how == SumSub {
		return b.sub(x, y)
	}
	s := b.add(x, y)
	switch {
	case how == SumAdd:
	case b.Level == AVX512:
		b.under(carry, x86.VPADDD, s, s, b.Literal(1<<(32-width)))
	case width == 32:
		b.in(x86.VPSUBD, s, carry)
	default:
		b.use(x86.VPADDD, s, b.and(Vec(carry), b.Literal(1<<(32-width))))
	}
	return s
}

// AddCarry is x + y + 1 in the lanes of carry, and x + y elsewhere.
func (b *Builder) AddCarry(x, y Vec, carry Mask) Vec { return b.sum(SumCarry, 32, x, y, carry) }

// logic3 is a function of three bits: bit x<<2 | y<<1 | z of its table. AVX512 only.
func (b *Builder) logic3(x, y Vec, z Source, table int) Vec {
	d := b.copy(x)
	b.threeImm(x86.VPTERNLOGD, d, y, z, table)
	return d
}

// SumFlags collects the flags of a sum of 16 or 32 bits. sat says that the result is clamped: Z and
// S then describe the clamped value. carry counts for SumCarry alone.
func (b *Builder) SumFlags(how Sum, width int, sat bool, x, y Vec, carry Mask, part int) {
	x, y = b.up(x, width), b.up(y, width)
	s := b.sum(how, width, x, y, carry)
	b.Collect(b.carryOut(how, x, y, s), part, RegC)
	over := b.overflow(how, x, y, s)
	b.down(width, x, y)
	zero := b.zeroOf(s)
	sign := b.sign(s)
	if sat {
		// A clamped sum has the sign of its operands, and is not zero.
		b.combineIn(x86.KXORW, x86.VPXOR, sign, sign, over)
		b.without(zero, over)
	}
	b.Collect(over, part, RegO)
	b.Collect(zero, part, RegZ)
	b.Collect(sign, part, RegS)
}

// carryOut returns the lanes in which a sum carries. A difference carries if it does not borrow. A
// sum with a carry does if both addends have the top bit set, or if one has and the sum has not.
func (b *Builder) carryOut(how Sum, x, y, s Vec) Mask {
	switch {
	case how == SumSub:
		return b.CompareU(x, y, 1<<1|1<<2)
	case how == SumAdd:
		return b.CompareU(s, x, 1<<0)
	case b.Level == AVX512:
		const majority = 0xd4 // of x, y and ^s
		return b.sign(b.logic3(x, y, s, majority))
	}
	either := b.or(x, y)
	b.three(x86.VPANDN, either, s, either)
	return b.sign(b.use(x86.VPOR, either, b.and(x, y)))
}

// overflow returns the lanes in which a sum's sign differs from both addends', or a difference's
// sign and y's sign both differ from x's.
func (b *Builder) overflow(how Sum, x, y, s Vec) Mask {
	if b.Level == AVX512 {
		table := 0x42
		if how == SumSub {
			table = 0x18
		}
		return b.sign(b.logic3(x, y, s, table))
	}
	p := b.xor(x, s)
	if how == SumSub {
		return b.sign(b.use(x86.VPAND, p, b.xor(x, y)))
	}
	return b.sign(b.use(x86.VPAND, p, b.xor(y, s)))
}

// SumSat is a sum clamped to the signed range of 16 or 32 bits. A result of 16 bits is
// zero-extended. carry counts for SumCarry alone.
func (b *Builder) SumSat(how Sum, width int, x, y Vec, carry Mask) Vec {
	x, y = b.up(x, width), b.up(y, width)
	s := b.sum(how, width, x, y, carry)
	over := b.overflow(how, x, y, s)
	if b.Level == AVX2 {
		over = Mask(b.sarIn(Vec(over), 31))
	}
	limit := b.xorIn(b.sar(x, 31), b.Literal(1<<31-1)) // the largest number of the sign
	b.replace(s, over, limit)
	b.Free(limit)
	b.down(width, x, y)
	if width != 32 {
		b.shrIn(s, 32-width)
	}
	return s
}
