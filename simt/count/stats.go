package count

import (
	"time"

	"jacquard/simt/check"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
)

// Stats is what one launch counted. Warp-level and thread-level figures are never mixed.
type Stats struct {
	Kernel             string
	Grid               [2]int
	Block              [3]int
	Waves              int
	WarpInstructions   uint64             // issues
	ThreadInstructions uint64             // lanes that executed, summed over issues (guard false does not count)
	Active             [33]uint64         // issues by number of active lanes, before the guard
	ByInstruction      []InstructionStats // in address order
	BCC                [Slots + 1]uint64  // issues by aligned groups of eight lanes that have an active one
	SCC                [Slots + 1]uint64  // issues by groups of eight lanes that the active ones would fill
	ReissuedJoins      uint64             // issues at which the join marker sent the warp elsewhere
	Annotations        uint64             // issues of instructions that only steer divergence
	Arbiter            Arbiter            // issues by what they ask of an arbiter between lanes
	Memory             MemoryStats        // accesses to memory
	Merges             uint64             // meetings of lanes that last ran apart
	Swaps              uint64             // issues with no lane of the warp's issue before
	MostPaths          int                // most places where a warp's lanes stood after some had parted
	DeepestStack       int                // most entries any warp's control stack held
	BarrierWaits       uint64             // rounds that warps waited at barriers, added up
	PartialBarriers    uint64             // arrivals at a barrier by warps with only part of their lanes active
	InStep             *check.Dependence  // the first place, by block, that relies on lanes running in step; nil if none is known
	Overrun            *machine.Overrun   // the first access, by block, beyond an allocation into its slack; nil if there is none
	Plan               program.Plan       // how the blocks were interleaved
	Elapsed            time.Duration
	Incomplete         bool // the launch faulted
}

// Slots is the number of groups of eight lanes, one for each step that eight processors take to
// issue a warp.
const Slots = 4

// SlotLanes is the number of lanes of such a group.
const SlotLanes = lane.Width / Slots

// Arbiter says how often lanes compete for a common pc or for the port to memory: C.
// Collange, "Stack-less SIMT reconvergence at low cost" (2011), section 4. One that ends a
// warp with a store needs both.
type Arbiter struct {
	PC      uint64 // issues of instructions after which lanes may stand elsewhere than behind it
	Memory  uint64 // issues of instructions that access memory at an address of each lane
	Neither uint64 // issues that need no arbiter
}

// InstructionStats counts one static instruction.
type InstructionStats struct {
	PC       uint32     // byte address
	Issues   uint64     // warp-instructions
	Threads  uint64     // lanes that executed it
	Off      uint64     // active lanes that a false guard kept from executing it; all execute a branch, taken or not
	Vetoed   uint64     // issues (counted in Issues) at which the join marker sent the warp elsewhere
	Active   [33]uint64 // issues by number of active lanes, before the guard
	Waited   uint64     // rounds that warps waited at it: 0 unless it is a barrier
	Branch   Outcomes   // zero unless it is a branch, break or return
	Memory   mem.Cost   // what its accesses to memory would cost, operands in s[] and c[] included
	Operands Operands   // registers read and written; zero if nobody asked for them
}

// AverageLanes returns the mean number of active lanes an issue, 0 if nothing issued.
func (s *Stats) AverageLanes() float64 {
	if s.WarpInstructions == 0 {
		return 0
	}
	var n uint64
	for lanes, issues := range s.Active {
		n += uint64(lanes) * issues
	}
	return float64(n) / float64(s.WarpInstructions)
}

// add counts what u did in the sums of the launch.
func (s *Stats) add(u *program.Op, in *InstructionStats) {
	s.WarpInstructions += in.Issues
	s.BarrierWaits += in.Waited
	s.ThreadInstructions += in.Threads
	s.ReissuedJoins += in.Vetoed
	if in.Issues == in.Active[lane.Width] {
		s.Active[lane.Width] += in.Issues
	} else {
		addTo(s.Active[:], in.Active[:])
	}
	if u.Annotates() {
		s.Annotations += in.Issues
	}
	if u.TouchesMemory() {
		s.Memory.Add(u.Ins.Op, in)
	}
	pc, memory := u.Steers(), u.Spreads()
	if pc {
		s.Arbiter.PC += in.Issues
	}
	if memory {
		s.Arbiter.Memory += in.Issues
	}
	if !pc && !memory {
		s.Arbiter.Neither += in.Issues
	}
}
