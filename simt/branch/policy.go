package branch

import "jacquard/simt/lane"

// WarpSet is a set of warps of one block, bit w for warp w.
type WarpSet uint16

// EventKind names the request of a control instruction to a policy.
type EventKind uint8

// The events. Lanes are the active lanes in which the guard holds: all, without a guard.
const (
	Branch    EventKind = iota + 1 // Lanes go to Target, the others to Next
	JoinAt                         // announce the reconvergence point Target
	BreakAddr                      // announce where Break leads
	Break                          // Lanes leave for the innermost break address
	Call                           // all go to Target and come back to Next
	PreReturn                      // announce where Return leads, without going anywhere
	Return                         // Lanes leave the innermost call, or end outside one
	Exit                           // all active lanes end
	Arrive                         // all active lanes wait at a barrier, then go on at Next
	QuadOn                         // whole quads become active, ended lanes included
	QuadPop                        // undo QuadOn
)

// Kinds is a set of events, bit k for EventKind k. Bit 0 is the join marker, which is no event but
// reaches a policy in the same way. Bits from caseBit on are a number that says more to a Selective
// policy.
type Kinds uint32

// caseBit is the lowest bit of the number in Kinds.
const caseBit = 16

// Selective is a Policy that can skip some control instructions of a kind and not others.
type Selective interface {
	// Tells reports what the policy must be told of, of the instruction with an index in Kernel.Code,
	// in a cohort with the Kinds as Skippable, which have the kind of the instruction.
	Tells(k Kinds, at int) Tell
}

// Tell says when a policy must be told of a control instruction.
type Tell uint8

// The values.
const (
	TellNever       Tell = iota // all lanes go one way, or a break or return that no lane takes
	TellAlways                  // whatever lanes do
	TellUnlessTaken             // unless all lanes take the branch
)

// KindsOf returns a set of events.
func KindsOf(list ...EventKind) (set Kinds) {
	for _, k := range list {
		set |= 1 << k
	}
	return set
}

// JoinMarker is the set of the join marker alone.
const JoinMarker Kinds = 1

// choices are the events that a policy can skip if it only has to know where lanes are.
const choices Kinds = 1<<Branch | 1<<Break | 1<<Return

// annotations are the events that a policy can skip if it reads the code instead.
const annotations = JoinMarker | 1<<JoinAt | 1<<QuadOn | 1<<QuadPop

// Event is one control instruction, executed by a cohort. For an indirect Branch, each home warp
// has its own Targets and Nexts instead of Target and Next. If lanes of a warp have different
// targets, one event sends the lanes of one target away and the others back to the branch.
type Event struct {
	Kind           EventKind
	Target         uint32
	Next           uint32 // byte address after the instruction
	Barrier        uint8  // of Arrive
	Indirect       bool
	Targets, Nexts [lane.MaxWarps]uint32    // [i] belongs to the cohort's Warp[i], as in Lanes
	Lanes          [lane.MaxWarps]lane.Mask // subsets of the cohort's masks
}

// Policy is a divergence policy at work in one block. It owns the control state (pcs, masks,
// stacks) and is told of every control event; it never sees registers or memory.
//
// The schedule runs cohorts: one warp of Warps, or a cohort that a Mixing policy forms. Where a
// cohort comes to an instruction that the policy must know of, the schedule calls Join or Control.
// It reports runs of straight-line code with Advance before it asks again. The masks of a cohort
// are all empty or none is. An empty cohort is an instruction that a policy fetches before it
// knows whether a lane needs it: it counts as an issue, has no effect, cannot fault, and comes to
// Control and Advance as any other. Its PC must be the address of an instruction.
//
// A policy must keep this invariant: every live lane runs, waits for other lanes, or is blocked at
// a barrier.
type Policy interface {
	// Start begins a block: masks[w] are warp w's lanes, all at pc 0.
	Start(masks []lane.Mask)

	// Warps returns the next issue of each warp, kept up to date by the policy; nil if it is
	// Mixing.
	Warps() *Warps

	// Advance says that c ran on to pc: straight, or through events of c.Skippable.
	Advance(c *Cohort, pc uint32)

	// Join evaluates the join marker of the instruction at c.PC, before it executes. It leaves in c
	// the lanes that execute the instruction, and drops the warps that it sent elsewhere; c may
	// become empty.
	Join(c *Cohort) error

	// Control carries out e for the whole of c. It returns the warps of c all of whose live lanes
	// now wait at one barrier: the last lane arrived, or the missing lanes ended. The error is a
	// *StackError, as for Join.
	Control(c *Cohort, e *Event) (WarpSet, error)

	// Release lets warps that Control reported go on.
	Release(warps WarpSet)

	// Alive returns the warps that still have lanes to run.
	Alive() WarpSet

	// Depth returns the most entries that the control state of any warp has had.
	Depth() int

	// State appends the policy's state of warp w, nothing if the warp has ended. If the policy
	// mixes warps, it appends the state of the block, whatever w. If all arrivals were reported,
	// equal states imply equal futures. The livelock check relies on this. The pc of an entry that
	// runs may be the start of its run of straight-line code.
	State(w int, to State) State

	// Live returns the lanes of warp w that have not ended.
	Live(w int) lane.Mask

	// Places appends the places of the live lanes of warp w: each lane is in exactly one place.
	Places(w int, to []Place) []Place
}

// Counting is a Policy that wants to know how many branches it was not told of.
type Counting interface {
	// Counts reports whether the policy wants to know.
	Counts() bool

	// Branched says that warp w passed n branches that its Cohort let it skip.
	Branched(w, n int)
}

// Nested is a Policy that may not know its Depth, because the warps ran through the code without a
// word.
type Nested interface {
	// Depths returns, by index in Kernel.Code, the depth of a warp that issued the instruction; nil if
	// Depth is right.
	Depths() []int
}

// Mixing is a Policy whose issues can hold lanes of several warps, in different columns. It
// regroups the whole block, which has one time.
type Mixing interface {
	Policy

	// Form makes c the cohort to run next. It reports false if all warps wait at a barrier or have
	// ended.
	Form(c *Cohort) bool
}

// Mixes reports whether a policy is Mixing.
func Mixes(p Policy) bool {
	_, mixing := p.(Mixing)
	return mixing
}

// StackError says that a kernel misused the control stack.
type StackError struct {
	Warp   int
	Reason string
}

// Error returns the reason; the caller adds kernel, block and pc.
func (e *StackError) Error() string { return e.Reason }

// Cohort is the unit of execution: lanes of one block at one pc, as one mask per home warp. It has
// one home warp unless the policy is Mixing. A lane never leaves its home warp's registers. No two
// lanes of a cohort are in the same column, unless lanes may leave their columns; there are never
// more lanes than columns.
type Cohort struct {
	PC   uint32 // byte address of the next instruction
	Stop uint32 // first pc at which the policy must be asked again, NoStop if there is none

	// Skippable are the events that the policy takes for straight progress, and need not be told
	// of, if all lanes go to one place and that is not beyond Stop. A break or a return is
	// skippable if no lane takes it.
	Skippable Kinds
	lane.Sel
}

// Warps holds the next issue of each warp, its Cohort, under a policy that is not Mixing.
type Warps struct {
	Ready     WarpSet // the warps for which the other fields are valid
	PC        [lane.MaxWarps]uint32
	Stop      [lane.MaxWarps]uint32
	Mask      [lane.MaxWarps]lane.Mask
	Skippable [lane.MaxWarps]Kinds
}

// NoStop means that only control instructions and join markers end a run of straight-line code.
const NoStop = ^uint32(0)

// reset empties the cohort and puts it at pc.
func (c *Cohort) reset(pc, stop uint32) {
	c.PC, c.Stop, c.Skippable = pc, stop, 0
	c.N, c.Full = 0, true
}

// Empty reports whether the cohort has no lanes: its issue has no effect.
func (c *Cohort) Empty() bool { return c.Mask[0] == 0 }

// Warps returns the home warps of the cohort.
func (c *Cohort) Warps() WarpSet {
	var set WarpSet
	for _, w := range c.Warp[:c.N] {
		set |= 1 << w
	}
	return set
}

// Place is a pc and the live lanes of a warp that are there. They need not run together.
type Place struct {
	PC      uint32    // byte address of the lanes' next instruction
	Lanes   lane.Mask // never empty
	Blocked bool      // the lanes wait at a barrier of the block
}

// appendPlace adds a place for the lanes of m, if there are any.
func appendPlace(to []Place, pc uint32, m lane.Mask) []Place {
	if m == 0 {
		return to
	}
	return append(to, Place{PC: pc, Lanes: m})
}
