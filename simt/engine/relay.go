package engine

import (
	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// Relay is a pass over the warps of a block, which take turns, lowest warp first. A warp's turn
// ends at its time, at a barrier, or with the warp. Then a runner may begin the turn of the next
// warp and, after the pass, another pass. Sets have a bit for each warp.
type Relay struct {
	Time [lane.MaxWarps]uint64 // of the warp's next instruction; an ended warp's is after its last
	At   [lane.MaxWarps]int32  // the index of the warp's next instruction

	// Warps are the warps that the runner may run: a warp is in the set if its live lanes are
	// together, it has no stop, and the policy holds all its regions. Tells and Regions are as
	// in their Turn.
	Warps   uint32
	Tells   [lane.MaxWarps]*branch.Tell // the first of the list
	Regions [lane.MaxWarps]uint32

	// Lanes go on. Depth is the number of regions that the runner keeps, in which others may wait.
	Lanes [lane.MaxWarps]lane.Mask
	Depth [lane.MaxWarps]uint32

	Whole [lane.MaxWarps]lane.Mask // the lanes with which a warp began
	Live  [lane.MaxWarps]lane.Mask // of Warps: the live lanes

	Count uint32 // warps of the block
	Alive uint32 // warps that have not ended
	Held  uint32 // warps that wait at barrier 0
	Fresh uint32 // end their turn before the first Op that overwrites; none after a barrier
	Todo  uint32 // warps that have yet to take their turn in this pass
	End   uint64 // of the pass: a turn ends before a control instruction at this time or later
	Until uint64 // the end of the block's turn, and of passes that do not follow a barrier
	Turn  uint64 // rounds of a turn: after one, the runner may go on to the next
	Last  uint64 // the runner moves Until no further than this
	Brief uint64 // the end of the first pass after a barrier, 0 for none

	// Of warps whose turn the runner ended.
	Touched uint32
	Ended   uint32                // warps that ended
	Moved   uint32                // warps with moves
	Fewer   uint32                // arrivals at barriers with fewer lanes than the warp began with
	Ran     [lane.MaxWarps]uint64 // steps with all 32 lanes, before any moves
	Deepest [lane.MaxWarps]uint32 // as in their Turn
}

// BriefRounds is the length of the first turn after a barrier. Programs soon read what was written
// before the barrier, and some overwrite it before the next barrier, though a slow warp may not
// have read yet. Hardware forgives them, because its warps leave a barrier side by side.
const BriefRounds = 32

// Due returns the warps of ready that must take a turn before a time.
func (r *Relay) Due(ready uint32, time uint64) (due uint32) {
	for w := range r.Count {
		if ready>>w&1 != 0 && r.Time[w] < time {
			due |= 1 << w
		}
	}
	return due
}
