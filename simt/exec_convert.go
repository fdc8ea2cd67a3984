package simt

import (
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// isWide reports whether a value of type t takes a register pair.
func isWide(t tesla.Type) bool { return t == tesla.U64 || t == tesla.S64 || t == tesla.F64 }

func lowerCvt(l *lowerer, u *uop, in *tesla.Instruction) {
	x := &in.Src[0]
	sat := in.Mods&tesla.Sat != 0
	integral := in.Mods&tesla.Integral != 0
	l.dest(u, &in.Dst)
	if isWide(in.Type) || isWide(in.From) {
		kernel, ok := l.k.CvtKernel64(in.Type, in.From, in.Round, integral, x.Abs, x.Neg, sat)
		if !ok {
			l.refuse(u, FaultIllegalInstruction, "no instruction converts between these types")
			return
		}
		u.wide = kernel
		u.exec = execCvtWide
		if !isWide(in.From) {
			l.source(u, 0, x, false, false)
		}
		return
	}
	kernel, ok := l.k.CvtKernel(in.Type, in.From, in.Round, integral, x.Abs, x.Neg, sat)
	if !ok {
		l.refuse(u, FaultIllegalInstruction, "no instruction converts between these types")
		return
	}
	u.width = widthOf(in.From)
	l.source(u, 0, x, false, false)
	u.exec, u.k1 = exec1, kernel
	if in.CDst != tesla.NoCond {
		if u.cvtFlags, ok = l.k.CvtFlags(in.Type); !ok {
			l.refuse(u, FaultIllegalInstruction, "no instruction converts between these types")
			return
		}
		u.fl = func(b *Block, u *uop, d lane.Rows, s *lane.Sel) { u.cvtFlags(b.flags[u.cdst], d, s) }
	}
}

// execCvtWide converts with a 64-bit value on at least one side. The unused half of a
// 32-bit side is scratch.
func execCvtWide(b *Block, u *uop, s *lane.Sel) bool {
	x := &u.ins.Src[0]
	from := lane.Rows64{Lo: b.reg(int32(x.Index)), Hi: b.reg(int32(x.Index) + 1)}
	if !isWide(u.ins.From) {
		from = lane.Rows64{Lo: b.source(u, 0, s), Hi: lane.RowsOf(&zeroRow, 0)}
		if b.raised != nil {
			return false
		}
	}
	d := b.wideScratch(tmpData)
	var f []lane.Flags
	if u.cdst != noCond {
		f = b.flags[u.cdst]
	}
	u.wide(d, from, f, s)
	if isWide(u.ins.Type) {
		b.storeWide(u, d, s)
	} else if u.dst.mode == dstReg {
		b.p.lanes.Move(b.result(u), d.Lo, s)
	}
	return true
}
