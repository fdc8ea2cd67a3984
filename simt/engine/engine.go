package engine

import (
	"jacquard/simt/lane"
	"jacquard/simt/machine"
)

// Off names the absence of vector instructions: see Code.SIMD.
const Off = "off"

// Code is a lowered program made ready by an engine. It may serve many launches at the same time.
type Code interface {
	// New returns an engine for 1 to lane.MaxWarps warps. One goroutine at a time uses an engine.
	New(warps int) Engine

	// SIMD returns the vector instructions that the code uses: Off, avx2 or avx512.
	SIMD() string
}

// Engine executes code for the warps of one machine state.
type Engine interface {
	// Machine returns the state that the engine works on. It is the same in every call.
	Machine() *machine.State

	// Run executes the instructions with indices [from, to) for the lanes of s, in order, each for
	// all warps of s in ascending order; the warps are of one block. Run returns to, or the index
	// after the instruction in which a warp faulted. After a fault, Raised of the state is the
	// fault, and nothing of that warp's instruction has happened, except that address registers may
	// have been incremented; earlier warps are past the instruction if it is a load, store or
	// atomic. Run adds costs to Counts of the state. The caller handles control events: of a
	// control instruction, Run executes the rest, if Op.Acts.
	Run(s *lane.Sel, from, to int) int
}
