package programs

import (
	"fmt"
	"io"
	"math"

	"jacquard/study/bench"
)

// Table prints rows that were measured in the same ways.
type Table struct {
	Markdown bool
	rows     []*Row // with figures
	others   []*Row
}

// Add adds a row.
func (t *Table) Add(r *Row) {
	if r.Reason != "" {
		t.others = append(t.others, r)
		return
	}
	t.rows = append(t.rows, r)
}

// Write prints the rows with figures as a table, then the programs without and their reasons.
func (t *Table) Write(w io.Writer) error {
	if len(t.rows) > 0 {
		if err := t.table().Write(w, t.Markdown); err != nil {
			return err
		}
	}
	late := false
	for _, r := range t.rows {
		late = late || r.Late
	}
	if late {
		fmt.Fprintln(w, "\n* The limit ended the program.")
	}
	if len(t.others) > 0 {
		fmt.Fprint(w, "\nNot measured:\n\n")
	}
	for _, r := range t.others {
		fmt.Fprintf(w, "- %s: %s\n", r.Program, Short(r.Reason, 160))
	}
	return nil
}

func (t *Table) table() *bench.Table {
	p := &bench.Table{
		Title: "Programs", Head: []string{"program", "launches", "warp instr"},
		Note: "million warp-instructions a second inside launches, statistics on, by workers and builds of the " +
			"simulator, a ratio above 1 being a gain; the slowest kernel, if it is much slower than the program.",
	}
	ways := t.rows[0].Ways
	shown := detailed(ways)
	p.Head = append(p.Head, byWay(ways, func(i int) string { return ways[i].Way.String() }, func(int) string { return "ratio" })...)
	p.Head = append(p.Head, "seconds", "slowest kernel", "its rate")
	for _, r := range t.rows {
		name := r.Program
		if r.Late {
			name += " *"
		}
		f := &r.Ways[shown]
		row := []string{name, fmt.Sprint(r.Launches), fmt.Sprint(f.WarpInstructions)}
		row = append(row, rates(ways, func(i int) float64 { return r.Ways[i].Rate })...)
		row = append(row, fmt.Sprintf("%.2f", f.Seconds))
		if k := f.Slowest; k != nil {
			row = append(row, Short(k.Name, 40), millions(k.Rate))
		} else {
			row = append(row, "", "")
		}
		p.Rows = append(p.Rows, row)
	}
	mean := append([]string{"geometric mean", "", ""}, rates(ways, t.mean)...)
	sum := append([]string{"sum of seconds", "", ""}, byWay(ways,
		func(i int) string { return fmt.Sprintf("%.1f", t.seconds(i)) },
		func(i int) string { return fmt.Sprintf("%.3f", t.seconds(i-1)/t.seconds(i)) })...)
	p.Rows = append(p.Rows, append(mean, "", "", ""), append(sum, "", "", ""))
	return p
}

// detailed is the last way with the number of workers of the first.
func detailed(ways []Figures) (at int) {
	for i := range ways {
		if ways[i].Workers == ways[0].Workers {
			at = i
		}
	}
	return at
}

// byWay returns a cell for each way, and behind one that differs from the way before in the build
// alone the ratio of the two.
func byWay(ways []Figures, cell, ratio func(i int) string) (cells []string) {
	for i := range ways {
		cells = append(cells, cell(i))
		if i > 0 && ways[i].Workers == ways[i-1].Workers {
			cells = append(cells, ratio(i))
		}
	}
	return cells
}

// rates prints the rate of each way, and the ratio of a second build to the first.
func rates(ways []Figures, rate func(i int) float64) []string {
	return byWay(ways, func(i int) string { return millions(rate(i)) },
		func(i int) string { return fmt.Sprintf("%.3f", rate(i)/rate(i-1)) })
}

func millions(rate float64) string { return fmt.Sprintf("%.1f", rate/1e6) }

// mean is the geometric mean of the rates in way i.
func (t *Table) mean(i int) float64 {
	logs := 0.0
	for _, r := range t.rows {
		logs += math.Log(r.Ways[i].Rate)
	}
	return math.Exp(logs / float64(len(t.rows)))
}

// seconds is the sum of the times of launches in way i.
func (t *Table) seconds(i int) (sum float64) {
	for _, r := range t.rows {
		sum += r.Ways[i].Seconds
	}
	return sum
}
