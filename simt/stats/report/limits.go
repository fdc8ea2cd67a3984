package report

import (
	"cmp"
	"slices"
)

// What a page holds at most, so that a browser can show it.
const (
	mostLaunches = 2000  // in the table: half of them the first, half those with the most issues of the rest
	mostLines    = 50000 // of disassembly; kernels with fewer issues go without, and so does one with more lines
)

// keep leaves the launches that the page lists, in order.
func (r *Report) keep() {
	if len(r.Launches) <= mostLaunches {
		return
	}
	rest := r.Launches[mostLaunches/2:]
	slices.SortFunc(rest, func(a, b Launch) int {
		return cmp.Or(cmp.Compare(b.Issues, a.Issues), cmp.Compare(a.Number, b.Number))
	})
	clear(r.Launches[mostLaunches:])
	r.Launches = r.Launches[:mostLaunches]
	slices.SortFunc(r.Launches, func(a, b Launch) int { return cmp.Compare(a.Number, b.Number) })
}

// coded returns how many kernels are shown with their code: the hottest.
func (r *Report) coded() int {
	lines := 0
	for i, k := range r.Kernels {
		if lines += len(k.Code); lines > mostLines {
			return i
		}
	}
	return len(r.Kernels)
}
