package ptxreference

import "jacquard/ptx"

// special returns how a thread reads a special register.
func (b *binder) special(s ptx.Special) func(t *thread) uint64 {
	axis := func(first ptx.Special) int { return int(s - first) }
	between := func(first, last ptx.Special) bool { return s >= first && s <= last }
	switch {
	case s == ptx.TidW, s == ptx.NTidW, s == ptx.CTAIdW, s == ptx.NCTAIdW:
		return func(*thread) uint64 { return 0 }
	case between(ptx.TidX, ptx.TidZ):
		i := axis(ptx.TidX)
		return func(t *thread) uint64 { return uint64(t.index[i]) }
	case between(ptx.NTidX, ptx.NTidZ):
		i := axis(ptx.NTidX)
		return func(t *thread) uint64 { return uint64(t.block.size[i]) }
	case between(ptx.CTAIdX, ptx.CTAIdZ):
		i := axis(ptx.CTAIdX)
		return func(t *thread) uint64 { return uint64(t.block.index[i]) }
	case between(ptx.NCTAIdX, ptx.NCTAIdZ):
		i := axis(ptx.NCTAIdX)
		return func(t *thread) uint64 { return uint64(t.block.grid[i]) }
	case between(ptx.LaneID, ptx.GridID), between(ptx.LaneMaskEq, ptx.LaneMaskGt):
		return b.inWarp(s)
	case between(ptx.Clock, ptx.Clock64), between(ptx.GlobalTimer, ptx.GlobalTimerHi):
		return clock(s)
	case s == ptx.DynamicSharedSize:
		return func(t *thread) uint64 { return uint64(t.block.dynamic) }
	case s == ptx.TotalSharedSize:
		return func(t *thread) uint64 { return uint64(len(t.block.shared)) }
	case between(ptx.PM0, ptx.PM7), between(ptx.EnvReg0, ptx.EnvReg0+31):
		return func(*thread) uint64 { return 0 }
	}
	b.fail(Unsupported, "special register")
	return func(*thread) uint64 { return 0 }
}

// inWarp returns registers that describe the warp. All blocks run on processor 0 of 1.
func (b *binder) inWarp(s ptx.Special) func(t *thread) uint64 {
	switch s {
	case ptx.LaneID:
		return func(t *thread) uint64 { return uint64(t.lane) }
	case ptx.WarpID:
		return func(t *thread) uint64 { return uint64(t.warp) }
	case ptx.NWarpID:
		return func(t *thread) uint64 { return uint64(len(t.block.warps)) }
	case ptx.NSMID:
		return func(*thread) uint64 { return 1 }
	case ptx.LaneMaskEq:
		return func(t *thread) uint64 { return 1 << t.lane }
	case ptx.LaneMaskLe:
		return func(t *thread) uint64 { return 2<<t.lane - 1 }
	case ptx.LaneMaskLt:
		return func(t *thread) uint64 { return 1<<t.lane - 1 }
	case ptx.LaneMaskGe:
		return func(t *thread) uint64 { return ones(32) &^ (1<<t.lane - 1) }
	case ptx.LaneMaskGt:
		return func(t *thread) uint64 { return ones(32) &^ (2<<t.lane - 1) }
	}
	return func(*thread) uint64 { return 0 } // SMID, GridID
}

// clock returns the clocks: all count the steps of the launch.
func clock(s ptx.Special) func(t *thread) uint64 {
	if s == ptx.ClockHi || s == ptx.GlobalTimerHi {
		return func(t *thread) uint64 { return t.block.run.steps >> 32 }
	}
	return func(t *thread) uint64 { return t.block.run.steps }
}
