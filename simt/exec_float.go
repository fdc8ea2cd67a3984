package simt

import (
	"jacquard/simt/lane"
	"jacquard/tesla"
)

func floatFlags(b *Block, u *uop, d lane.Rows, s *lane.Sel) {
	b.p.lanes.FFlags(b.flags[u.cdst], d, s)
}

// lowerFloat2 lowers an operation on two f32 sources, with its kernels for rounding to
// nearest and towards zero: the only modes there are.
func lowerFloat2(kernels func(k *lane.Kernels) (nearest, zero lane.Binary)) func(*lowerer, *uop, *tesla.Instruction) {
	return func(l *lowerer, u *uop, in *tesla.Instruction) {
		l.source(u, 0, &in.Src[0], false, true)
		l.source(u, 1, &in.Src[1], false, true)
		l.dest(u, &in.Dst)
		nearest, zero := kernels(l.k)
		u.k2 = nearest
		if in.Round == tesla.RZ {
			u.k2 = zero
		}
		u.flagged(in, floatFlags)
		u.exec = exec2
		u.clamp = in.Mods&tesla.Sat != 0
	}
}

// lowerFAdd has a subtraction do what changing a source's sign would.
func lowerFAdd(l *lowerer, u *uop, in *tesla.Instruction) {
	lowerFloat2(func(k *lane.Kernels) (nearest, zero lane.Binary) { return k.FAddRN, k.FAddRZ })(l, u, in)
	if in.Round == tesla.RZ {
		return
	}
	for i := range 2 {
		if u.src[i].unsign() {
			u.src[0], u.src[1] = u.src[1-i], u.src[i]
			u.k2 = l.k.FSubRN
			return
		}
	}
}

// unsign takes from a source that its sign is changed, and reports whether there was anything to take. In a launch-wide row it
// costs nothing.
func (x *source) unsign() bool {
	if x.mode == srcRow || x.fix&fixNeg == 0 {
		return false
	}
	x.fix &^= fixNeg
	return true
}

// lowerFMad has another kernel change a sign.
func lowerFMad(l *lowerer, u *uop, in *tesla.Instruction) {
	for i := range 3 {
		l.source(u, i, &in.Src[i], false, true)
	}
	l.dest(u, &in.Dst)
	switch {
	case u.src[2].unsign():
		u.k3 = l.k.FMsub
	case u.src[0].unsign() || u.src[1].unsign():
		u.k3 = l.k.FNmad
	default:
		u.k3 = l.k.FMad
	}
	u.flagged(in, floatFlags)
	u.exec = exec3
	u.clamp = in.Mods&tesla.Sat != 0
}

func lowerFSet(l *lowerer, u *uop, in *tesla.Instruction) {
	l.source(u, 0, &in.Src[0], false, true)
	l.source(u, 1, &in.Src[1], false, true)
	l.dest(u, &in.Dst)
	u.exec, u.compare = execSet, l.k.FCompare
}

func lowerSlct(l *lowerer, u *uop, in *tesla.Instruction) {
	for i := range 3 {
		l.source(u, i, &in.Src[i], false, true)
	}
	l.dest(u, &in.Dst)
	u.exec, u.k3 = exec3, l.k.FSlct
	u.flagged(in, func(b *Block, u *uop, d lane.Rows, s *lane.Sel) { b.p.lanes.FSlctFlags(b.flags[u.cdst], d, s) })
}

// lowerSFU lowers a special function. They write no flags.
func lowerSFU(kernel func(k *lane.Kernels) lane.Unary) func(*lowerer, *uop, *tesla.Instruction) {
	return func(l *lowerer, u *uop, in *tesla.Instruction) {
		l.source(u, 0, &in.Src[0], false, true)
		l.dest(u, &in.Dst)
		u.exec, u.k1 = exec1, kernel(l.k)
		u.clamp = in.Mods&tesla.Sat != 0
	}
}

func lowerQuadOp(l *lowerer, u *uop, in *tesla.Instruction) {
	l.source(u, 0, &in.Src[0], false, false)
	l.source(u, 1, &in.Src[1], false, false)
	l.dest(u, &in.Dst)
	u.flagged(in, floatFlags)
	u.exec = execQuadOp
}

// execQuadOp combines a value x of one lane of each group of four with every lane's own
// b: x+b, b-x, x-b or b+0, by the rules of the f32 add. The derivative selectors yield 0
// in compute programs.
func execQuadOp(b *Block, u *uop, s *lane.Sel) bool {
	const sign = 1 << 31
	from, own := b.source(u, 0, s), b.source(u, 1, s)
	p, q := b.scratch(tmpExtra), b.scratch(tmpExtra+1)
	derivative := u.ins.QuadLane > 3
	for k := range s.N {
		w := int(s.Warp[k])
		x, y := from.At(w), own.At(w)
		pw, qw := p.At(w), q.At(w)
		for i := range pw {
			v, o := x[i&^3|int(u.ins.QuadLane&3)], y[i]
			switch u.ins.Quad[i&3] {
			case tesla.SubR:
				v ^= sign
			case tesla.Sub:
				o ^= sign
			case tesla.Mov2:
				v = 0
			}
			pw[i], qw[i] = v, o
		}
	}
	d := b.result(u)
	b.p.lanes.FAddRN(d, p, q, s)
	if derivative {
		b.p.lanes.Move(d, lane.RowsOf(&zeroRow, 0), s)
	}
	b.store(u, d, s)
	return true
}
