package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"text/tabwriter"

	"jacquard/internal/test/maze"
)

// tally sums up the reports of all kernels so far.
type tally struct {
	policies []string
	styles   map[maze.Style]int
	refused  map[string]map[string]int // by policy and reason
	failed   []*maze.Failure
}

func newTally(policies []string) *tally {
	t := &tally{policies, map[maze.Style]int{}, map[string]map[string]int{}, nil}
	for _, p := range policies {
		t.refused[p] = map[string]int{}
	}
	return t
}

// address matches addresses, which differ between refusals for one reason.
var address = regexp.MustCompile(`0x[0-9a-f]+`)

func (t *tally) add(m *maze.Maze, r maze.Report) {
	t.styles[m.Style]++
	for policy, reason := range r.Refused {
		t.refused[policy][address.ReplaceAllString(reason, "0x..")]++
	}
	t.failed = append(t.failed, r.Failed...)
}

// shown is the number of failures that are reduced and listed; the others are only named.
const shown = 3

func (t *tally) print(out io.Writer, first, count uint64) {
	fmt.Fprintf(out, "%d kernels, seeds %d to %d:", count, first, first+count-1)
	for _, s := range slices.Sorted(maps.Keys(t.styles)) {
		fmt.Fprintf(out, " %d %s", t.styles[s], s)
	}
	fmt.Fprint(out, "\n\n")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "policy\tpassed\tfailed\trefused")
	for _, p := range t.policies {
		failed, refused := 0, 0
		for _, f := range t.failed {
			if f.Policy == p {
				failed++
			}
		}
		for _, n := range t.refused[p] {
			refused += n
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\n", p, int(count)-refused-failed, failed, refused)
		for _, reason := range slices.Sorted(maps.Keys(t.refused[p])) {
			fmt.Fprintf(w, "\t\t\t%d: %s\n", t.refused[p][reason], reason)
		}
	}
	w.Flush()
	slices.SortStableFunc(t.failed, func(a, b *maze.Failure) int { return cmp.Compare(a.Maze.Seed, b.Maze.Seed) })
	fmt.Fprintf(out, "\n%d failures\n", len(t.failed))
	for i, f := range t.failed {
		fmt.Fprintf(out, "\n%s\n", f)
		if i < shown {
			least := f.Shrunk()
			fmt.Fprintf(out, "cut down: %s\n%s", least.Reason, least.Maze)
		}
	}
}
