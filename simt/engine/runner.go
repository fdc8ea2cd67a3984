package engine

import (
	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// Runner is an Engine that also runs on through control instructions that no policy need be told of.
type Runner interface {
	Engine

	// RunOn runs a warp from t.At on: straight code, and control instructions whose events are all
	// in t.Skippable (program.Op.Skippable). Of these it passes
	//   - a branch on which all lanes agree, unless they take it to no instruction (Op.To is -1) or
	//     over t.Stop (Turn.Oversteps);
	//   - a break or a return that no lane takes;
	//   - any other, which leads to the next instruction.
	//
	// It may also pass announcements, joins, and breaks of all lanes, of regions that it opened
	// itself, and forks: see Turn.
	//
	// RunOn returns
	//   - before the first control instruction that it cannot pass;
	//   - before any control instruction, once t.Steps is at least t.Room; never within straight
	//     code;
	//   - when it comes to t.Stop, which is not looked at before the first step;
	//   - after an instruction that faulted.
	//
	// t.At is then the index of the next instruction, or of the faulting instruction. RunOn adds to
	// Counts of the state all that it issues, and to Steps, the faulting instruction included. An
	// instruction at index i issues at time t.Clock plus the steps before it. RunOn is not called
	// while the state has a Hook or a Recorder, or its lanes are mixed.
	RunOn(t *Turn)
}

// Turn is what a warp runs.
type Turn struct {
	Warp      int
	Lanes     lane.Mask // not empty
	At        int32     // index of the next instruction
	Stop      int32     // index at which the policy must be asked, -1 for none
	Skippable branch.Kinds
	Room      uint64 // steps after which control instructions are left to the next turn; at least 1
	Clock     uint64 // time of the first instruction
	Steps     uint64 // instructions issued, 0 before the call

	// Regions is how many regions the engine may keep open by itself: see branch.Nesting. Open are
	// the announcements of those that are open at the end, in order, and Deepest the most that were
	// open at once.
	Regions int
	Open    []int32
	Deepest int

	// Forks says that the engine may run through forks of regions that it opened, by the order
	// branch.TakenVetoed. Parted are the forks in which lanes parted. Steps include those on the
	// sides, but Counts do not.
	Forks  bool
	Parted []Parted
}

// Parted is a fork in which the lanes of a warp parted and met.
type Parted struct {
	At    int32     // index of the announcement
	Taken lane.Mask // the lanes that took the branch
}

// Oversteps reports whether a branch from one index to another leads over Stop, ahead or back.
func (t *Turn) Oversteps(at, to int32) bool {
	return to != t.Stop && (at < t.Stop) != (to < t.Stop)
}
