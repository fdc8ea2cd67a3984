package branch

import "jacquard/simt/lane"

// WarpSet is a set of warps of one block, bit w for warp w.
type WarpSet uint16

// EventKind names what a control instruction asks of a policy.
type EventKind uint8

// The events. Lanes are those for which the guard holds; instructions without a guard
// name all active lanes.
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
// comes to a policy as one does.
type Kinds uint16

// KindsOf returns a set of events.
func KindsOf(list ...EventKind) (set Kinds) {
	for _, k := range list {
		set |= 1 << k
	}
	return set
}

// JoinMarker is the set of the join marker alone.
const JoinMarker Kinds = 1

// choices are events that are plain where it only matters where lanes go.
const choices Kinds = 1<<Branch | 1<<Break

// ignored are the annotations that schemes which read the code instead can do without.
const ignored = JoinMarker | 1<<JoinAt | 1<<QuadOn | 1<<QuadPop

// Event is one control instruction, executed by a cohort. For an indirect Branch, each
// home warp has its own Targets and Nexts instead of Target and Next; lanes of a warp with
// different targets come as several events, those that remain being sent back to the branch.
type Event struct {
	Kind           EventKind
	Target         uint32
	Next           uint32 // byte address after the instruction
	Barrier        uint8  // of Arrive
	Indirect       bool
	Targets, Nexts [lane.MaxWarps]uint32    // belong to the cohort's Warp[i]
	Lanes          [lane.MaxWarps]lane.Mask // Lanes[i] belongs to the cohort's Warp[i]; subset of its mask
}

// Policy is a divergence scheme at work in one block. It owns the control state (pcs,
// masks, stacks) and is told of every control event; it never sees registers or memory.
//
// The multiprocessor asks for Cohorts, runs them, and hands over Join and Control when one
// stands at an instruction that needs them; before it asks again it reports with Advance how
// far a straight run came. A policy must keep this invariant: the live lanes are
// partitioned into those that run, those that wait, and those blocked at a barrier.
type Policy interface {
	// Mixes reports whether a cohort is one issue, made of parts of several warps in different
	// lane columns. Such a policy regroups the whole block: Cohorts returns the one cohort to run
	// next, whatever warps it is asked for, and the block has one time.
	Mixes() bool

	// Start begins a block: masks[w] are warp w's lanes, all at pc 0.
	Start(masks []lane.Mask)

	// Cohorts fills out with the cohorts, lowest warp first, of those of the given warps
	// that are ready, and returns how many there are: none if all of them wait at a barrier
	// or have ended. out has room for a cohort per warp. The masks of a cohort are all empty
	// or none is. An empty one stands for schemes that fetch an instruction before they know
	// whether anybody needs it: it is counted as an issue, has no effect and cannot fault, and
	// comes to Control and Advance like any other. It must stand at an instruction.
	Cohorts(of WarpSet, out []Cohort) int

	// Warps returns what each warp issues next, kept up to date by the policy; nil if it mixes warps.
	Warps() *Warps

	// Advance says that c ran on to pc: straight, or through events of c.Plain.
	Advance(c *Cohort, pc uint32)

	// Follow refreshes c after Control or Advance. It reports false if the lanes of c no
	// longer form one cohort that is ready, and then the policy must be asked for Cohorts.
	Follow(c *Cohort) bool

	// Join evaluates the join marker of the instruction c stands at, before it executes.
	// On return c holds the lanes that execute it; warps the policy sent elsewhere are
	// gone from c, which may leave it empty.
	Join(c *Cohort) error

	// Control carries out e for the whole of c. It returns the warps of c all of whose live
	// lanes now wait at one barrier. That can be the last to arrive, or the end of the lanes
	// that others waited for. The error, as that of Join, is a *StackError or StackErrors; it has been
	// carried out for the warps that are not named there.
	Control(c *Cohort, e *Event) (WarpSet, error)

	// Release lets warps that Control reported go on.
	Release(warps WarpSet)

	// Alive returns the warps that still have lanes to run.
	Alive() WarpSet

	// Depth returns the deepest the control state of any warp has been, in entries.
	Depth() int

	// Fingerprint appends the control state of all warps to bytes, for finding out that it
	// came back: two equal ones mean equal futures.
	Fingerprint(to []byte) []byte

	// Live returns the lanes of warp w that have not ended.
	Live(w int) lane.Mask

	// Places appends where the live lanes of warp w are: each is in exactly one place.
	Places(w int, to []Place) []Place
}

// StackError says that a kernel misused the control stack.
type StackError struct {
	Warp   int
	Reason string
}

// Error returns the reason; the caller adds kernel, block and pc.
func (e *StackError) Error() string { return e.Reason }

// StackErrors are what several warps of a cohort did wrong, lowest warp first.
type StackErrors []*StackError

// Error returns the first reason.
func (l StackErrors) Error() string { return l[0].Reason }

// Unwrap returns the errors.
func (l StackErrors) Unwrap() []error {
	list := make([]error, len(l))
	for i, e := range l {
		list[i] = e
	}
	return list
}
