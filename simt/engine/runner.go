package engine

import (
	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// Runner is an Engine that also runs through control instructions that no policy need be told of.
type Runner interface {
	Engine

	// RunOn runs a warp from t.At on: straight-line code, and control instructions of which the
	// policy need not be told (Turn.Tells). Of these it passes
	//   - a branch on which all lanes agree, unless they take it to no instruction (Op.To is -1) or
	//     over t.Stop (Turn.Oversteps);
	//   - a break or a return that no lane takes;
	//   - any other, which leads to the next instruction. It may leave out those that act besides.
	//
	// It may also pass announcements, branches at which lanes part, and joins and breaks of regions
	// that it opened itself: see Turn.
	//
	// RunOn returns
	//   - before the first control instruction that it cannot pass;
	//   - before any control instruction, once t.Steps is at least t.Room; never within straight
	//     code;
	//   - before the first instruction that overwrites (program.Flow.Overwrites), if t.Heeds;
	//   - when it comes to t.Stop, which is not looked at before the first step;
	//   - after an instruction that faulted.
	//
	// t.At is then the index of the next instruction, or of the faulting instruction, and t.Lanes are
	// the lanes that come to it. RunOn adds to Counts of the state all that it issues, and to Steps,
	// the faulting instruction included. An instruction at index i issues at time t.Clock plus the
	// steps before it. RunOn is not called while the state's lanes are mixed.
	//
	// With a Relay, RunOn may end the turn of the warp and go on with another. A turn ends
	//   - before a control instruction, once t.Steps is at least t.Room;
	//   - before an instruction that overwrites, if the warp is in Relay.Fresh;
	//   - behind a barrier, at which a warp arrives with all lanes that have not ended;
	//   - where all lanes exit, or return from the kernel in a program without functions.
	//
	// When a pass is over, RunOn may start another, and go on to the next turn of the block until
	// Relay.Last: it moves End and Until.
	//
	// Warp, Clock, Steps and Lanes are then those of the last warp, or Warp is -1 if its turn is over
	// too. Moves of a warp whose turn RunOn ended end with Parked. A turn has no moves if it is one of
	// all 32 lanes, which stay together, and the warp had none before.
	RunOn(t *Turn)
}

// Turn is what a warp runs.
type Turn struct {
	Warp     int
	Lanes    lane.Mask     // lanes that go on, not empty
	At       int32         // index of the next instruction
	Stop     int32         // index at which the policy must be asked, -1 for none
	Tells    []branch.Tell // by instruction
	Room     uint64        // steps after which control instructions are left to the next turn; at least 1
	Clock    uint64        // time of the first instruction
	Heeds    bool          // the turn ends before the first instruction that overwrites
	Steps    uint64        // instructions issued, 0 before the call
	Branches uint32        // branches that it passed, 0 before the call; unknown with a Relay

	Kept

	// Moves are the divergence of the warp, in order.
	Moves []Move

	// Cuts are what a recorder is told of the turn, in order, if the state has one. Recorder.Partial
	// adds to them.
	Cuts []Cut

	Relay *Relay // nil: this warp alone has its turn
}

// Kept are the regions that the engine keeps in a turn: see branch.Nesting.
type Kept struct {
	Regions int // how many the engine may keep open by itself
	// Open has the open regions of the warp before the call, at most MostLent, and all open regions
	// after it, warp by warp; the outermost first.
	Open    []Region
	Deepest int // the most regions open at once
}

// Region is what a policy keeps on a stack for lanes that go on later: at a join, behind a loop, or
// on the other side of a branch.
type Region struct {
	Warp  int
	At    int32 // index of the announcement or the branch
	Lanes lane.Mask
	Waits lane.Mask // the part of Lanes that waits at the join, or behind it after a break
}

// Cut is where straight code ends that lanes of a warp issued together: at a branch that they took,
// behind an instruction that some of them executed, or none, where lanes part or meet, and where the
// turn ends.
type Cut struct {
	End      int32     // index behind the last instruction
	Next     int32     // index at which the warp goes on
	Executed lane.Mask // lanes that executed the last instruction, or took the branch
	Lanes    lane.Mask // lanes that go on, 0 for the same
	Kind     CutKind
	Warp     int32  // of TurnBegins
	Time     uint64 // of TurnBegins
	Kept     uint64 // of TurnBegins: where the values of Warp begin
}

// CutKind says what a Cut means.
type CutKind uint32

// The kinds of cuts.
const (
	Straight   CutKind = iota // lanes go on at Next
	Vetoed                    // the same; the last instruction is a join, which sent the lanes elsewhere
	TurnEnds                  // no lane goes on
	TurnBegins                // Lanes of Warp go on at Next, at Time; the other fields mean nothing
)

// MostLent is how many regions a turn may begin with.
const MostLent = 16

// Move is a step at which lanes of a warp part or meet.
type Move struct {
	At    int32     // index of the branch or join; of a fork, of the announcement
	Lanes lane.Mask // lanes that go on, or will; of a fork, lanes that take the branch
	Steps uint32    // of the turn, when these lanes begin
	Kind  MoveKind
}

// MoveKind says what happens at a move.
type MoveKind uint32

// The kinds of moves. Counts of the state has all issues except the sides of Forked; Steps has them
// too.
const (
	Forked   MoveKind = iota // lanes part in a fork, and meet
	Parted                   // the lanes that take a branch go on, the others later
	Waited                   // the first lanes of a region wait at its join, and others go on
	WaitedIn                 // the same, but lanes wait there already
	Met                      // all lanes of a region go on, from its join or behind its break
	Broke                    // the first lanes of a region break and wait, and others go on
	BrokeIn                  // the same, but lanes wait there already
	Parked                   // the turn of the warp with number At ends: see Relay
)

// Oversteps reports whether a branch from at to to leads over Stop, ahead or back.
func (t *Turn) Oversteps(at, to int32) bool {
	return to != t.Stop && (at < t.Stop) != (to < t.Stop)
}
