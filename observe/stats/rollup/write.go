package rollup

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"jacquard/internal/plain"
	"jacquard/observe/stats"
	"jacquard/observe/table"
)

// WriteTable prints the roll-up as text: one line per row and the total, words left-aligned and
// numbers right-aligned. The first word is the policy if there are several.
func (t *Table) WriteTable(out io.Writer) error {
	words := t.words(t.several())
	lines := [][]string{words}
	figures := t.shown()
	for _, c := range figures {
		lines[0] = append(lines[0], c.name)
	}
	for _, r := range t.Rows {
		lines = append(lines, append(r.words(t.several()), r.cells(figures)...))
	}
	if t.by.name != "program" {
		text := "total"
		if t.Dropped > 0 {
			text = fmt.Sprintf("total, with %d more", t.Dropped)
		}
		for _, r := range t.totals() {
			lines = append(lines, append(t.ofTotal(r, text, t.several()), r.cells(figures)...))
		}
	}
	return writeLines(out, lines, len(words))
}

// totals returns Totals, or a total of nothing if there was no launch.
func (t *Table) totals() []*Row {
	if len(t.Totals) == 0 {
		return []*Row{{}}
	}
	return t.Totals
}

// several reports whether the launches ran under several policies.
func (t *Table) several() bool { return len(t.Totals) > 1 }

// words returns the names of the words that begin a line, with the policy or without.
func (t *Table) words(policy bool) []string {
	if policy {
		return append([]string{"policy"}, t.Keys...)
	}
	return slices.Clone(t.Keys)
}

// words returns the words that begin the line of a row.
func (r *Row) words(policy bool) []string {
	if policy {
		return append([]string{r.Of.Policy}, r.Key...)
	}
	return slices.Clone(r.Key)
}

// ofTotal returns the words that begin the line of a total.
func (t *Table) ofTotal(r *Row, text string, policy bool) []string {
	key := make([]string, len(t.Keys))
	key[0] = text
	if policy {
		return append([]string{r.Of.Policy}, key...)
	}
	return key
}

// cells returns the cells of a row.
func (r *Row) cells(figures []column) []string {
	var cells []string
	for _, c := range figures {
		cells = append(cells, c.print(c.of(r)))
	}
	return cells
}

// writeLines prints lines of cells in columns; the first columns, words of them, are text.
func writeLines(out io.Writer, lines [][]string, words int) error {
	width := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, cell := range line {
			cell = plain.Text(cell)
			line[i] = cell
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for _, line := range lines {
		var b strings.Builder
		for i, cell := range line {
			if i > 0 {
				b.WriteString("  ")
			}
			if i < words {
				fmt.Fprintf(&b, "%-*s", width[i], cell)
			} else {
				fmt.Fprintf(&b, "%*s", width[i], cell)
			}
		}
		if _, err := fmt.Fprintln(out, strings.TrimRight(b.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}

// rest returns the indices of the keys that the leading columns do not have.
func (t *Table) rest() (list []int) {
	known := append(table.Names(), "grid", "block")
	for i, name := range t.Keys {
		if !slices.Contains(known, name) {
			list = append(list, i)
		}
	}
	return list
}

// WriteCSV prints one line per row, with a header: the leading columns, the other keys, and all
// counters.
func (t *Table) WriteCSV(out io.Writer) error {
	w := csv.NewWriter(out)
	head, rest := table.Names(), t.rest()
	for _, i := range rest {
		head = append(head, t.Keys[i])
	}
	names, _ := new(Row).fields(t.by.whole)
	head = append(head, names...)
	for n := range new(Row).Counts.Active {
		head = append(head, fmt.Sprintf("active_lanes_%d", n))
	}
	if err := w.Write(head); err != nil {
		return err
	}
	for _, r := range t.Rows {
		_, values := r.fields(t.by.whole)
		line := r.Of.Cells()
		for _, i := range rest {
			line = append(line, r.Key[i])
		}
		for i := range line {
			line[i] = plain.Text(line[i])
		}
		for _, v := range values {
			line = append(line, v.String())
		}
		for _, v := range r.Counts.Active {
			line = append(line, strconv.FormatUint(v, 10))
		}
		if err := w.Write(line); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// WriteJSON prints one object per row, one per line, with the names of WriteCSV. Numbers of launch,
// grid and block that the launches do not share are left out.
func (t *Table) WriteJSON(out io.Writer) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for _, r := range t.Rows {
		object := map[string]any{}
		for _, c := range table.Columns() {
			if c.Text != nil {
				object[c.Name] = *c.Text(&r.Of)
			} else if n := *c.Number(&r.Of); n != nil {
				object[c.Name] = *n
			}
		}
		for _, i := range t.rest() {
			object[t.Keys[i]] = r.Key[i]
		}
		names, values := r.fields(t.by.whole)
		for i, name := range names {
			object[name] = values[i]
		}
		object["active_lanes"] = r.Counts.Active
		if err := enc.Encode(object); err != nil {
			return err
		}
	}
	return nil
}

// fields returns the columns of a row in files, except the histogram of its lanes. A row of whole
// launches has their counters, too.
func (r *Row) fields(whole bool) (names []string, values []json.Number) {
	add := func(name, value string) {
		names, values = append(names, name), append(values, json.Number(value))
	}
	count := func(name string, v uint64) { add(name, strconv.FormatUint(v, 10)) }
	count("launches", uint64(r.Launches))
	count("static", uint64(r.Static))
	count("published", r.Published)
	add("seconds", strconv.FormatFloat(r.Seconds, 'g', -1, 64))
	for _, c := range stats.InstructionColumns() {
		count(c.Name, *c.Of(&r.Counts))
	}
	if whole {
		for _, c := range stats.Columns() {
			count(c.Name, *c.Of(&r.Sums))
		}
	}
	count("transactions", r.Transactions)
	count("bytes", r.Bytes)
	add("lanes", strconv.FormatFloat(r.Lanes(), 'g', -1, 64))
	return names, values
}

// column is a number of a row that tables show.
type column struct {
	name  string
	of    func(r *Row) float64
	print func(v float64) string
	asked func(total *Row) bool // nil: always shown; else whether it was counted
}

func columns() []column {
	whole := func(get func(r *Row) uint64) func(*Row) float64 {
		return func(r *Row) float64 { return float64(get(r)) }
	}
	operands := func(total *Row) bool { return total.Counts.Operands.Reads > 0 }
	replays := func(total *Row) bool { return total.Counts.Replays > 0 }
	return []column{
		{"launches", func(r *Row) float64 { return float64(r.Launches) }, integer, nil},
		{"static", func(r *Row) float64 { return float64(r.Static) }, integer, nil},
		{"issues", whole(func(r *Row) uint64 { return r.Counts.Issues }), integer, nil},
		{"threads", whole(func(r *Row) uint64 { return r.Counts.Threads }), integer, nil},
		{"lanes", (*Row).Lanes, func(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }, nil},
		{"off", whole(func(r *Row) uint64 { return r.Counts.Off }), integer, nil},
		{"divergent", whole(func(r *Row) uint64 { return r.Counts.Branch.Divergent }), integer, nil},
		{"transactions", whole(func(r *Row) uint64 { return r.Transactions }), integer, nil},
		{"bytes", whole(func(r *Row) uint64 { return r.Bytes }), integer, nil},
		{"conflicts", whole((*Row).Conflicts), integer, nil},
		{"replays", whole(func(r *Row) uint64 { return r.Counts.Replays }), integer, replays},
		{"uniform", func(r *Row) float64 { return r.share(r.Counts.Operands.ReadsUniform) }, percent, operands},
		{"affine", func(r *Row) float64 { return r.share(r.Counts.Operands.ReadsAffine) }, percent, operands},
	}
}

// shown lists the columns of the table, which are the counted ones.
func (t *Table) shown() []column {
	var list []column
	for _, c := range columns() {
		if c.asked == nil || slices.ContainsFunc(t.Totals, c.asked) {
			list = append(list, c)
		}
	}
	return list
}

// share returns the fraction n of the registers read, 0 if there are none.
func (r *Row) share(n uint64) float64 {
	return float64(n) / float64(max(r.Counts.Operands.Reads, 1))
}

func percent(v float64) string { return fmt.Sprintf("%.1f %%", 100*v) }

// integer prints a count; beyond 2^53 the last digits would be lost, but no run is that long.
func integer(v float64) string { return fmt.Sprintf("%.0f", v) }

// Columns lists the names of the columns that tables show, by which rows can be sorted.
func Columns() []string {
	var names []string
	for _, c := range columns() {
		names = append(names, c.name)
	}
	return names
}
