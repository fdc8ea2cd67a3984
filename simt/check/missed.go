package check

import (
	"fmt"
	"math/bits"
	"strings"

	"jacquard/simt/lane"
	"jacquard/simt/program"
)

// What a finding of KindSync says.
const (
	Divergent = "divergent"  // some live lanes of a warp come to a barrier, and the others do not
	Different = "different"  // a barrier opens for, or is closed by, warps that wait at different barriers of the text
	Partial   = "partial"    // a barrier opens although warps of the block have ended
	AfterExit = "after-exit" // a barrier opens although lanes of its warps have ended
	Endless   = "endless"    // a wait never ends
)

// MissedBarrier is a barrier to which not all threads of a block came. It opened all the same: it
// counts warps that have not ended, whichever their lanes are and whichever the instruction is.
type MissedBarrier struct {
	What   string // Divergent, Different or Partial
	Kernel string
	Block  [2]int // block index x, y
	Warp   int    // warp within the block
	PC     uint32 // byte address of the barrier to which the warp came
	Source string // "file:line" that it is made of; "" if not known

	Arrived lane.Mask // Divergent: the lanes that came to it
	Missing lane.Mask // Divergent: live lanes of the warp that were elsewhere

	OtherWarp   int    // Different: a warp that waits elsewhere
	Other       uint32 // Different: the barrier to which that warp came
	OtherSource string // Different: as Source

	Ended uint16 // Partial: the warps that had ended since the barrier before
}

// String returns one line that names kernel, block, barrier, and warps or lanes.
func (m *MissedBarrier) String() string {
	at := program.Place(m.PC, m.Source)
	switch m.What {
	case Different:
		return fmt.Sprintf("kernel %s opens a barrier for warps at different instructions: block (%d,%d), warp %d at %s, warp %d at %s. "+
			"A barrier is for all threads of a block, at one place of the text; these devices count warps alone",
			m.Kernel, m.Block[0], m.Block[1], m.Warp, at, m.OtherWarp, program.Place(m.Other, m.OtherSource))
	case Partial:
		return fmt.Sprintf("kernel %s opens a barrier without warps that have ended: block (%d,%d), %s; %s. "+
			"A barrier is for all threads of a block; these devices wait for no warp that has ended",
			m.Kernel, m.Block[0], m.Block[1], at, warpsOf(m.Ended))
	}
	return fmt.Sprintf("kernel %s comes to a barrier with only some lanes of a warp: block (%d,%d), warp %d, lanes %08x, %s; "+
		"its lanes %08x are elsewhere, and do not wait: a warp arrives once for all its lanes. "+
		"Lanes that come to a barrier later wait for its next opening",
		m.Kernel, m.Block[0], m.Block[1], m.Warp, uint32(m.Arrived), at, uint32(m.Missing))
}

// warpsOf names the warps of a set.
func warpsOf(set uint16) string {
	if bits.OnesCount16(set) == 1 {
		return fmt.Sprintf("warp %d", bits.TrailingZeros16(set))
	}
	var list []string
	for ; set != 0; set &= set - 1 {
		list = append(list, fmt.Sprint(bits.TrailingZeros16(set)))
	}
	return "warps " + strings.Join(list, ", ")
}
