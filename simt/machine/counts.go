package machine

import (
	"math/bits"

	"jacquard/simt/lane"
	"jacquard/simt/mem"
)

// Counts are the counters that an engine adds to. Lists are by index of the instruction.
type Counts struct {
	Off    []uint64     // active lanes with a false guard
	Access []mem.Access // to memory, by Op.Slot
	Priced bool         // the cost of accesses is counted

	// Issues counts issues by the number of active lanes, each list as differences between
	// neighbouring instructions. Lists of Issues and Taken are nil before their first use: most
	// kernels use few.
	Issues   [lane.Width + 1][]int64
	Taken    [lane.Width + 1][]uint64 // issues of a branch that all active lanes took
	Used     uint64                   // bit n: Issues[n] or Taken[n] has a list
	NotTaken []uint64                 // issues of a branch that no lane took
	Waited   []uint64                 // rounds that warps waited at a barrier

	// Cleared is how often Clear was called. A list of Issues or Taken must be fetched again when
	// it has changed.
	Cleared uint64

	taken  bool       // Take has set all counters to zero
	issues [][]int64  // spare lists of zeros for Issues
	takens [][]uint64 // spare lists of zeros for Taken
}

// NewCounts returns counters for a number of instructions, without accesses.
func NewCounts(instructions int) Counts {
	n := instructions
	return Counts{Off: make([]uint64, n), NotTaken: make([]uint64, n), Waited: make([]uint64, n)}
}

// Clear sets all counters to zero except those of accesses. Counters that were taken must be
// cleared before they count again.
func (c *Counts) Clear() {
	c.Cleared++
	if c.taken {
		c.taken = false
		return
	}
	clear(c.Off)
	clear(c.NotTaken)
	clear(c.Waited)
	for used := c.Used; used != 0; used &= used - 1 {
		n := bits.TrailingZeros64(used)
		clear(c.Issues[n])
		clear(c.Taken[n])
		c.putAway(n)
	}
}

// putAway keeps the lists for a number of lanes for reuse.
func (c *Counts) putAway(n int) {
	c.Used &^= 1 << n
	if c.Issues[n] != nil {
		c.issues, c.Issues[n] = append(c.issues, c.Issues[n]), nil
	}
	if c.Taken[n] != nil {
		c.takens, c.Taken[n] = append(c.takens, c.Taken[n]), nil
	}
}

// IssuesOf returns the list of issues with a number of active lanes.
func (c *Counts) IssuesOf(lanes int) []int64 {
	if c.Issues[lanes] == nil {
		c.Issues[lanes] = zeros(&c.issues, len(c.Off)+1)
		c.Used |= 1 << lanes
	}
	return c.Issues[lanes]
}

// TakenBy returns the list of branches that all lanes took, of a number of active lanes.
func (c *Counts) TakenBy(lanes int) []uint64 {
	if c.Taken[lanes] == nil {
		c.Taken[lanes] = zeros(&c.takens, len(c.Off))
		c.Used |= 1 << lanes
	}
	return c.Taken[lanes]
}

// zeros returns a list of n zeros, from spare if possible.
func zeros[T any](spare *[][]T, n int) (list []T) {
	last := len(*spare) - 1
	if last < 0 {
		return make([]T, n)
	}
	list, *spare = (*spare)[last], (*spare)[:last]
	return list
}

// Issue counts one issue of the instructions [from, to) by a number of active lanes.
func (c *Counts) Issue(lanes int, from, to int32) { c.IssueTimes(lanes, from, to, 1) }

// IssueTimes is Issue for several issues.
func (c *Counts) IssueTimes(lanes int, from, to int32, times int64) {
	list := c.IssuesOf(lanes)
	list[from] += times
	list[to] -= times
}

// Take adds the counters of o, of the same program, and sets them to zero, except counters of
// accesses.
func (c *Counts) Take(o *Counts) {
	o.taken = true
	take(c.Off, o.Off)
	take(c.NotTaken, o.NotTaken)
	take(c.Waited, o.Waited)
	for used := o.Used; used != 0; used &= used - 1 {
		n := bits.TrailingZeros64(used)
		if o.Issues[n] != nil {
			take(c.IssuesOf(n), o.Issues[n])
		}
		if o.Taken[n] != nil {
			take(c.TakenBy(n), o.Taken[n])
		}
		o.putAway(n)
	}
}

// take moves counters. Most of them are zero: few branches diverge, and each in few ways. It writes
// no cache lines of zeros.
func take[T int64 | uint64](sums, from []T) {
	const line = 8
	for len(from) >= line {
		s := (*[line]T)(from)
		if s[0]|s[1]|s[2]|s[3]|s[4]|s[5]|s[6]|s[7] != 0 {
			takeEach(sums[:line], s[:])
		}
		sums, from = sums[line:], from[line:]
	}
	takeEach(sums, from)
}

func takeEach[T int64 | uint64](sums, from []T) {
	for i, v := range from {
		sums[i] += v
		from[i] = 0
	}
}
