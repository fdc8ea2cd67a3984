package engine

import (
	"jacquard/simt/lane"
	"jacquard/simt/machine"
)

// Off is the name for no vector instructions: see Code.SIMD.
const Off = "off"

// Code is a lowered program made ready by an engine. It may serve many launches at the same time.
type Code interface {
	// New returns an engine for a number of warps, 1 to lane.MaxWarps. Engines are used by one
	// goroutine at a time.
	New(warps int) Engine

	// SIMD returns the name of the vector instructions that the code computes with: Off, avx2 or
	// avx512.
	SIMD() string
}

// Engine executes code for the warps of one machine state.
type Engine interface {
	// Machine returns the state that the engine works on. It is the same in every call.
	Machine() *machine.State

	// Run executes the instructions with indices [from, to) for the lanes of s, one after the
	// other, each for all warps of s in ascending order; the warps are of one block. It returns to,
	// or the index after the instruction in which a warp faulted. After a fault, Raised of the
	// state is the fault, and nothing of that warp's instruction has happened, except that address
	// registers may have been incremented; earlier warps are past the instruction if it is a load,
	// store or atomic. Run adds costs to Counts of the state. The caller handles control events:
	// Run executes the rest of a control instruction, if Op.Acts.
	Run(s *lane.Sel, from, to int) int
}
