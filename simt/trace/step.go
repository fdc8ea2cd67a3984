package trace

import (
	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// Step is one issue of a block: one instruction carried out once for lanes that stand together. Unless
// Mixed, it is one warp-instruction for each of its warps.
type Step struct {
	Launch int // number of the launch, from 0
	Block  int // number of the block in the grid, x fastest
	Time   uint64
	Index  int // of the instruction in Kernel.Code
	Mixed  bool

	N        int // warps; what the arrays hold beyond means nothing
	Warp     [lane.MaxWarps]uint8
	Active   [lane.MaxWarps]lane.Mask // lanes that issued, by position
	Executed [lane.MaxWarps]lane.Mask // lanes whose guard held; of a branch, those that took it
	Vetoed   branch.WarpSet           // warps that the join marker sent elsewhere before they could execute

	// Values are there if the trace recorded some: those of all warps in order, of each warp that
	// executed the ones that Kernel.Values names.
	Values []Value
}

// Count returns the number of warp-instructions.
func (s *Step) Count() int {
	if s.Mixed {
		return 1
	}
	return s.N
}

// set returns the warps.
func (s *Step) set() (set branch.WarpSet) {
	for _, w := range s.Warp[:s.N] {
		set |= 1 << w
	}
	return set
}

// Value is a row of values that an instruction left behind.
type Value struct {
	Slot
	Warp  int
	Lanes lane.Mask // who executed; other lanes of Row are 0
	Row   lane.Row  // of a condition register: Z, S, C, O in bits 0 to 3
}
