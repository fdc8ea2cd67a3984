package simt

import (
	"jacquard/simt/lane"
	"jacquard/tesla"
)

func resultFlags(b *Block, u *uop, d lane.Rows, s *lane.Sel) {
	b.p.lanes.ResultFlags(b.flags[u.cdst], d, int(u.width), s)
}

// adder prepares u for Block.add. It reports whether the kernel in u.k2 is all there
// is to it, with the operands swapped for subr.
func (l *lowerer) adder(u *uop, in *tesla.Instruction) (plain bool) {
	u.sat = in.Mods&tesla.Sat != 0
	u.k2 = l.k.Add
	if in.Arith == tesla.Sub || in.Arith == tesla.SubR {
		u.k2 = l.k.Sub
	}
	return !u.sat && in.CDst == tesla.NoCond && in.Arith != tesla.AddC
}

// add is the adder of isa/semantics.md 2.1: all of add, sub, subr and addc, with
// saturation and flags.
func (b *Block) add(u *uop, a, c lane.Rows, s *lane.Sel) {
	if u.arith == tesla.SubR {
		a, c = c, a
	}
	k, width := b.p.lanes, int(u.width)
	var carry []lane.Flags
	if u.arith == tesla.AddC {
		carry = b.carry[:b.warps]
		copy(carry, b.flags[u.cin]) // the flags written may be those read
	}
	if u.cdst != noCond { // before the kernel: the result may replace a or c
		f := b.flags[u.cdst]
		switch u.arith {
		case tesla.Add:
			k.AddFlags(f, a, c, width, u.sat, s)
		case tesla.AddC:
			k.AddCarryFlags(f, a, c, carry, width, u.sat, s)
		default:
			k.SubFlags(f, a, c, width, u.sat, s)
		}
	}
	d := b.result(u)
	switch {
	case u.arith == tesla.AddC && u.sat:
		k.AddCarrySat(d, a, c, carry, width, s)
	case u.arith == tesla.AddC:
		k.AddCarry(d, a, c, carry, s)
	case u.arith == tesla.Add && u.sat:
		k.AddSat(d, a, c, width, s)
	case u.sat:
		k.SubSat(d, a, c, width, s)
	default:
		u.k2(d, a, c, s)
	}
	b.store(u, d, s)
}

func lowerIAdd(l *lowerer, u *uop, in *tesla.Instruction) {
	u.width = widthOf(in.Type)
	first, second := 0, 1
	u.exec = execIAdd
	if l.adder(u, in) {
		u.exec = exec2
		if in.Arith == tesla.SubR {
			first, second = 1, 0
		}
	}
	l.source(u, first, &in.Src[0], false, false)
	l.source(u, second, &in.Src[1], false, false)
	l.dest(u, &in.Dst)
}

func execIAdd(b *Block, u *uop, s *lane.Sel) bool {
	a, c := b.source(u, 0, s), b.source(u, 1, s)
	if b.raised != nil {
		return false
	}
	b.add(u, a, c, s)
	return true
}

// factors lowers the two factors of a product and returns the kernel that multiplies
// them. 16-bit factors are extended by their own signedness, after which one 32-bit
// multiplication serves all four combinations.
func (l *lowerer) factors(u *uop, in *tesla.Instruction) lane.Binary {
	width := widthOf(in.Type)
	u.width = width
	for i := range 2 {
		l.source(u, i, &in.Src[i], in.Src[i].As == tesla.S16, false)
	}
	u.width = 32
	high := in.Mods&tesla.High != 0
	switch {
	case width == 16:
		return l.k.Mul
	case in.Type == tesla.S24 && high:
		return l.k.Mul24HiS
	case in.Type == tesla.S24:
		return l.k.Mul24LoS
	case high:
		return l.k.Mul24HiU
	default:
		return l.k.Mul24LoU
	}
}

// halves reports whether both factors are unsigned halves of registers that the kernel
// owns. If so, the sources become the whole registers, for a kernel that knows which half.
func (l *lowerer) halves(u *uop) (aHigh, bHigh, ok bool) {
	for i := range 2 {
		x := &u.src[i]
		if x.mode != srcLow && x.mode != srcHigh || x.signed || int(x.index) >= l.p.Kernel.Registers {
			return false, false, false
		}
	}
	aHigh, bHigh = u.src[0].mode == srcHigh, u.src[1].mode == srcHigh
	u.src[0].mode, u.src[1].mode = srcReg, srcReg
	return aHigh, bHigh, true
}

func lowerIMul(l *lowerer, u *uop, in *tesla.Instruction) {
	u.exec, u.k2 = exec2, l.factors(u, in)
	if aHigh, bHigh, ok := l.halves(u); ok {
		u.k2 = l.k.MulHalves(aHigh, bHigh)
	}
	l.dest(u, &in.Dst)
	u.flagged(in, resultFlags)
}

func lowerIMad(l *lowerer, u *uop, in *tesla.Instruction) {
	u.product = l.factors(u, in)
	l.source(u, 2, &in.Src[2], false, false)
	l.dest(u, &in.Dst)
	u.exec = execIMad
	if l.adder(u, in) && in.Arith == tesla.Add && widthOf(in.Type) == 16 {
		u.exec, u.k3 = exec3, l.k.MulAdd
		if aHigh, bHigh, ok := l.halves(u); ok {
			u.k3 = l.k.MulAddHalves(aHigh, bHigh)
		}
	}
}

func lowerISad(l *lowerer, u *uop, in *tesla.Instruction) {
	signed := in.Type == tesla.S16 || in.Type == tesla.S32
	u.width = widthOf(in.Type)
	l.source(u, 0, &in.Src[0], signed, false)
	l.source(u, 1, &in.Src[1], signed, false)
	u.width = 32
	l.source(u, 2, &in.Src[2], false, false)
	l.dest(u, &in.Dst)
	l.adder(u, in)
	u.exec, u.product = execIMad, l.k.AbsDiffU
	if signed {
		u.product = l.k.AbsDiffS
	}
}

// execIMad computes a product, or an absolute difference, and adds the third source.
func execIMad(b *Block, u *uop, s *lane.Sel) bool {
	a, c, e := b.source(u, 0, s), b.source(u, 1, s), b.source(u, 2, s)
	if b.raised != nil {
		return false
	}
	p := b.scratch(tmpExtra)
	u.product(p, a, c, b.loose(s))
	b.add(u, p, e, s)
	return true
}

func (l *lowerer) pair(u *uop, in *tesla.Instruction) (signed bool) {
	signed = in.Type == tesla.S16 || in.Type == tesla.S32
	u.width = widthOf(in.Type)
	l.source(u, 0, &in.Src[0], signed, false)
	l.source(u, 1, &in.Src[1], signed, false)
	l.dest(u, &in.Dst)
	return signed
}

func lowerMinMax(kernels func(k *lane.Kernels) (unsigned, signed lane.Binary)) func(*lowerer, *uop, *tesla.Instruction) {
	return func(l *lowerer, u *uop, in *tesla.Instruction) {
		unsigned, signed := kernels(l.k)
		u.exec, u.k2 = exec2, unsigned
		if l.pair(u, in) {
			u.k2 = signed
		}
		u.flagged(in, resultFlags)
	}
}

func lowerLogic(l *lowerer, u *uop, in *tesla.Instruction) {
	l.pair(u, in)
	u.flagged(in, resultFlags)
	u.exec = exec2
	switch in.Logic {
	case tesla.And:
		u.k2 = l.k.And
	case tesla.Or:
		u.k2 = l.k.Or
	case tesla.Xor:
		u.k2 = l.k.Xor
	default:
		// The first operand is fetched all the same: it may fault, or move its address register.
		u.k2 = func(d, _, b lane.Rows, s *lane.Sel) { l.k.Move(d, b, s) }
	}
}

func lowerShift(l *lowerer, u *uop, in *tesla.Instruction) {
	signed := l.pair(u, in)
	l.source(u, 1, &in.Src[1], false, false) // counts are unsigned
	u.k2, u.shiftFlags = l.k.Shl, l.k.ShlFlags
	if in.Op == tesla.OpShr {
		u.k2, u.shiftFlags = l.k.ShrU, l.k.ShrUFlags
		if signed {
			u.k2, u.shiftFlags = l.k.ShrS, l.k.ShrSFlags
		}
	}
	u.exec = exec2
	if in.CDst != tesla.NoCond {
		u.exec = execShift
	}
}

// execShift is a shift that writes flags: they need the operand and the count.
func execShift(b *Block, u *uop, s *lane.Sel) bool {
	a, n := b.source(u, 0, s), b.source(u, 1, s)
	if b.raised != nil {
		return false
	}
	u.shiftFlags(b.flags[u.cdst], a, n, int(u.width), s)
	d := b.result(u)
	u.k2(d, a, n, s)
	b.store(u, d, s)
	return true
}

func lowerISet(l *lowerer, u *uop, in *tesla.Instruction) {
	u.compare = l.k.CompareU
	if l.pair(u, in) {
		u.compare = l.k.CompareS
	}
	u.exec = execSet
}

// execSet answers a comparison: all ones or zero, and flags that say which.
func execSet(b *Block, u *uop, s *lane.Sel) bool {
	a, c := b.source(u, 0, s), b.source(u, 1, s)
	if b.raised != nil {
		return false
	}
	u.compare(&b.holds, a, c, uint8(u.ins.Cmp), s)
	b.answer(u, s)
	return true
}

// answer stores the outcome of a comparison, which is in b.holds.
func (b *Block) answer(u *uop, s *lane.Sel) {
	if u.dst.mode != dstNone {
		d := b.result(u)
		b.p.lanes.Expand(d, &b.holds, s)
		b.store(u, d, s)
	}
	if u.cdst != noCond {
		lane.MaskFlags(b.flags[u.cdst], &b.holds, s)
	}
}
