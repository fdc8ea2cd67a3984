package watch

import (
	"jacquard/simt/lane"
	"jacquard/simt/machine"
)

// Recorder is told of a launch what an Observer is told, but puts up with how the engine runs
// without an Observer: blocks on several workers, in convoys, straight code at one go, warps ahead
// of others.
type Recorder interface {
	// Block is called when a block starts and returns what records it; it may return nil. Workers
	// call it for blocks in any order, and at the same time.
	Block(b *Block) BlockRecorder

	// Keeps says, for every instruction of the program, whether BlockRecorder.Keep is to be called
	// for it; nil if for none. It is asked once, before the first block.
	Keeps() []bool

	// Fault is called if the launch faults, before the blocks that are left End: it is in the wave
	// of a block of the grid. Those of later waves, some of which may have ended already, do not
	// count. Others of its wave may go on, at most 65,536 rounds.
	Fault(f *machine.Fault, block int)
}

// BlockRecorder records one block. Its methods are called one at a time, by one goroutine or
// another. What one warp does is told in order; of several warps one may be many instructions ahead
// of another.
//
// Time and warp order the issues of a block as an Observer sees them: warps that issue at one time
// at one place, all with active lanes or all without, and no warp between them elsewhere, are one
// Issue; all warps of one time are if the block is Mixed.
type BlockRecorder interface {
	// Run is told what warp w issued, one stretch after the other; of a Mixed block in order of
	// time, whatever the warp. What is in the list changes after the call, and registers are no
	// longer what they were.
	Run(w int, list []Stretch)

	// Keep is called after warp w carried out the instruction at an index of the kernel's code, for
	// the lanes of executed, of which there is one at least: registers hold what it left. Addresses
	// are as in WarpIssue. Run may be told of it before or after.
	Keep(b *Block, index, w int, executed lane.Mask, addresses *lane.Row)

	// Reached says that Run was told, and Keep called, for all that warps issued before a time and
	// nothing else. That is a multiple of some number of rounds; the block goes on.
	Reached(time uint64)

	// End is called when the block has ended, or was given up because the launch faulted. If the
	// block itself did, f says how: what its warps were ahead of that, and what they issued
	// together with what did wrong, Run may have been told of, but it did not happen.
	End(f *machine.Fault)
}

// Stretch is straight code that a warp issued.
type Stretch struct {
	Time     uint64    // of the first instruction, in rounds since the block's wave began; the others follow it
	From, To int32     // indices of the kernel's code, To not included
	Active   lane.Mask // lanes that issued
	Executed lane.Mask // of the last instruction, as in an Issue; all active lanes executed those before
	Vetoed   bool      // the join marker sent the warp elsewhere before it could execute; then it is of one instruction
}
