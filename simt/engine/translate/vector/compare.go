package vector

import "jacquard/simt/engine/translate/x86"

// A comparison's cmp is the set of answers that count as true: bit 0 less, bit 1 equal, bit 2
// greater, and for floating point bit 3 unordered.

// relations are the immediates of VPCMPD by cmp.
var relations = [8]uint8{
	x86.CmpFalse, x86.CmpLT, x86.CmpEQ, x86.CmpLE, x86.CmpGT, x86.CmpNE, x86.CmpGE, x86.CmpTrue,
}

// predicates are the immediates of VCMPPS by cmp.
var predicates = [16]uint8{
	0x0b, 0x11, 0x00, 0x12, 0x1e, 0x0c, 0x1d, 0x07,
	0x03, 0x19, 0x08, 0x1a, 0x16, 0x04, 0x15, 0x0f,
}

// CompareU returns the lanes in which the unsigned comparison of x and y is in cmp.
func (b *Builder) CompareU(x, y Vec, cmp uint8) Mask {
	if b.Level == AVX512 {
		return b.compare(x86.VPCMPUD, x, y, int(relations[cmp&7]))
	}
	switch cmp & 7 {
	case 1, 4:
		p, q := b.xor(x, b.Literal(sign32)), b.xor(y, b.Literal(sign32))
		if cmp&1 != 0 {
			b.three(x86.VPCMPGTD, p, q, p)
		} else {
			b.three(x86.VPCMPGTD, p, p, q)
		}
		b.Free(q)
		return Mask(p)
	case 3:
		return Mask(b.in(x86.VPCMPEQD, b.op(x86.VPMINUD, x, y), x))
	case 6:
		return Mask(b.in(x86.VPCMPEQD, b.op(x86.VPMAXUD, x, y), x))
	}
	return b.CompareS(x, y, cmp)
}

// CompareS is CompareU of signed words.
func (b *Builder) CompareS(x, y Vec, cmp uint8) Mask {
	if b.Level == AVX512 {
		return b.compare(x86.VPCMPD, x, y, int(relations[cmp&7]))
	}
	switch cmp & 7 {
	case 1:
		return b.greater(y, x)
	case 2:
		return b.equal(x, y)
	case 3:
		return b.invert(b.greater(x, y))
	case 4:
		return b.greater(x, y)
	case 5:
		return b.invert(b.equal(x, y))
	case 6:
		return b.invert(b.greater(y, x))
	case 7:
		return Mask(b.Constant(ones))
	}
	return Mask(b.Constant(0))
}

// FCompare returns the lanes in which the comparison of the f32 x and y is in cmp.
func (b *Builder) FCompare(x Vec, y Source, cmp uint8) Mask {
	b.Mode(ModeFloat)
	return b.compareFloat(int(predicates[cmp&15]), x, y)
}

// DCompare returns the lanes in which the comparison of the f64 x and y is in cmp.
func (b *Builder) DCompare(x, y Pair, cmp uint8) Mask {
	b.Mode(ModeDouble)
	var half [2]Vec
	for h := range half {
		p, q := b.join64(x, h), b.join64(y, h)
		m := b.compare(x86.VCMPPD, p, q, int(predicates[cmp&15]))
		b.Free(q)
		if b.Level == AVX512 {
			b.a.V(x86.Ins{Op: x86.VPMOVM2Q, L: x86.Z, D: uint8(p), RM: x86.K(uint8(m))})
			b.FreeMask(m)
		} else {
			b.Free(p)
			p = Vec(m)
		}
		half[h] = p
	}
	b.threeImm(x86.VSHUFPS, half[0], half[0], half[1], 0x88)
	b.Free(half[1])
	return b.sign(half[0])
}
