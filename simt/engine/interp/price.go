package interp

import (
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// cost returns the counters for the access of each warp of s to memory, or nil if accesses are not
// priced or the policy mixes warps. The accesses of a mixed issue's warps are one access, which pay
// counts afterwards; but each home warp has its own local memory.
func (eng *Engine) cost(u *op, to program.Space, at lane.Rows, t tesla.Type, s *lane.Sel) *mem.Cost {
	if !eng.Counts.Priced {
		return nil
	}
	c := &eng.Counts.Access[u.Slot].Cost
	if !eng.Mixed {
		return c
	}
	eng.mixedCost = mem.Cost{}
	if to == program.SpaceLocal {
		return c
	}
	addr, m := s.Gather(at, eng.Places())
	switch size := uint32(mem.Size(t)); to {
	case program.SpaceShared:
		eng.mixedCost.Shared.CountShared(&addr, m, size)
	case program.SpaceConst:
		eng.mixedCost.Const.CountConst(&addr, m)
	default:
		eng.mixedCost.Device.Count(&addr, m, size)
	}
	return nil
}

// pay counts the access of a mixed issue from the last call of cost. A refused access costs nothing
// (docs/isa/memory.md).
func (eng *Engine) pay(u *op) {
	if eng.Mixed && eng.Counts.Priced {
		eng.Counts.Access[u.Slot].Add(&eng.mixedCost)
	}
}

// countWord counts that the lanes of s read one word of s[].
func (eng *Engine) countWord(u *op, s *lane.Sel) {
	if !eng.Counts.Priced {
		return
	}
	n := 2 * s.N
	switch {
	case eng.Mixed:
		n = mem.HalfWarps(s.Columns(eng.Places()))
	case !s.Full:
		n = 0
		for _, m := range s.Mask[:s.N] {
			n += mem.HalfWarps(m)
		}
	}
	eng.Counts.Access[u.Slot].Shared.AddSingle(n)
}
