package maze

import (
	"slices"

	"jacquard/simt/branch"
)

// Shrink removes instructions from the maze while fails holds, and returns the rest. The result
// fails if m does. It need not be minimal: Shrink tries halves, then quarters, and so on down to
// single instructions.
func Shrink(m *Maze, fails func(*Maze) bool) *Maze {
	for n := len(m.Code) / 2; n > 0; n /= 2 {
		for at := len(m.Code) - n; at >= 0; at -= n {
			if less := m.without(at, n); len(less.Code) > 0 && fails(less) {
				m = less
				at = min(at, len(m.Code))
			}
		}
	}
	return m
}

// without returns the maze without the n instructions from at on. A branch to one of them leads to
// the instruction after them.
func (m *Maze) without(at, n int) *Maze {
	less := *m
	less.Code = slices.Delete(slices.Clone(m.Code), at, at+n)
	less.Table = slices.Clone(m.Table)
	for i := range less.Code {
		less.Code[i].Target = moved(less.Code[i].Target, at, n)
	}
	for i := range less.Table {
		less.Table[i] = moved(less.Table[i], at, n)
	}
	return &less
}

// moved returns the new value of a code address after n instructions were taken out at index at.
func moved(address uint32, at, n int) uint32 {
	if i := int(address / size); i > at {
		return address - uint32(min(i-at, n)*size)
	}
	return address
}

// Shrunk returns the failure in a smaller maze, where the policy fails in the same way, and the
// default policy, if that is another, does not.
func (f *Failure) Shrunk() *Failure {
	least := f
	policies := []string{f.Policy}
	if f.Policy != branch.Default {
		policies = append(policies, branch.Default)
	}
	Shrink(f.Maze, func(m *Maze) bool {
		failed := Check(m, policies).Failed
		if len(failed) != 1 || failed[0].Policy != f.Policy || failed[0].Kind != f.Kind {
			return false
		}
		least = failed[0]
		return true
	})
	return least
}
