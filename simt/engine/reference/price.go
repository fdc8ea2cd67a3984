package reference

import (
	"jacquard/simt/lane"
	"jacquard/simt/program"
)

// price counts the cost of the access of the warp at position k (docs/isa/memory.md, Cost). Under a
// policy that mixes warps, the access of all warps is one access; but each warp has its own local
// memory.
func (a *access) price(k int) {
	switch {
	case !a.Counts.Priced, a.fixed && a.space == program.SpaceConst:
	case !a.Mixed || a.space == program.SpaceLocal:
		a.count(&a.at[k], a.s.Mask[k])
	case k == a.s.N-1: // no warp was refused
		addr, columns := a.together()
		a.count(&addr, columns)
	}
}

// together returns the addresses of all warps as if of one warp, by their places. The first lane at
// a place keeps it; each other lane gets the lowest free place.
func (a *access) together() (addr lane.Row, columns lane.Mask) {
	var others []uint32
	for k, t := range threads(a.State, a.s) {
		place := t.lane % a.Places()
		if columns>>place&1 != 0 {
			others = append(others, a.at[k][t.lane])
			continue
		}
		addr[place] = a.at[k][t.lane]
		columns |= 1 << place
	}
	for place := 0; place < a.Places() && len(others) > 0; place++ {
		if columns>>place&1 == 0 {
			addr[place], others = others[0], others[1:]
			columns |= 1 << place
		}
	}
	return addr, columns
}

// count counts an access of some lanes.
func (a *access) count(addr *lane.Row, m lane.Mask) {
	c := &a.Counts.Access[a.u.Slot].Cost
	switch size := uint32(a.size); a.space {
	case program.SpaceConst:
		c.Const.CountConst(addr, m)
	case program.SpaceShared:
		c.Shared.CountShared(addr, m, size)
	case program.SpaceLocal:
		c.Device.CountLocal(addr, m, size)
	default:
		c.Device.Count(addr, m, size)
	}
}
