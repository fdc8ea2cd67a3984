package branch

import "jacquard/simt/lane"

// ForkOrder is the order in which the two sides of a divergent branch run.
type ForkOrder uint8

const (
	// TakenVetoed: the taken lanes go first; at the join they issue without executing, and wait for
	// the others.
	TakenVetoed ForkOrder = iota
	TakenFirst            // the taken lanes go first
	TakenLast             // the taken lanes go last
)

// Forks is a Policy that can be told at once that lanes of a warp diverged and soon met again,
// instead of each event on the way. Lanes that diverge at a branch run alone up to the join where
// they meet, and go on together.
type Forks interface {
	// Order returns which lanes go first.
	Order() ForkOrder

	// Knows reports whether lanes that diverge at the branch before next meet at pc meet, if only
	// straight-line code leads there; for NoStop, whether the policy can be told of breaks.
	Knows(next, meet uint32) bool

	// Room reports whether the control stack of warp w has room for a fork. If not, the policy must
	// be told of the events, so that they can fail.
	Room(w int) bool

	// Met says that warp w announced a join, came to a branch, and met. If parted, its lanes went
	// both ways; ways is the number of sides with instructions.
	Met(w int, parted bool, ways int)

	// Left says that warp w came to a branch to a break: the taken lanes, some but not all, left at
	// once; the others go on at next.
	Left(w int, taken lane.Mask, next uint32)
}

// Whole is a Policy that need not see what a warp does while all its live lanes are together: it is
// not told of a barrier that all of them reach and that opens, nor at once of their end.
type Whole interface {
	// Idle reports whether a barrier leaves the policy of warp w as it is.
	Idle(w int) bool

	// Passed says that warps that are Idle went through barriers as a whole, once or more often. It
	// reports whether Depth may have changed.
	Passed(warps WarpSet) (changed bool)
}

// Nesting is a Policy for which a region without divergence changes only the depth of a stack: if
// all lanes pass the announcement of a join and the join, or the announcement of a break and the
// break, or a call and its return, then lanes and stack are as before. Regions nest. The policy is
// not told of such pairs of events, or of a return that no lane takes.
//
// The policy is not told of lanes that part at a branch either. The taken lanes go first, and the
// others are one more region. At the join of a region around it, lanes that come issue without
// executing and wait until no such region is left. Lanes that break wait behind their region until
// it has no other lanes.
type Nesting interface {
	Whole

	// Spare returns how many more regions warp w can open.
	Spare(w int) int

	// Opened says that warp w opened n more regions, one within the other, and closed them again.
	Opened(w, n int)

	// Open opens one more region of warp w.
	Open(w int, r Region)

	// Close undoes Open for the regions of warp w that were opened last: as many as can be closed,
	// at most most. It appends them to list, the outermost first. To the policy, all their lanes
	// then go on together, until Go says which lanes do.
	Close(w, most int, list []Region) []Region

	// Go says which lanes of warp w go on.
	Go(w int, lanes lane.Mask)
}

// Region is what a Nesting policy keeps for lanes of a warp that go on later.
type Region struct {
	Kind  EventKind // of the announcement, or Call; Branch: lanes that go on at PC later
	PC    uint32
	Lanes lane.Mask
	Waits lane.Mask // the part of Lanes that waits at the join, or behind it after a break
}
