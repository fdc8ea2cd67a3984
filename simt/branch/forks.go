package branch

import "jacquard/simt/lane"

// ForkOrder says in which order lanes of a warp go on that part at a branch.
type ForkOrder uint8

const (
	// TakenVetoed: those that take it first; when they come to the join, they issue there without
	// executing, and are sent to wait for the others.
	TakenVetoed ForkOrder = iota
	TakenFirst            // those that take it first
	TakenLast             // those that take it last
)

// Forks is a Policy that can be told how lanes of a cohort parted and were together again
// shortly after, instead of the events on their way. Lanes of a warp that part at a branch go on by themselves
// up to the join where they meet, and then go on together.
type Forks interface {
	// Order returns who goes first.
	Order() ForkOrder

	// Knows reports whether lanes that part at the branch before address next meet at address meet, if only
	// straight code leads there; for NoStop, whether the policy can be told of breaks.
	Knows(next, meet uint32) bool

	// Room reports whether the control stack has room for what warps of c will be told to have done in a fork.
	// If not, the events must be told, so that they can fail.
	Room(c *Cohort) bool

	// Met says that c announced a join, parted at a branch, and met; parted are the warps whose lanes
	// went both ways, of which so many led through some instructions.
	Met(c *Cohort, parted WarpSet, ways int)

	// Left says that c came to a branch, which those taken, some of its lanes but not all of any warp, took to
	// a break at once; the others go on at next.
	Left(c *Cohort, taken *[lane.MaxWarps]lane.Mask, next uint32)
}

// forking is perWarp for flows in which lanes meet where they come to the same place, whatever
// the code announces.
type forking struct {
	*perWarp
	meets map[uint32]uint32 // by the address behind a branch, if they meet only there; else nil
	order ForkOrder
}

// forkingFlow is a flow of forking.
type forkingFlow interface {
	// met says that the active lanes parted and met: see Forks.
	met(ways int)
}

func (p forking) Order() ForkOrder { return p.order }
func (forking) Room(*Cohort) bool  { return true }

func (p forking) Knows(next, meet uint32) bool {
	if meet == NoStop || p.meets == nil {
		return meet != NoStop
	}
	at, ok := p.meets[next]
	return ok && at == meet
}

func (p forking) Met(c *Cohort, parted WarpSet, ways int) {
	for _, w := range c.Warp[:c.N] {
		if parted>>w&1 != 0 {
			p.flows[w].(forkingFlow).met(ways)
		}
	}
}

// Left is of policies that know breaks.
func (forking) Left(*Cohort, *[lane.MaxWarps]lane.Mask, uint32) {
	panic("branch: told of a break")
}
