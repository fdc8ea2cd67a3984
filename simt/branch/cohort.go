package branch

import "jacquard/simt/lane"

// Cohort is the unit of execution: lanes of one block that stand at one pc, as one mask
// per home warp. A lane never leaves its home warp's registers. Under a policy that mixes
// warps no two lanes of a cohort are in the same column.
type Cohort struct {
	PC   uint32 // byte address of the next instruction
	Stop uint32 // first pc at which the policy must be asked again, NoStop if there is none

	// Plain are the events that are no more to the policy than straight progress, if all lanes
	// of each warp go the same way and all warps to one place, and that is not on the other side of Stop: it need
	// not be told of them. A break is plain if no lane takes it.
	Plain Kinds
	lane.Sel
}

// Warps says of every warp what it issues next, where a policy does not mix warps: what a Cohort
// of that warp alone would say.
type Warps struct {
	Ready WarpSet // the rest is known of these
	PC    [lane.MaxWarps]uint32
	Stop  [lane.MaxWarps]uint32
	Mask  [lane.MaxWarps]lane.Mask
	Plain [lane.MaxWarps]Kinds

	// Nested says how deep the lanes are in code that they will leave together with others, where
	// the policy knows. It has no effect but on speed: where warps went different ways, letting
	// the innermost go first makes them meet soonest.
	Nested [lane.MaxWarps]int32
}

// NoStop means that only control instructions and join markers end a straight run.
const NoStop = ^uint32(0)

// reset empties the cohort and puts it at pc.
func (c *Cohort) reset(pc, stop uint32) {
	c.PC, c.Stop, c.Plain = pc, stop, 0
	c.N, c.Full = 0, true
}

// Empty reports whether the cohort has no lanes: nothing happens when it issues.
func (c *Cohort) Empty() bool { return c.Mask[0] == 0 }

// Warps returns the home warps of the cohort.
func (c *Cohort) Warps() WarpSet {
	var set WarpSet
	for _, w := range c.Warp[:c.N] {
		set |= 1 << w
	}
	return set
}
