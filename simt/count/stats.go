package count

import (
	"time"

	"jacquard/simt/check"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// Stats holds the counts of one launch. Warp-level and thread-level figures are never mixed.
type Stats struct {
	Kernel             string
	Grid               [2]int
	Block              [3]int
	Waves              int
	WarpInstructions   uint64             // issues
	ThreadInstructions uint64             // lanes that executed, summed over issues (guard false does not count)
	Active             [33]uint64         // issues by number of active lanes, before the guard
	ByInstruction      []InstructionStats // in address order; empty if the launch counts sums only
	BCC                [Slots + 1]uint64  // issues by aligned groups of eight lanes with an active lane
	QuadBCC            [Quads + 1]uint64  // issues by quads, aligned groups of four lanes, with an active lane
	SCC                [Slots + 1]uint64  // issues by groups of eight lanes that the active lanes would fill
	ReissuedJoins      uint64             // issues at which the join marker sent the warp elsewhere
	Annotations        uint64             // issues of instructions that only steer divergence
	JoinAts            [33]uint64         // issues of joinat by number of active lanes
	Arbiter            Arbiter            // issues that need an arbiter between lanes
	Memory             mem.Cost           // of accesses to memory: the sum over the instructions
	// Exactness splits warp- and thread-instructions by the exactness of their operations.
	Exactness       [tesla.Exactnesses]Executed
	Predictions     uint64            // next pcs that the policy predicted; 0 unless it has a predictor
	Mispredictions  uint64            // predictions of a pc at which no lane was
	Costs           Costs             // what a machine would pay; zero unless asked for
	Merges          uint64            // meetings of lanes that last ran apart
	MultipleMerges  uint64            // meetings of lanes of three or more issues at once
	Swaps           uint64            // issues with no lane of the warp's issue before
	MostPaths       int               // most places of the lanes of a warp at once
	DeepestStack    int               // most entries any warp's control stack held
	BarrierWaits    uint64            // rounds that warps waited at barriers, added up
	PartialBarriers uint64            // arrivals at a barrier by warps with part of their lanes active
	InStep          *check.Dependence // the first place, by block, that relies on lanes running in step; nil if none is known
	Overrun         *machine.Overrun  // the first access, by block, beyond an allocation into its slack; nil if there is none
	// Missed are barriers to which not all threads of a block came, by address: the first case of
	// each, by block.
	Missed     []*check.MissedBarrier
	Plan       program.Plan // how the blocks were interleaved
	Elapsed    time.Duration
	Incomplete bool // the launch faulted
}

// Slots is the number of groups of eight lanes, one for each step that eight processors take to
// issue a warp.
const Slots = 4

// Quads is the number of quads of a warp, one for each step that four processors take.
const Quads = 8

// SlotLanes is the number of lanes of a slot.
const SlotLanes = lane.Width / Slots

// Arbiter says how often lanes compete for a common pc or for the port to memory: C. Collange,
// "Stack-less SIMT reconvergence at low cost" (2011), section 4. A store with an exit marker needs
// both arbiters.
type Arbiter struct {
	PC      uint64 // issues of instructions after which lanes may go elsewhere than to the next
	Memory  uint64 // issues of instructions that access memory at an address of each lane
	Neither uint64 // issues that need no arbiter
}

// InstructionStats counts one static instruction.
type InstructionStats struct {
	PC       uint32     // byte address
	Issues   uint64     // warp-instructions
	Threads  uint64     // lanes that executed it
	Off      uint64     // active lanes with a false guard; 0 for a branch, which all active lanes execute
	Vetoed   uint64     // issues (counted in Issues) at which the join marker sent the warp elsewhere
	Active   [33]uint64 // issues by number of active lanes, before the guard
	Waited   uint64     // rounds that warps waited at it, if it is a barrier
	Branch   Outcomes   // zero unless it is a branch, break or return
	Memory   mem.Cost   // cost of its accesses to memory, operands in s[] and c[] included
	Operands Operands   // registers read and written; zero unless asked for
	Replays  uint64     // repeated issues of an access, for lanes not served; zero unless asked for
}

// AverageLanes returns the mean number of active lanes per issue, 0 if nothing issued.
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

// AverageLanesWithoutJoinAt is AverageLanes of all issues except joinat. C. Collange, M. Daumas, D.
// Defour, D. Parello, "Étude comparée et simulation d'algorithmes de branchements pour le GPGPU"
// (2009), section 6, leaves joinat out where a policy does not need it, and counts marked nops.
func (s *Stats) AverageLanesWithoutJoinAt() float64 {
	var n, all uint64
	for lanes := range s.Active {
		issues := s.Active[lanes] - s.JoinAts[lanes]
		n += uint64(lanes) * issues
		all += issues
	}
	if all == 0 {
		return 0
	}
	return float64(n) / float64(all)
}

// add adds the counts of instruction k to the sums of the launch.
func (s *Stats) add(k *program.Counted, in *InstructionStats) {
	s.WarpInstructions += in.Issues
	s.BarrierWaits += in.Waited
	s.ThreadInstructions += in.Threads
	s.ReissuedJoins += in.Vetoed
	s.Exactness[k.Exactness].Add(in)
	if in.Issues == in.Active[lane.Width] {
		s.Active[lane.Width] += in.Issues
	} else {
		addTo(s.Active[:], in.Active[:])
	}
	if k.Annotates {
		s.Annotations += in.Issues
	}
	if k.JoinAt {
		addTo(s.JoinAts[:], in.Active[:])
	}
	if k.Touches {
		s.Memory.Add(&in.Memory)
	}
	if k.Steers {
		s.Arbiter.PC += in.Issues
	}
	if k.Spreads {
		s.Arbiter.Memory += in.Issues
	}
	if !k.Steers && !k.Spreads {
		s.Arbiter.Neither += in.Issues
	}
}

// Outcomes says where the issues of a branch, break or return went: each is taken, not taken or
// divergent. Issues without lanes and vetoed issues have no outcome.
type Outcomes struct {
	Taken     uint64 // by all active lanes
	NotTaken  uint64 // by no lane
	Divergent uint64 // by some
	Threads   uint64 // lanes that took it
}

// count counts an issue of some lanes, of which went took the branch.
func (o *Outcomes) count(lanes, went int) {
	switch {
	case lanes == 0:
		return
	case went == lanes:
		o.Taken++
	case went == 0:
		o.NotTaken++
	default:
		o.Divergent++
	}
	o.Threads += uint64(went)
}

func (o *Outcomes) add(x *Outcomes) {
	o.Taken += x.Taken
	o.NotTaken += x.NotTaken
	o.Divergent += x.Divergent
	o.Threads += x.Threads
}

// Operands counts the general registers that an instruction reads and writes, once for each warp
// with a lane that executes it, and how many of them are uniform or affine in all live lanes. A
// register of several words counts once. Package tags counts them, on request.
type Operands struct {
	Reads, ReadsUniform, ReadsAffine    uint64
	Writes, WritesUniform, WritesAffine uint64
}

// Add adds o so many times.
func (s *Operands) Add(o *Operands, times uint64) {
	s.Reads += o.Reads * times
	s.ReadsUniform += o.ReadsUniform * times
	s.ReadsAffine += o.ReadsAffine * times
	s.Writes += o.Writes * times
	s.WritesUniform += o.WritesUniform * times
	s.WritesAffine += o.WritesAffine * times
}

// Costs are counts of package costs, on request.
type Costs struct {
	Replays      uint64 // repeated issues of accesses, for lanes that were not served
	ArbiterSteps uint64 // choices of a pc or an address by the one arbiter of a warp
	Contested    uint64 // choices of a pc among several; 0 if the policy mixes warps
	StackBeyond  uint64 // issues after which the stack was deeper than its cache
	StackSpills  uint64 // blocks of entries written to memory
	StackFills   uint64 // blocks of entries read again
}

// Executed counts executed instructions.
type Executed struct {
	WarpInstructions   uint64
	ThreadInstructions uint64
}

// Add counts the executions of an instruction.
func (e *Executed) Add(in *InstructionStats) {
	e.WarpInstructions += in.Issues
	e.ThreadInstructions += in.Threads
}
