package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
)

// report is the outcome of a sample.
type report struct {
	Seed   uint64   `json:"seed"`
	Faults []*fault `json:"faults"`
}

func (r *report) json(out io.Writer) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// print writes a table of packages, and the survivors.
func (r *report) print(out io.Writer) {
	rows, total := map[string]map[outcome]int{}, map[outcome]int{}
	for _, f := range r.Faults {
		if rows[f.Package] == nil {
			rows[f.Package] = map[outcome]int{}
		}
		rows[f.Package][f.Outcome]++
		total[f.Outcome]++
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "package\tfaults\tfound by its tests\tfound elsewhere\tsurvived")
	line := func(name string, r map[outcome]int) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\n", name, r[own]+r[elsewhere]+r[survived], r[own], r[elsewhere], r[survived])
	}
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		line(name, rows[name])
	}
	line("total", total)
	w.Flush()
	if n := len(r.Faults); n > 0 {
		fmt.Fprintf(out, "\nseed %d: %d of %d found (%d %%), %d by the package's own tests (%d %%)\n",
			r.Seed, n-total[survived], n, 100*(n-total[survived])/n, total[own], 100*total[own]/n)
	}
	for _, f := range r.Faults {
		if f.Outcome == survived {
			fmt.Fprintln(out, f)
		}
	}
}
