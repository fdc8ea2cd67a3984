package branch

import "jacquard/simt/lane"

// dynamicWarp is what one issue is made of: lanes that stand at one pc, of any home warps,
// no two in one lane column, because a lane cannot leave the column of the register file
// that its registers are in.
type dynamicWarp struct {
	pc    uint32
	taken lane.Mask // columns: the union of lanes
	lanes [lane.MaxWarps]lane.Mask
}

// add puts those lanes of m in that find their column free, and returns the others.
func (d *dynamicWarp) add(w int, m lane.Mask) lane.Mask {
	fit := m &^ d.taken
	d.lanes[w] |= fit
	d.taken |= fit
	return m &^ fit
}

// pack adds lanes to those of the warps that stand at the pc of the move, and opens as many
// more as are needed for the rest. Lanes that come to an empty list with the lowest home
// warp first end up in as few warps as can be.
func pack(list []dynamicWarp, m move) []dynamicWarp {
	for i := range list {
		if d := &list[i]; d.pc == m.pc {
			if m.lanes = d.add(m.warp, m.lanes); m.lanes == 0 {
				return list
			}
		}
	}
	list = append(list, dynamicWarp{pc: m.pc})
	list[len(list)-1].add(m.warp, m.lanes)
	return list
}

// cohort makes c the issue of d.
func (d *dynamicWarp) cohort(c *Cohort, stop uint32) {
	c.reset(d.pc, stop)
	for w, m := range d.lanes {
		if m != 0 {
			c.Add(w, m)
		}
	}
}

func (d *dynamicWarp) fingerprint(to []byte) []byte {
	to = appendWord(to, d.pc)
	for _, m := range d.lanes {
		to = appendWord(to, uint32(m))
	}
	return to
}
