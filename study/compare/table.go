package compare

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"jacquard/internal/plain"
)

// column is a figure of a row: its name in tables, its meaning in a few words, and its text.
type column struct {
	head  string
	means string
	value func(c *Counts) string
}

func whole(get func(c *Counts) uint64) func(*Counts) string {
	return func(c *Counts) string { return strconv.FormatUint(get(c), 10) }
}

func part(get func(c *Counts) float64) func(*Counts) string {
	return func(c *Counts) string { return strconv.FormatFloat(get(c), 'f', 2, 64) }
}

// columns are the figures in a printed table, the most telling ones first: a narrow table leaves out
// the last. docs/statistics.md defines each.
var columns = [...]column{
	{"issues", "warp instructions", whole(func(c *Counts) uint64 { return c.WarpInstructions })},
	{"lanes", "mean of active lanes", part((*Counts).AverageLanes)},
	{"bare", "the same without joinat", part((*Counts).AverageLanesWithoutJoinAt)},
	{"rejoins", "joins vetoed, issued again", whole(func(c *Counts) uint64 { return c.ReissuedJoins })},
	{"notes", "joinat, breakaddr and such", whole(func(c *Counts) uint64 { return c.Annotations })},
	{"empty", "issues without a lane", whole(func(c *Counts) uint64 { return c.ActiveLanes[0] })},
	{"merges", "meetings of lanes run apart", whole(func(c *Counts) uint64 { return c.Merges })},
	{"multi", "meetings of 3 paths or more", whole(func(c *Counts) uint64 { return c.MultipleMerges })},
	{"swaps", "changes to other lanes", whole(func(c *Counts) uint64 { return c.Swaps })},
	{"paths", "most places of a warp's lanes", whole(func(c *Counts) uint64 { return uint64(c.MostPaths) })},
	{"stack", "most entries of the stack", whole(func(c *Counts) uint64 { return uint64(c.DeepestStack) })},
	{"bcc", "slots used, idle ones skipped", part(func(c *Counts) float64 { return mean(c.BCC[:]) })},
	{"scc", "slots used, lanes packed", part(func(c *Counts) float64 { return mean(c.SCC[:]) })},
	{"pc arb", "issues that choose a pc", whole(func(c *Counts) uint64 { return c.PCArbitrations })},
	{"mem arb", "issues of per-lane addresses", whole(func(c *Counts) uint64 { return c.MemoryArbitrations })},
	{"no arb", "issues without an arbiter", whole(func(c *Counts) uint64 { return c.NoArbitrations })},
}

// Key explains the columns of a table in lines of up to 80 characters.
func Key() string { return key(len(columns), 0) }

// key explains the first n columns and the last one, two per line if the width has room for them.
func key(n, width int) string {
	const two = 80
	var b strings.Builder
	lines := n
	if width == 0 || width >= two {
		lines = (n + 1) / 2
	}
	for i := range lines {
		line := fmt.Sprintf("  %-7s  %s", columns[i].head, columns[i].means)
		if right := lines + i; right < n {
			line = fmt.Sprintf("%-*s%-7s  %s", two/2+1, line, columns[right].head, columns[right].means)
		}
		b.WriteString(line + "\n")
	}
	b.WriteString("  memory   same: as the first policy that ran left it\n")
	return b.String()
}

// space stands between two columns of a table.
const space = 2

// WriteTable prints one line per row, words to the left, figures to the right. On a terminal, whose
// width is given, it explains the columns below; if the table is wider, its last columns are left
// out, reasons stand below, and a line says so. Width 0 is no terminal: the table is all there is.
func WriteTable(out io.Writer, rows []Row, width int) error {
	head := []string{"kernel", "policy"}
	words := len(head)
	for _, c := range columns {
		head = append(head, c.head)
	}
	lines := [][]string{append(head, "memory")}
	for i := range rows {
		lines = append(lines, rows[i].cells())
	}
	widths := make([]int, len(head)+1)
	for _, line := range lines {
		for i := range line {
			line[i] = plain.Text(line[i])
			widths[i] = max(widths[i], utf8.RuneCountInString(line[i]))
		}
	}
	last := len(widths) - 1
	shown := len(columns)
	below := []string{}
	if total := sum(widths) + space*last; width > 0 && total > width {
		below = rowReasons(rows, lines)
		widths[last] = 0
		for _, line := range lines {
			widths[last] = max(widths[last], utf8.RuneCountInString(line[last]))
		}
		for total = sum(widths) + space*last; total > width && shown > 1; shown-- {
			total -= widths[words+shown-1] + space
		}
	}
	for _, line := range lines {
		var b strings.Builder
		for i, w := range widths[:words+shown] {
			if i < words {
				fmt.Fprintf(&b, "%-*s  ", w, line[i])
			} else {
				fmt.Fprintf(&b, "%*s  ", w, line[i])
			}
		}
		b.WriteString(line[last])
		if _, err := fmt.Fprintln(out, b.String()); err != nil {
			return err
		}
	}
	if width == 0 {
		return nil
	}
	return writeBelow(out, below, shown, width)
}

// rowReasons shortens the last cell of each line to the outcome, and returns the reasons.
func rowReasons(rows []Row, lines [][]string) (reasons []string) {
	for i := range rows {
		line := lines[i+1]
		last := len(line) - 1
		if text := line[last]; text != string(rows[i].Outcome) {
			reasons = append(reasons, fmt.Sprintf("%s under %s: %s", line[0], line[1], text))
			line[last] = string(rows[i].Outcome)
		}
	}
	return reasons
}

// writeBelow prints what stands below a table with so many of the columns.
func writeBelow(out io.Writer, reasons []string, shown, width int) error {
	var b strings.Builder
	b.WriteString("\n")
	for _, r := range reasons {
		b.WriteString(r + "\n")
	}
	if len(reasons) > 0 {
		b.WriteString("\n")
	}
	b.WriteString(key(shown, width))
	if shown < len(columns) {
		var names []string
		for _, c := range columns[shown:] {
			names = append(names, c.head)
		}
		fmt.Fprintf(&b, "\nleft out at %d characters; a pipe or --csv has all:\n  %s\n", width, strings.Join(names, ", "))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// sum returns the sum of numbers.
func sum(list []int) (n int) {
	for _, v := range list {
		n += v
	}
	return n
}

// cells returns the cells of a row: kernel, policy, the columns and the outcome.
func (r *Row) cells() []string {
	cells := []string{r.Kernel, r.Policy}
	for _, c := range columns {
		text := "-"
		if r.WarpInstructions > 0 {
			text = c.value(&r.Counts)
		}
		cells = append(cells, text)
	}
	outcome := string(r.Outcome)
	if r.Reason != "" {
		outcome += ": " + r.Reason
	}
	if r.Diagnosis != "" {
		outcome += "; " + r.Diagnosis
	}
	return append(cells, outcome)
}
