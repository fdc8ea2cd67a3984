package schedule

import (
	"slices"

	"jacquard/simt/branch"
	"jacquard/simt/program"
)

// tells keeps what a policy must be told of, by instruction: one list for each Kinds that it says.
type tells struct {
	p      *program.Program
	policy branch.Policy
	kinds  []branch.Kinds
	lists  [][]branch.Tell // by kinds
}

// of returns the list for some Kinds, which must not be changed.
func (t *tells) of(k branch.Kinds) []branch.Tell {
	for i, known := range t.kinds {
		if k == known {
			return t.lists[i]
		}
	}
	selective, _ := t.policy.(branch.Selective)
	list := program.Tells(t.p, k, selective)
	t.kinds, t.lists = append(slices.Clip(t.kinds), k), append(slices.Clip(t.lists), list)
	return list
}
