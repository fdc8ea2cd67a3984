package maze

import "slices"

// Shrink returns the maze with as many instructions taken out as can be while fails holds.
// The result fails, if m does. It need not be minimal: parts are tried in halves, then
// quarters, and so on down to single instructions.
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

// without returns the maze without the n instructions from at on. What led to them leads
// behind them.
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

// moved returns what becomes of a code address when n instructions go away at index at.
func moved(address uint32, at, n int) uint32 {
	if i := int(address / size); i > at {
		return address - uint32(min(i-at, n)*size)
	}
	return address
}

// Shrunk returns the failure in a smaller maze: the policy goes wrong there in the same
// way, while the hardware's own policy does not, if it is another.
func (f *Failure) Shrunk() *Failure {
	least := f
	Shrink(f.Maze, func(m *Maze) bool {
		policies := []string{f.Policy}
		if f.Policy != hardware {
			policies = append(policies, hardware)
		}
		failed := Check(m, policies).Failed
		if len(failed) != 1 || failed[0].Policy != f.Policy || failed[0].Kind != f.Kind {
			return false
		}
		least = failed[0]
		return true
	})
	return least
}

// hardware is the policy that mazes are written for.
const hardware = "nvidia"
