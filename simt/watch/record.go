package watch

import (
	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
)

// Recorder is told of every issue of a launch at the engine's pace: blocks run on several workers,
// and straight code is one call.
type Recorder interface {
	// Block is called when a block starts and returns its recorder, which may be nil. Workers call
	// it for blocks in any order, and at the same time.
	Block(b *Block) BlockRecorder

	// Keeps says, for every instruction of the program, whether BlockRecorder.Keep has its values; nil:
	// for none. It is called once, before the first block.
	Keeps() []bool

	// States says whether stretches have the states of the divergence policy. Recorded blocks then
	// run as slowly as observed ones. It is called once, before the first block.
	States() bool

	// Fault is called if the launch faults, with the block's number in the grid, before the blocks
	// that still run End. Blocks of later waves do not count, even if they have ended. Other blocks
	// of the wave may go on for at most 65,536 rounds.
	Fault(f *machine.Fault, block int)
}

// Values are what instructions of a warp left.
type Values = machine.Values

// BlockRecorder records one block. Its methods are called one at a time, by changing goroutines. The
// issues of one warp come in order; a warp may be many instructions ahead of another.
//
// Sorted by time, then warp, the issues of a block are the issues that an Observer sees.
type BlockRecorder interface {
	// Run says what warp w issued, one stretch after the other; in a Mixed block in order of time,
	// whatever the warp. The list changes after the call; registers have changed already.
	Run(w int, list []Stretch)

	// Keep says what instructions of warp w left that Keeps selects, in the order of the issues: of
	// each that at least one lane executed. The values change after the call. Run may tell of an issue
	// before or after.
	Keep(w int, v *Values)

	// Reached says that Run and Keep were called for all issues before a time, and for no later
	// issue. The time is a multiple of a fixed number of rounds; the block goes on.
	Reached(time uint64)

	// End is called when the block has ended, or was given up because the launch faulted. If the
	// block itself faulted, f is the fault. Run has told of all issues except the instruction that
	// faulted.
	End(f *machine.Fault)
}

// Stretch is straight code that a warp issued.
type Stretch struct {
	Time     uint64    // of the first instruction, in rounds since the wave began; each next one takes one round
	From, To int32     // indices of the kernel's code, To not included
	Active   lane.Mask // lanes that issued
	Executed lane.Mask // of the last instruction, as in an Issue; all active lanes executed the others
	Vetoed   bool      // it is one instruction, whose join marker sent the warp elsewhere

	// State is the policy's state when the first instruction issues; nil if the stretch before has
	// the same, or if no recorder wants States. In a Mixed block it is never nil, and the same for
	// all warps of an issue. Entries that run are at the pc of the issue, whatever their pc. It
	// must not be changed.
	State *branch.State
}
