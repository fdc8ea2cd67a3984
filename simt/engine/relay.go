package engine

import (
	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// Relay is a pass over the warps of a block, which take turns, lowest warp first. A warp's turn
// ends at its time, at a barrier, or with the warp. Then a runner may begin the turn of the next
// warp and, after the pass, another pass. Sets have one bit per warp.
type Relay struct {
	Time [lane.MaxWarps]uint64 // of the warp's next instruction; of an ended warp, after its last
	At   [lane.MaxWarps]int32  // index of the warp's next instruction

	// Warps are the warps that the runner may run: their live lanes are together, they have no
	// stop, and the policy holds all their regions. Tells and Regions are as in the warp's Turn.
	Warps   uint32
	Tells   [lane.MaxWarps]*branch.Tell // the first of the list
	Regions [lane.MaxWarps]uint32

	// Lanes are the lanes that go on; other lanes may wait in the Depth regions that the runner
	// keeps.
	Lanes [lane.MaxWarps]lane.Mask
	Depth [lane.MaxWarps]uint32

	Whole [lane.MaxWarps]lane.Mask // lanes with which a warp began
	Live  [lane.MaxWarps]lane.Mask // live lanes, of Warps only

	Count uint32 // warps of the block
	Alive uint32 // warps that have not ended
	Held  uint32 // warps that wait at barrier 0
	Fresh uint32 // warps whose turn ends before the first overwriting Op; none after a barrier
	Todo  uint32 // warps that have yet to take their turn in this pass
	End   uint64 // end of the pass: a turn ends before a control instruction at this time or later
	Until uint64 // end of the block's turn, and of passes that do not follow a barrier
	Turn  uint64 // rounds of a turn; after a turn the runner may go on to the next
	Last  uint64 // the latest time to which the runner moves Until

	Openings

	// The fields below are of warps whose turn the runner ended.
	Touched uint32
	Ended   uint32                // warps that ended
	Moved   uint32                // warps with moves
	Fewer   uint32                // arrivals at barriers with fewer lanes than the warp began with
	Ran     [lane.MaxWarps]uint64 // steps with all 32 lanes, before any moves
	Deepest [lane.MaxWarps]uint32 // as in the warp's Turn
}

// Openings are what the opening of a barrier leaves, and what is known of it.
type Openings struct {
	Brief uint64 // end of the first pass after a barrier, 0 for none
	Meet  uint32 // the value of Alive when a barrier last opened, or at first
	// Odd is 1 after a barrier opened for others than Meet, or for warps at different instructions.
	// The runner then returns, and no warp has run on. With bit 1 set, it does not return.
	Odd uint32
}

// BriefRounds is the length of the first turn after a barrier. Programs soon read data that was
// written before the barrier, and some overwrite the data before the next barrier, although a slow
// warp may not have read the data yet. On hardware such programs work, because warps leave a
// barrier side by side.
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
