package branch

import "jacquard/simt/lane"

// Flow is the control state of one warp under a policy that acts within a warp. Its
// methods mirror the events of Policy; errors are plain reasons, to which perWarp adds the
// warp's number.
type Flow interface {
	// Start begins with the lanes of mask at pc 0.
	Start(mask lane.Mask)

	// Pick returns what to issue next; an empty mask is an empty issue, see Policy.Cohorts.
	// stop is the first pc at which Pick must be asked again. skippable are the events that are
	// no more than Advance if all of mask go one way. Pick is not called on a warp that waits or
	// has ended.
	Pick() (pc uint32, mask lane.Mask, stop uint32, skippable Kinds)

	// Advance says that the picked lanes ran straight on to pc.
	Advance(pc uint32)

	// Join evaluates the join marker of the instruction at pc, which the picked lanes came to,
	// and reports whether the instruction executes now, with the lanes that Pick would return.
	Join(pc uint32) (execute bool, err error)

	// Annotate carries out an event after which the picked lanes go on at next: JoinAt, BreakAddr,
	// PreReturn, QuadOn or QuadPop.
	Annotate(kind EventKind, target, next uint32) error

	Branch(taken lane.Mask, target, next uint32) error
	Break(taken lane.Mask, next uint32) error
	Call(target, next uint32) error
	Return(taken lane.Mask, next uint32) error
	Exit() error

	// Arrive puts the active lanes at a barrier; they go on at next. A policy under which a
	// warp arrives as a whole puts all live lanes there.
	Arrive(barrier uint8, next uint32) error
	// Release lets the lanes at the barrier go on. The warp's Status was Waits.
	Release()

	// Status returns whether the warp can run.
	Status() Status
	// Live returns the lanes that have not ended.
	Live() lane.Mask
	// Places appends where the live lanes are: each is in exactly one place.
	Places(to []Place) []Place
	// Depth returns the deepest the control state has been, in entries.
	Depth() int

	// Fingerprint appends the control state to bytes: equal fingerprints mean equal futures.
	Fingerprint(to []byte) []byte
}

// Status says whether a warp can run.
type Status uint8

// The values.
const (
	Runs  Status = iota // some lane can run
	Waits               // every live lane waits at one barrier
	Stuck               // every live lane waits, but not all of them at one barrier
	Ended               // no lane is live
)
