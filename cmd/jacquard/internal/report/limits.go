package report

import (
	"cmp"
	"slices"
)

// What a page holds at most, so that a browser can show it.
const (
	mostLaunches = 2000  // in the table: half of them the first, half those with the most issues of the rest
	mostLines    = 50000 // of disassembly; kernels with fewer issues go without
)

// listed returns the launches that the page lists, in order.
func (r *Report) listed() []*Launch {
	all := make([]*Launch, len(r.Launches))
	for i := range all {
		all[i] = &r.Launches[i]
	}
	if len(all) <= mostLaunches {
		return all
	}
	rest := all[mostLaunches/2:]
	slices.SortStableFunc(rest, func(a, b *Launch) int { return cmp.Compare(b.Issues, a.Issues) })
	all = all[:mostLaunches]
	slices.SortFunc(all, func(a, b *Launch) int { return cmp.Compare(a.Number, b.Number) })
	return all
}

// coded returns how many kernels are shown with their code: the hottest, and always the first.
func (r *Report) coded() int {
	lines := 0
	for i, k := range r.Kernels {
		if lines += len(k.Code); lines > mostLines && i > 0 {
			return i
		}
	}
	return len(r.Kernels)
}
