package interp

import (
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
	"jacquard/tesla"
)

var moves = bindings{
	tesla.OpMov:            bindMov,
	tesla.OpMovFromCond:    bindExec(execMovFromCond),
	tesla.OpMovFromAddr:    bindExec(execMovFromAddr),
	tesla.OpMovFromSpecial: bindExec(execMovFromSpecial),
	tesla.OpMovToCond:      bindExec(execMovToCond),
	tesla.OpShlToAddr:      bindExec(execShlToAddr),
	tesla.OpAddAddr:        bindExec(execAddAddr),
}

func bindMov(_ *program.Program, u *op) {
	u.exec, u.k1 = exec1, lane.Move
	if u.Ins.Idle != 0 {
		u.exec = execMovLanes
	}
}

// exec1, exec2 and exec3 execute an operation that one kernel computes: pick sources, compute,
// store, set flags of the result.

func exec1(eng *Engine, u *op, s *lane.Sel) bool {
	a := eng.source(u, 0, s)
	if eng.Raised != nil {
		return false
	}
	d := eng.result(u)
	u.k1(d, a, s)
	eng.store(u, d, s)
	return true
}

func exec2(eng *Engine, u *op, s *lane.Sel) bool {
	a, c := eng.source(u, 0, s), eng.source(u, 1, s)
	if eng.Raised != nil {
		return false
	}
	d := eng.result(u)
	u.k2(d, a, c, s)
	eng.store(u, d, s)
	return true
}

func exec3(eng *Engine, u *op, s *lane.Sel) bool {
	a, c, e := eng.source(u, 0, s), eng.source(u, 1, s), eng.source(u, 2, s)
	if eng.Raised != nil {
		return false
	}
	d := eng.result(u)
	u.k3(d, a, c, e, s)
	eng.store(u, d, s)
	return true
}

// execMovLanes copies only in the lanes of every quad in the lane mask.
// Unverified: that the other lanes access no memory and change no address register, as if a guard
// had failed; no compiler uses the mask with such a source.
func execMovLanes(eng *Engine, u *op, s *lane.Sel) bool {
	chosen := &eng.chosen
	chosen.N, chosen.Full = 0, false
	for k := range s.N {
		if m := s.Mask[k] & (lane.Mask(^u.Ins.Idle&15) * 0x11111111); m != 0 {
			chosen.Warp[chosen.N], chosen.Mask[chosen.N] = s.Warp[k], m
			chosen.N++
		}
	}
	return chosen.N == 0 || exec1(eng, u, chosen)
}

var addrMask = uniform(0xffff)

// setAddr stores the low 16 bits of v in address register i.
func (eng *Engine) setAddr(i uint8, v lane.Rows, s *lane.Sel) {
	if machine.WritableAddress(i) {
		lane.And(eng.Address(i), v, lane.RowsOf(addrMask, 0), s)
	}
}

func execMovFromCond(eng *Engine, u *op, s *lane.Sel) bool {
	d := eng.result(u)
	lane.FlagsToRow(d, eng.Flags[u.CIn], s)
	eng.store(u, d, s)
	return true
}

func execMovToCond(eng *Engine, u *op, s *lane.Sel) bool {
	a := eng.source(u, 0, s)
	if eng.Raised != nil {
		return false
	}
	lane.FlagsFromRow(eng.Flags[u.CDst], a, s)
	return true
}

func execMovFromAddr(eng *Engine, u *op, s *lane.Sel) bool {
	d := eng.result(u)
	lane.Move(d, eng.Address(u.Ins.Src[0].Index), s)
	eng.store(u, d, s)
	return true
}

func execShlToAddr(eng *Engine, u *op, s *lane.Sel) bool {
	a, n := eng.source(u, 0, s), eng.source(u, 1, s)
	if eng.Raised != nil {
		return false
	}
	d := eng.scratch(tmpDst)
	lane.Shl(d, a, n, s)
	eng.setAddr(u.Ins.Dst.Index, d, s)
	return true
}

func execAddAddr(eng *Engine, u *op, s *lane.Sel) bool {
	d := eng.scratch(tmpDst)
	lane.Add(d, eng.Address(u.Ins.Src[0].Index), eng.source(u, 1, s), s)
	eng.setAddr(u.Ins.Dst.Index, d, s)
	return true
}

// execMovFromSpecial reads %physid and %clock; the performance counters, the attribute
// stride and the sample id read 0.
func execMovFromSpecial(eng *Engine, u *op, s *lane.Sel) bool {
	d := eng.result(u)
	for k := range s.N {
		w := int(s.Warp[k])
		t := eng.scratchRow(tmpExtra, w)
		for i := range t {
			t[i] = eng.special(u, w, i)
		}
	}
	lane.Move(d, eng.scratch(tmpExtra), s)
	eng.store(u, d, s)
	return true
}

func (eng *Engine) special(u *op, warp, thread int) uint32 {
	switch u.Ins.Src[0].Index {
	case program.SpecialPhysID:
		return eng.PhysicalID(warp, thread)
	case program.SpecialClock:
		return uint32(eng.Clock + uint64(u.At))
	}
	return 0
}
