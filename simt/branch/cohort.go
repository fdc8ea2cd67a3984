package branch

import "jacquard/simt/lane"

// Cohort is the unit of execution: lanes of one block at one pc, as one mask per home warp. A
// lane never leaves its home warp's registers. Under a policy that mixes warps no two lanes of
// a cohort are in the same column.
type Cohort struct {
	PC   uint32 // byte address of the next instruction
	Stop uint32 // first pc at which the policy must be asked again, NoStop if there is none

	// Skippable are the events that are straight progress to the policy, and of which it need not
	// be told, if all lanes go to one place and that is not on the other side of Stop. A break is
	// skippable if no lane takes it.
	Skippable Kinds
	lane.Sel
}

// Warps holds what each warp issues next, under a policy that does not mix warps: what a Cohort
// of that warp alone would say.
type Warps struct {
	Ready     WarpSet // the warps that the other fields are valid for
	PC        [lane.MaxWarps]uint32
	Stop      [lane.MaxWarps]uint32
	Mask      [lane.MaxWarps]lane.Mask
	Skippable [lane.MaxWarps]Kinds

	// Nested is how many regions the lanes are in that they will leave together with others, where
	// the policy knows. It affects speed only: warps that went different ways meet soonest if the
	// innermost goes first.
	Nested [lane.MaxWarps]int32
}

// NoStop means that only control instructions and join markers end a straight run.
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
	PC      uint32    // byte address of their next instruction
	Lanes   lane.Mask // never empty
	Blocked bool      // they wait at a barrier of the block
}

// appendPlace adds a place for the lanes of m, if there are any.
func appendPlace(to []Place, pc uint32, m lane.Mask) []Place {
	if m == 0 {
		return to
	}
	return append(to, Place{PC: pc, Lanes: m})
}
