package ssabuild

import (
	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// Bytes of the launch's header in s[]. The depth of a grid is always 1.
const (
	headerNTid   = 2
	headerNCTAId = 8
	headerCTAId  = 0xc
)

// special returns a special register.
func (b *builder) special(r ptx.Special, t ptx.Type) (lo, hi *ir.Value) {
	zero := b.word(0)
	switch {
	case r == ptx.TidW, r == ptx.NTidW, r == ptx.CTAIdW, r == ptx.NCTAIdW:
		return zero, zero
	case r >= ptx.TidX && r <= ptx.TidZ:
		return b.tid(int(r - ptx.TidX)), zero
	case r >= ptx.NTidX && r <= ptx.NTidZ:
		return b.header(headerNTid, int(r-ptx.NTidX)), zero
	case r == ptx.CTAIdZ:
		return zero, zero
	case r == ptx.NCTAIdZ:
		return b.word(1), zero
	case r >= ptx.CTAIdX && r <= ptx.CTAIdY:
		return b.header(headerCTAId, int(r-ptx.CTAIdX)), zero
	case r >= ptx.NCTAIdX && r <= ptx.NCTAIdY:
		return b.header(headerNCTAId, int(r-ptx.NCTAIdX)), zero
	case r >= ptx.EnvReg0: // left to the driver, which takes none
		return zero, zero
	case r >= ptx.PM0 && r <= ptx.PM3:
		v := b.do(ir.Pm)
		v.Imm = uint64(r - ptx.PM0)
		return v, zero
	}
	return b.otherSpecial(r), zero
}

func (b *builder) otherSpecial(r ptx.Special) *ir.Value {
	switch r {
	case ptx.LaneID:
		// NVIDIA's compiler takes the lane from the lower bits of %physid, too.
		return b.do(ir.And, b.do(ir.Physid), b.word(31))
	case ptx.WarpID:
		return b.do(ir.ShrU, b.thread(), b.word(5))
	case ptx.NWarpID:
		return b.word(uint32(b.target.Arch.Limits().Warps))
	case ptx.SMID:
		// Unverified: the number of cluster and multiprocessor, as %physid has them.
		return b.do(ir.And, b.do(ir.ShrU, b.do(ir.Physid), b.word(16)), b.word(0xff))
	case ptx.GridID:
		return b.header(0, 0)
	case ptx.Clock, ptx.Clock64, ptx.GlobalTimer, ptx.GlobalTimerLo:
		// The register counts every other cycle: NVIDIA's compiler doubles it.
		return b.do(ir.Shl, b.do(ir.Clock), b.word(1))
	case ptx.ClockHi, ptx.GlobalTimerHi:
		return b.word(0)
	case ptx.LaneMaskEq, ptx.LaneMaskLe, ptx.LaneMaskLt, ptx.LaneMaskGe, ptx.LaneMaskGt:
		return b.laneMask(r)
	}
	b.fail("the architecture has no such special register")
	return b.undef()
}

// laneMask returns the lanes that compare with the lane of the thread as the register says.
func (b *builder) laneMask(r ptx.Special) *ir.Value {
	own := b.do(ir.Shl, b.word(1), b.otherSpecial(ptx.LaneID))
	below := b.do(ir.Sub, own, b.word(1))
	switch r {
	case ptx.LaneMaskEq:
		return own
	case ptx.LaneMaskLt:
		return below
	case ptx.LaneMaskLe:
		return b.do(ir.Or, below, own)
	case ptx.LaneMaskGe:
		return b.do(ir.Not, below)
	}
	return b.do(ir.Not, b.do(ir.Or, below, own))
}

// tid returns the thread's index in the block along an axis.
func (b *builder) tid(axis int) *ir.Value {
	raw := b.do(ir.Tid)
	switch axis {
	case 0:
		return b.do(ir.ZExt16, raw)
	case 1:
		return b.do(ir.And, b.do(ir.ShrU, raw, b.word(16)), b.word(0x3ff))
	}
	return b.do(ir.ShrU, raw, b.word(26))
}

// header returns a field of the launch's header.
func (b *builder) header(first, axis int) *ir.Value {
	v := b.do(ir.Header)
	v.Imm = uint64(first + 2*axis)
	return v
}

// thread returns the number of the thread in its block.
func (b *builder) thread() *ir.Value {
	row := b.do(ir.Add, b.do(ir.Mul, b.tid(2), b.header(headerNTid, 1)), b.tid(1))
	return b.do(ir.Add, b.do(ir.Mul, row, b.header(headerNTid, 0)), b.tid(0))
}
