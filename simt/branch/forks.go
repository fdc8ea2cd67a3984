package branch

import "jacquard/simt/lane"

// ForkOrder is the order in which the lanes of a warp go on that diverge at a branch.
type ForkOrder uint8

const (
	// TakenVetoed: the lanes that take the branch go first; at the join they issue without
	// executing, and wait for the others.
	TakenVetoed ForkOrder = iota
	TakenFirst            // the lanes that take the branch go first
	TakenLast             // the lanes that take the branch go last
)

// Forks is a Policy that can be told at once that lanes of a warp diverged and met again
// shortly after, instead of being told of each event on the way. Lanes of a warp that diverge at a
// branch run alone up to the join where they meet, and go on together.
type Forks interface {
	// Order returns which lanes go first.
	Order() ForkOrder

	// Knows reports whether lanes that diverge at the branch before address next meet at address
	// meet, if only straight code leads there; for NoStop, whether the policy can be told of breaks.
	Knows(next, meet uint32) bool

	// Room reports whether the control stack of warp w has room for a fork. If not, the policy must
	// be told of the events, so that they can fail.
	Room(w int) bool

	// Met says that warp w announced a join, came to a branch, and met. If parted, its lanes went both
	// ways; ways of the sides have instructions.
	Met(w int, parted bool, ways int)

	// Left says that warp w came to a branch to a break: the lanes taken, some but not all, left at
	// once; the others go on at next.
	Left(w int, taken lane.Mask, next uint32)
}

// Nesting is a Policy to which the regions of a warp whose lanes all go the same way mean nothing
// but the depth of a stack: if all lanes pass the announcement of a join and then the join, or that
// of a break and then a break that all take, or a call and then a return of all, lanes and stack
// are what they were. Regions lie within each other. Such pairs of events need not be told. Nor
// need a barrier at which all live lanes of a warp arrive at once, and which opens, or returns that
// no lane takes.
//
// Nor need it be told of lanes that part at a branch: those that take it go first, and the others are
// one more region. At the join of a region around it, the lanes that come issue without executing and
// wait, until there are no such others. Lanes that break wait behind their region, until it has no
// other lanes.
type Nesting interface {
	// Spare returns how many more regions warp w can open.
	Spare(w int) int

	// Opened says that warp w had n more regions open at once, which are closed again.
	Opened(w, n int)

	// Open opens one more region of warp w.
	Open(w int, r Region)

	// Close undoes Open: it takes back regions of warp w, those that were opened last, as many as can
	// be taken and at most so many. It appends them to a list, the outermost first. To the policy, all
	// their lanes then go on together, until it is told which of them Go.
	Close(w, most int, list []Region) []Region

	// Go says which lanes of warp w go on.
	Go(w int, lanes lane.Mask)
}

// Region is what a Nesting policy keeps for lanes of a warp that go on later.
type Region struct {
	Kind  EventKind // of the announcement, Call, or Branch for lanes that go on at PC later
	PC    uint32
	Lanes lane.Mask
	Waits lane.Mask // of these, those that wait at the join, or left by a break and wait behind it
}

// forking is perWarp for flows whose lanes meet at equal pcs, whatever the code announces.
type forking struct {
	*perWarp
	// meets has the only pc where lanes meet, by the address after a branch; nil: at any.
	meets map[uint32]uint32
	order ForkOrder
}

// forkingFlow is a flow of forking.
type forkingFlow interface {
	// met says that the active lanes diverged and met: see Forks.Met.
	met(ways int)
}

func (p forking) Order() ForkOrder { return p.order }
func (forking) Room(int) bool      { return true }

func (p forking) Knows(next, meet uint32) bool {
	if meet == NoStop || p.meets == nil {
		return meet != NoStop
	}
	at, ok := p.meets[next]
	return ok && at == meet
}

func (p forking) Met(w int, parted bool, ways int) {
	if parted {
		p.flows[w].(forkingFlow).met(ways)
	}
}

// Left is never called: Knows says that forking cannot be told of breaks.
func (forking) Left(int, lane.Mask, uint32) {
	panic("branch: told of a break")
}
