package simt

import (
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// exec1, exec2 and exec3 are the whole of an operation that one kernel computes: pick
// sources, compute, store, set flags of the result.

func exec1(b *Block, u *uop, s *lane.Sel) bool {
	a := b.source(u, 0, s)
	if b.raised != nil {
		return false
	}
	d := b.result(u)
	u.k1(d, a, s)
	b.store(u, d, s)
	return true
}

func exec2(b *Block, u *uop, s *lane.Sel) bool {
	a, c := b.source(u, 0, s), b.source(u, 1, s)
	if b.raised != nil {
		return false
	}
	d := b.result(u)
	u.k2(d, a, c, s)
	b.store(u, d, s)
	return true
}

func exec3(b *Block, u *uop, s *lane.Sel) bool {
	a, c, e := b.source(u, 0, s), b.source(u, 1, s), b.source(u, 2, s)
	if b.raised != nil {
		return false
	}
	d := b.result(u)
	u.k3(d, a, c, e, s)
	b.store(u, d, s)
	return true
}

// widthOf is the width of an operation of integer type t: 16 or 32.
func widthOf(t tesla.Type) uint8 {
	switch t {
	case tesla.U8, tesla.S8, tesla.B16, tesla.U16, tesla.S16, tesla.F16:
		return 16
	}
	return 32
}

func lowerMov(l *lowerer, u *uop, in *tesla.Instruction) {
	u.width = widthOf(in.Type)
	l.source(u, 0, &in.Src[0], false, false)
	l.dest(u, &in.Dst)
	u.exec, u.k1 = exec1, l.k.Move
	if in.Idle != 0 {
		u.exec = execMovLanes
	}
}

// execMovLanes copies only in the lanes of every quad that the lane mask names.
// Unverified: that the others do not touch memory or their address register either, as if
// a guard had failed; no compiler uses the mask with such a source.
func execMovLanes(b *Block, u *uop, s *lane.Sel) bool {
	chosen := &b.chosen
	chosen.N, chosen.Full = 0, false
	for k := range s.N {
		if m := s.Mask[k] & (lane.Mask(^u.ins.Idle&15) * 0x11111111); m != 0 {
			chosen.Warp[chosen.N], chosen.Mask[chosen.N] = s.Warp[k], m
			chosen.N++
		}
	}
	return chosen.N == 0 || exec1(b, u, chosen)
}

func lowerMovFromCond(l *lowerer, u *uop, in *tesla.Instruction) {
	l.dest(u, &in.Dst)
	u.cin = in.Src[0].Index
	u.exec = func(b *Block, u *uop, s *lane.Sel) bool {
		d := b.result(u)
		lane.FlagsToRow(d, b.flags[u.cin], s)
		b.store(u, d, s)
		return true
	}
}

func lowerMovToCond(l *lowerer, u *uop, in *tesla.Instruction) {
	l.source(u, 0, &in.Src[0], false, false)
	u.exec = func(b *Block, u *uop, s *lane.Sel) bool {
		a := b.source(u, 0, s)
		if b.raised != nil {
			return false
		}
		lane.FlagsFromRow(b.flags[u.cdst], a, s)
		return true
	}
}

// Address registers: $a1 to $a4 hold 16 bits a lane; $a0 reads 0, $a5 and $a6 do not exist.
// Unverified: $a7 is said to be one per warp; here it is one per lane like the others.

func writableAddr(i uint8) bool { return i != 0 && i != 5 && i != 6 }

// addr returns address register i of every warp, or zeros.
func (b *Block) addr(i uint8) lane.Rows {
	if !writableAddr(i) {
		return lane.RowsOf(&zeroRow, 0)
	}
	return lane.RowsOf(&b.addrs[i][0], 1)
}

var addrMask = uniform(0xffff)

// setAddr stores the low 16 bits of v in address register i.
func (b *Block) setAddr(i uint8, v lane.Rows, s *lane.Sel) {
	if writableAddr(i) {
		b.p.lanes.And(b.addr(i), v, lane.RowsOf(addrMask, 0), s)
	}
}

func lowerMovFromAddr(l *lowerer, u *uop, in *tesla.Instruction) {
	l.dest(u, &in.Dst)
	u.exec = func(b *Block, u *uop, s *lane.Sel) bool {
		d := b.result(u)
		b.p.lanes.Move(d, b.addr(u.ins.Src[0].Index), s)
		b.store(u, d, s)
		return true
	}
}

func lowerShlToAddr(l *lowerer, u *uop, in *tesla.Instruction) {
	l.source(u, 0, &in.Src[0], false, false)
	l.source(u, 1, &in.Src[1], false, false)
	u.exec = func(b *Block, u *uop, s *lane.Sel) bool {
		a, n := b.source(u, 0, s), b.source(u, 1, s)
		if b.raised != nil {
			return false
		}
		d := b.scratch(tmpDst)
		b.p.lanes.Shl(d, a, n, s)
		b.setAddr(u.ins.Dst.Index, d, s)
		return true
	}
}

func lowerAddAddr(l *lowerer, u *uop, in *tesla.Instruction) {
	l.source(u, 1, &in.Src[1], false, false)
	u.exec = func(b *Block, u *uop, s *lane.Sel) bool {
		d := b.scratch(tmpDst)
		b.p.lanes.Add(d, b.addr(u.ins.Src[0].Index), b.source(u, 1, s), s)
		b.setAddr(u.ins.Dst.Index, d, s)
		return true
	}
}

// Special register numbers (isa/semantics.md 7).
const (
	specialPhysID = 0
	specialClock  = 1
)

// lowerMovFromSpecial reads %physid and %clock; the performance counters, the attribute
// stride and the sample id read 0.
func lowerMovFromSpecial(l *lowerer, u *uop, in *tesla.Instruction) {
	l.dest(u, &in.Dst)
	u.exec = func(b *Block, u *uop, s *lane.Sel) bool {
		d := b.result(u)
		for k := range s.N {
			w := int(s.Warp[k])
			t := b.scratchRow(tmpExtra, w)
			for i := range t {
				t[i] = b.special(u, w, i)
			}
		}
		b.p.lanes.Move(d, b.scratch(tmpExtra), s)
		b.store(u, d, s)
		return true
	}
}

func (b *Block) special(u *uop, warp, thread int) uint32 {
	switch u.ins.Src[0].Index {
	case specialPhysID:
		return uint32(thread | (b.slot()*b.warps+warp)<<8)
	case specialClock:
		return uint32(b.origin + uint64(u.at))
	}
	return 0
}
