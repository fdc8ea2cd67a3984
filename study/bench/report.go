package bench

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// Report prints results as tables: of kernels, of classes and of costs, if there are any. Markdown
// selects the form for documents, not terminals.
type Report struct{ Markdown bool }

// Table is a table to print. The first column names the row.
type Table struct {
	Title, Note string
	Head        []string
	Rows        [][]string
}

// Write prints the tables of all results.
func (p Report) Write(w io.Writer, all []*Result) error {
	for i, t := range tables(all) {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := t.Write(w, p.Markdown); err != nil {
			return err
		}
	}
	return nil
}

// Write prints the table, for a terminal or for a document.
func (t *Table) Write(out io.Writer, markdown bool) error {
	if markdown {
		fmt.Fprintf(out, "### %s\n\n%s\n\n| %s |\n|---|%s\n",
			t.Title, lines(t.Note), strings.Join(t.Head, " | "), strings.Repeat("--:|", len(t.Head)-1))
		for _, row := range t.Rows {
			fmt.Fprintf(out, "| %s |\n", strings.Join(row, " | "))
		}
		return nil
	}
	fmt.Fprintf(out, "%s: %s\n", t.Title, t.Note)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		fmt.Fprintln(w, strings.Join(row, "\t")+"\t")
	}
	return w.Flush()
}

// lines breaks a text into lines as pages have them.
func lines(text string) string {
	const width = 100
	column := 0
	var b strings.Builder
	for _, word := range strings.Fields(text) {
		if column > 0 && column+1+len(word) > width {
			b.WriteByte('\n')
			column = 0
		} else if column > 0 {
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}

// sorted separates results of kernels, of classes and of costs.
func sorted(all []*Result) (kernels, classes, costs []*Result) {
	for _, r := range all {
		switch {
		case r.Class:
			classes = append(classes, r)
		case r.Relative != 0:
			costs = append(costs, r)
		default:
			kernels = append(kernels, r)
		}
	}
	return kernels, classes, costs
}

// tables makes tables of results, without empty ones.
func tables(all []*Result) (list []*Table) {
	kernels, classes, costs := sorted(all)
	for _, t := range []*Table{kernelTable(kernels), classTable(classes), costTable(costs)} {
		if len(t.Rows) > 0 {
			list = append(list, t)
		}
	}
	return list
}

// settings returns the distinct settings of results, in order of appearance.
func settings[K comparable](all []*Result, of func(r *Result) K) (list []K) {
	for _, r := range all {
		if k := of(r); !slices.Contains(list, k) {
			list = append(list, k)
		}
	}
	return list
}

// setting is how a kernel was run.
type setting struct {
	simd    string
	workers int
}

func settingOf(r *Result) setting { return setting{r.SIMD, r.Workers} }

// detailed is the last setting with the least workers: the one with the best vector instructions.
func detailed(kernels []*Result) (best setting) {
	for i, s := range settings(kernels, settingOf) {
		if i == 0 || s.workers <= best.workers {
			best = s
		}
	}
	return best
}

// besideDevice is the peak memory minus the device's, in MB.
func (r *Result) besideDevice() float64 {
	return float64(max(r.PeakBytes, r.DeviceBytes)-r.DeviceBytes) / (1 << 20)
}

// figure prints a known number; "" if unknown.
func figure(format string, v float64, known bool) string {
	if !known || v == 0 {
		return "-"
	}
	return fmt.Sprintf(format, v)
}

// kernelTable has one row per kernel: speeds, and details of the last setting with the least
// workers.
func kernelTable(all []*Result) *Table {
	t := &Table{Title: "Kernels", Head: []string{"kernel", "warp instr"}}
	ways := settings(all, settingOf)
	for _, s := range ways {
		t.Head = append(t.Head, fmt.Sprintf("%s, %d", s.simd, s.workers))
	}
	t.Head = append(t.Head, "G lane op/s", "ns", "host adds", "times C", "statistics", "MB")
	details := detailed(all)
	for _, name := range settings(all, func(r *Result) string { return r.Kernel }) {
		row := make([]string, 2+len(ways))
		row[0] = name
		var rest []string
		for _, r := range all {
			if r.Kernel != name {
				continue
			}
			row[1] = fmt.Sprint(r.WarpInstructions)
			row[2+slices.Index(ways, settingOf(r))] = fmt.Sprintf("%.1f", r.WarpInstructionsPerSecond/1e6)
			if settingOf(r) == details {
				c, known := r.compared()
				rest = []string{
					fmt.Sprintf("%.2f", r.ThreadInstructionsPerSecond/1e9), fmt.Sprintf("%.1f", r.Nanoseconds()),
					figure("%.1f", c.HostAdds, known), figure("%.1f", c.Slowdown, known), figure("%+.1f %%", 100*(r.Counting-1), r.Counting != 0),
					figure("%.0f", r.besideDevice(), r.PeakBytes != 0),
				}
			}
		}
		t.Rows = append(t.Rows, append(row, rest...))
	}
	t.Note = fmt.Sprintf("million warp-instructions a second by vector instructions and workers, statistics on; then, for %s and %d, "+
		"lane operations, the time of a warp-instruction, the same in adds of 32 lanes compiled with all vector instructions%s, the slowdown "+
		"against plain C on one core, how much longer statistics make a launch, and the process's peak memory without the device's.", details.simd, details.workers, hostNote(all))
	return t
}

// compared returns the result's comparison, if there is one.
func (r *Result) compared() (c Comparison, known bool) {
	if r.Comparison == nil {
		return c, false
	}
	return *r.Comparison, true
}

// hostNote gives the times of the host's own operations.
func hostNote(all []*Result) string {
	if len(all) == 0 || all[0].Comparison == nil {
		return ""
	}
	c := all[0].Comparison
	return fmt.Sprintf(" (%.2f ns; the multiply-add, exact, %.1f ns; the reciprocal, exact, %.1f ns)", c.HostAddNS, c.HostMadNS, c.HostSFUNS)
}

// classTable has one row per class.
func classTable(all []*Result) *Table {
	t := &Table{
		Title: "Classes", Head: []string{"class"},
		Note: "nanoseconds of a warp-instruction in loops of one kind of instruction, one worker, statistics on, and how many times that is what the host takes in C " +
			"(gcc -O3 -march=native; for portable code -O2 and no vector instructions).",
	}
	simds := settings(all, func(r *Result) string { return r.SIMD })
	for _, s := range simds {
		t.Head = append(t.Head, s, "C", "times")
	}
	for _, name := range settings(all, func(r *Result) string { return r.Kernel }) {
		row := slices.Repeat([]string{"-"}, len(t.Head))
		row[0] = name
		for _, r := range all {
			if r.Kernel == name {
				c, known := r.compared()
				at := 1 + 3*slices.Index(simds, r.SIMD)
				row[at], row[at+1], row[at+2] = fmt.Sprintf("%.1f", r.Nanoseconds()), figure("%.1f", c.HostNS, known), figure("%.1f", c.HostOps, known)
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// costTable has one row per way to launch.
func costTable(all []*Result) *Table {
	t := &Table{
		Title: "Costs", Head: []string{"with"},
		Note: "the time of a launch, until all is written, relative to the plain one with statistics before it, one worker; the median. An idle observer is installed and watches no block, " +
			"an empty one is told of every issue. Traces are written to nowhere.",
	}
	kernels := settings(all, func(r *Result) string { return r.Kernel })
	t.Head = append(t.Head, kernels...)
	for _, name := range settings(all, func(r *Result) string { return r.With }) {
		if name == "" {
			continue
		}
		row := slices.Repeat([]string{"-"}, len(t.Head))
		row[0] = name
		for _, r := range all {
			if r.With == name {
				row[1+slices.Index(kernels, r.Kernel)] = fmt.Sprintf("%.2f", r.Relative)
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
