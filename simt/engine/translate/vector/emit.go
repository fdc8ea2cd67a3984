package vector

import "jacquard/simt/engine/translate/x86"

// operand is a source as the assembler takes it.
func operand(y Source) x86.Operand {
	switch y := y.(type) {
	case Vec:
		return x86.V(uint8(y))
	case Mem:
		return x86.Operand(y)
	case Mask:
		return x86.V(uint8(y))
	}
	panic("vector: no source")
}

// The functions of this file take operands in the order of the manuals: destination first.

// three emits an instruction with two sources.
func (b *Builder) three(op x86.VOp, d, x Vec, y Source) {
	b.a.V(x86.Ins{Op: op, L: b.Level.width(), D: uint8(d), S: uint8(x), RM: operand(y)})
}

// two emits an instruction with one source.
func (b *Builder) two(op x86.VOp, d Vec, y Source) {
	b.a.V(x86.Ins{Op: op, L: b.Level.width(), D: uint8(d), RM: operand(y)})
}

// twoImm is two with an immediate.
func (b *Builder) twoImm(op x86.VOp, d Vec, y Source, imm int) {
	b.a.V(x86.Ins{Op: op, L: b.Level.width(), D: uint8(d), RM: operand(y), Imm: uint8(imm)})
}

// threeImm is three with an immediate.
func (b *Builder) threeImm(op x86.VOp, d, x Vec, y Source, imm int) {
	b.a.V(x86.Ins{Op: op, L: b.Level.width(), D: uint8(d), S: uint8(x), RM: operand(y),
		Imm: uint8(imm)})
}

// rounded is three with embedded rounding, of two registers.
func (b *Builder) rounded(op x86.VOp, d, x, y Vec, r x86.Round) {
	b.a.V(x86.Ins{Op: op, L: b.Level.width(), D: uint8(d), S: uint8(x), RM: x86.V(uint8(y)),
		Round: r})
}

// under is three in the lanes of m; other lanes of d stay. AVX512 only.
func (b *Builder) under(m Mask, op x86.VOp, d, x Vec, y Source) {
	b.a.V(x86.Ins{Op: op, L: x86.Z, D: uint8(d), S: uint8(x), RM: operand(y), K: uint8(m)})
}

// op is an operation with a fresh result.
func (b *Builder) op(op x86.VOp, x Vec, y Source) Vec {
	d := b.Vec()
	b.three(op, d, x, y)
	return d
}

// op1 is op with one source.
func (b *Builder) op1(op x86.VOp, y Source) Vec {
	d := b.Vec()
	b.two(op, d, y)
	return d
}

// in does an operation in place: x is its first source and its result.
func (b *Builder) in(op x86.VOp, x Vec, y Source) Vec {
	b.three(op, x, x, y)
	return x
}

// use is in, and frees y.
func (b *Builder) use(op x86.VOp, x, y Vec) Vec {
	b.three(op, x, x, y)
	b.Free(y)
	return x
}

func (b *Builder) copy(x Vec) Vec { return b.op1(x86.VMOVDQA, x) }

func (b *Builder) and(x Vec, y Source) Vec { return b.op(x86.VPAND, x, y) }
func (b *Builder) or(x Vec, y Source) Vec  { return b.op(x86.VPOR, x, y) }
func (b *Builder) xor(x Vec, y Source) Vec { return b.op(x86.VPXOR, x, y) }
func (b *Builder) add(x Vec, y Source) Vec { return b.op(x86.VPADDD, x, y) }
func (b *Builder) sub(x Vec, y Source) Vec { return b.op(x86.VPSUBD, x, y) }

// notAnd is y &^ x.
func (b *Builder) notAnd(x Vec, y Source) Vec { return b.op(x86.VPANDN, x, y) }

func (b *Builder) andIn(x Vec, y Source) Vec { return b.in(x86.VPAND, x, y) }
func (b *Builder) orIn(x Vec, y Source) Vec  { return b.in(x86.VPOR, x, y) }
func (b *Builder) xorIn(x Vec, y Source) Vec { return b.in(x86.VPXOR, x, y) }
func (b *Builder) addIn(x Vec, y Source) Vec { return b.in(x86.VPADDD, x, y) }
func (b *Builder) subIn(x Vec, y Source) Vec { return b.in(x86.VPSUBD, x, y) }

// shift shifts by an immediate; op is VPSLLDi or one of its kin.
func (b *Builder) shift(op x86.VOp, x Vec, n int) Vec {
	d := b.Vec()
	b.twoImm(op, d, x, n)
	return d
}

// shiftIn is shift in place.
func (b *Builder) shiftIn(op x86.VOp, x Vec, n int) Vec {
	b.twoImm(op, x, x, n)
	return x
}

func (b *Builder) shl(x Vec, n int) Vec { return b.shift(x86.VPSLLDi, x, n) }
func (b *Builder) shr(x Vec, n int) Vec { return b.shift(x86.VPSRLDi, x, n) }
func (b *Builder) sar(x Vec, n int) Vec { return b.shift(x86.VPSRADi, x, n) }

func (b *Builder) shlIn(x Vec, n int) Vec { return b.shiftIn(x86.VPSLLDi, x, n) }
func (b *Builder) shrIn(x Vec, n int) Vec { return b.shiftIn(x86.VPSRLDi, x, n) }
func (b *Builder) sarIn(x Vec, n int) Vec { return b.shiftIn(x86.VPSRADi, x, n) }
