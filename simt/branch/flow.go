package branch

import "jacquard/simt/lane"

// Flow is the control state of one warp under a scheme that acts within a warp. Its
// methods mirror the events of Policy; errors are returned as plain reasons and get the
// warp's number from the adapter.
type Flow interface {
	// Start begins with the lanes of mask at pc 0.
	Start(mask lane.Mask)

	// Pick returns what to issue next. stop is the first pc at which Pick must be asked
	// again. mask is empty where nobody needs what the scheme fetches: see Policy.Cohorts. plain are
	// the events that, if all of mask go one way, are no more than Advance to where they go. It is not called on a warp that waits or is dead.
	Pick() (pc uint32, mask lane.Mask, stop uint32, plain Kinds)

	// Advance says that the picked lanes ran straight on to pc.
	Advance(pc uint32)

	// Join evaluates the join marker of the instruction at pc, where the picked lanes came to
	// stand, and reports whether the instruction executes now, with the lanes Pick would return.
	Join(pc uint32) (execute bool, err error)

	Branch(taken lane.Mask, target, next uint32) error
	JoinAt(target, next uint32) error
	BreakAddr(target, next uint32) error
	Break(taken lane.Mask, next uint32) error
	Call(target, next uint32) error
	PreReturn(target, next uint32) error
	Return(taken lane.Mask, next uint32) error
	Exit() error
	QuadOn(next uint32) error
	QuadPop(next uint32) error

	// Arrive puts the active lanes at a barrier; they go on at next. A scheme in which a
	// warp arrives as a whole puts all live lanes there.
	Arrive(barrier uint8, next uint32) error
	// Release lets the lanes at the barrier go on. The warp's Standing was Waits.
	Release()

	// Standing returns what can become of the warp.
	Standing() Standing
	// Live returns the lanes that have not ended.
	Live() lane.Mask
	// Places appends where the live lanes are: each is in exactly one place.
	Places(to []Place) []Place
	// Depth returns the deepest the control state has been, in entries.
	Depth() int

	// Fingerprint appends the control state to bytes: two equal ones mean equal futures.
	Fingerprint(to []byte) []byte
}
