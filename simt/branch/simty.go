package branch

import (
	"slices"
	"strconv"
)

// simty is the stackless order kept in two tables, as the Simty processor does: a few paths
// in a hot window, sorted, of which the first runs; the others cold, unsorted, until there
// is room. Paths meet in the window only, so some that could do not.
//
// Unverified: how the hardware refills the window; here the longest cold path moves up
// when there is room, and the last of the window goes cold when there is none.
type simty struct {
	stackless
	hot int
}

func newSimty(chosen []string) Flow {
	hot, _ := strconv.Atoi(chosen[0])
	return newPaths(&simty{hot: hot})
}

// choose sorts the window and the path next to it, and joins those at one place.
func (s *simty) choose(p *paths) (stop uint32) {
	n := min(s.hot+1, len(p.list))
	for i := 1; i < n; i++ {
		for j := i; j > 0 && s.compare(p, j, j-1) < 0; j-- {
			p.list[j], p.list[j-1] = p.list[j-1], p.list[j]
		}
	}
	for i := n - 1; i > 0; i-- {
		if s.compare(p, i, i-1) == 0 {
			p.list[i-1].mask |= p.list[i].mask
			p.list = slices.Delete(p.list, i, i+1)
			n--
		}
	}
	p.at, stop = 0, NoStop
	for i := 1; i < n; i++ {
		if s.depth(p, i) == s.depth(p, 0) {
			stop = min(stop, p.list[i].pc)
		}
	}
	return stop
}

func (*simty) plain() Kinds { return 0 }
