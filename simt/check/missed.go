package check

import (
	"fmt"

	"jacquard/simt/lane"
	"jacquard/simt/program"
)

// MissedBarrier is a barrier at which a warp arrived while some of its live lanes were elsewhere. A
// warp arrives as a whole, so these do not wait there.
type MissedBarrier struct {
	Kernel  string
	Block   [2]int    // block index x, y
	Warp    int       // warp within the block
	PC      uint32    // byte address of the barrier
	Source  string    // "file:line" that it is made of; "" if not known
	Arrived lane.Mask // the lanes that came to it
	Missing lane.Mask // live lanes of the warp that were elsewhere
}

// String returns one line that names kernel, block, warp, barrier and lanes.
func (m *MissedBarrier) String() string {
	return fmt.Sprintf("kernel %s comes to a barrier with only some lanes of a warp: block (%d,%d), warp %d, lanes %08x, %s; "+
		"its lanes %08x are elsewhere, and do not wait: a warp arrives once for all its lanes. "+
		"Lanes that come to a barrier later wait for its next opening",
		m.Kernel, m.Block[0], m.Block[1], m.Warp, uint32(m.Arrived), program.Place(m.PC, m.Source), uint32(m.Missing))
}
