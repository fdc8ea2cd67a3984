package simt

import "time"

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
	DeepestStack       int                // most entries any warp's control stack held
	PartialBarriers    uint64             // arrivals at a barrier by warps with only part of their lanes active
	Plan               Plan               // how the blocks were interleaved
	Elapsed            time.Duration
	Incomplete         bool // the launch faulted
}

// InstructionStats counts one static instruction.
type InstructionStats struct {
	PC      uint32 // byte address
	Issues  uint64 // warp-instructions
	Threads uint64 // lanes that executed it
	Off     uint64 // active lanes that a false guard kept from executing it
	Vetoed  uint64 // issues (counted in Issues) at which the join marker sent the warp elsewhere
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
