package codec

import (
	"slices"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// Step is one issue of a block: one instruction carried out once for lanes at one pc. Unless Mixed,
// it is one warp-instruction for each of its warps.
type Step struct {
	Launch int // number of the launch, from 0
	Block  int // number of the block in the grid, x fastest
	Time   uint64
	Index  int // of the instruction in Kernel.Code
	Mixed  bool

	N        int // warps; the arrays mean nothing beyond
	Warp     [lane.MaxWarps]uint8
	Active   [lane.MaxWarps]lane.Mask // lanes that issued, by position
	Executed [lane.MaxWarps]lane.Mask // lanes whose guard held; of a branch, lanes that took it
	Vetoed   branch.WarpSet           // warps that the join marker sent elsewhere before they executed

	// Values has the recorded values of all warps in order. A warp that executed has one per
	// element of Kernel.Values.
	Values []Value
}

// Count returns the number of warp-instructions.
func (s *Step) Count() int {
	if s.Mixed {
		return 1
	}
	return s.N
}

// Warps returns the warps as a set.
func (s *Step) Warps() (set branch.WarpSet) {
	for _, w := range s.Warp[:s.N] {
		set |= 1 << w
	}
	return set
}

// Keep leaves at most the first n warps.
func (s *Step) Keep(n int) {
	s.N = min(s.N, n)
	set := s.Warps()
	s.Vetoed &= set
	gone := func(v Value) bool { return set>>v.Warp&1 == 0 }
	s.Values = slices.DeleteFunc(slices.Clone(s.Values), gone)
}

// Value is a row of values that an instruction left behind.
type Value struct {
	Slot
	Warp  int
	Lanes lane.Mask // that executed; other lanes of Row are 0
	Row   lane.Row  // of a condition register: Z, S, C, O in bits 0 to 3
}

// Stretch is straight code that a warp issued, with the fields of simt.Stretch: one instruction per
// round.
type Stretch struct {
	Time     uint64    // of the first instruction
	From, To int32     // indices of the kernel's code, To not included
	Active   lane.Mask // lanes that issued
	Executed lane.Mask // of the last instruction; all active lanes executed the others
	Vetoed   bool      // the join marker sent the warp elsewhere; then From is the only instruction
}
