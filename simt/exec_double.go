package simt

import (
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// A double lives in a register pair. Results go through scratch, because the pair
// written may overlap those read.

// wide returns source i of u as 64-bit rows, modifiers applied as doubles have them: a
// NaN keeps its sign.
func (b *Block) wide(u *uop, i int, s *lane.Sel) lane.Rows64 {
	o := &u.ins.Src[i]
	v := lane.Rows64{Lo: b.reg(int32(o.Index)), Hi: b.reg(int32(o.Index) + 1)}
	if o.Abs || o.Neg {
		t := b.wideScratch(tmpWide + 2*i)
		b.p.lanes.DModify(t, v, o.Abs, o.Neg, s)
		return t
	}
	return v
}

func (b *Block) wideScratch(i int) lane.Rows64 {
	return lane.Rows64{Lo: b.scratch(i), Hi: b.scratch(i + 1)}
}

// storeWide moves a 64-bit result to its pair and sets flags.
func (b *Block) storeWide(u *uop, d lane.Rows64, s *lane.Sel) {
	if u.dst.mode == dstReg {
		for i, r := range [...]lane.Rows{d.Lo, d.Hi} {
			if n := int(u.dst.index) + i; n < b.p.Kernel.Registers {
				b.p.lanes.Move(lane.RowsOf(&b.regs[n*b.step], 1), r, s)
			}
		}
	}
}

// lowerDouble lowers an operation whose sources and result are doubles.
func lowerDouble(exec func(b *Block, u *uop, d lane.Rows64, s *lane.Sel)) func(*lowerer, *uop, *tesla.Instruction) {
	return func(l *lowerer, u *uop, in *tesla.Instruction) {
		l.dest(u, &in.Dst)
		u.exec = func(b *Block, u *uop, s *lane.Sel) bool {
			d := b.wideScratch(tmpData)
			exec(b, u, d, s)
			if u.cdst != noCond {
				b.p.lanes.DFlags(b.flags[u.cdst], d, s)
			}
			b.storeWide(u, d, s)
			return true
		}
	}
}

func execDAdd(b *Block, u *uop, d lane.Rows64, s *lane.Sel) {
	b.p.lanes.DAdd(d, b.wide(u, 0, s), b.wide(u, 1, s), u.ins.Round, s)
}

func execDMul(b *Block, u *uop, d lane.Rows64, s *lane.Sel) {
	b.p.lanes.DMul(d, b.wide(u, 0, s), b.wide(u, 1, s), u.ins.Round, s)
}

func execDFma(b *Block, u *uop, d lane.Rows64, s *lane.Sel) {
	b.p.lanes.DFma(d, b.wide(u, 0, s), b.wide(u, 1, s), b.wide(u, 2, s), u.ins.Round, s)
}

func execDMin(b *Block, u *uop, d lane.Rows64, s *lane.Sel) {
	b.p.lanes.DMin(d, b.wide(u, 0, s), b.wide(u, 1, s), s)
}

func execDMax(b *Block, u *uop, d lane.Rows64, s *lane.Sel) {
	b.p.lanes.DMax(d, b.wide(u, 0, s), b.wide(u, 1, s), s)
}

func lowerDSet(l *lowerer, u *uop, in *tesla.Instruction) {
	l.dest(u, &in.Dst)
	u.exec = func(b *Block, u *uop, s *lane.Sel) bool {
		b.p.lanes.DCompare(&b.holds, b.wide(u, 0, s), b.wide(u, 1, s), uint8(u.ins.Cmp), s)
		b.answer(u, s)
		return true
	}
}
