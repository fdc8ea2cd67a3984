package compare

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"jacquard/cubin/plain"
)

// column is a figure of a row: its name in tables and files, and its text.
type column struct {
	head  string
	value func(c *Counts) string
}

func whole(get func(c *Counts) uint64) func(*Counts) string {
	return func(c *Counts) string { return strconv.FormatUint(get(c), 10) }
}

func part(get func(c *Counts) float64) func(*Counts) string {
	return func(c *Counts) string { return strconv.FormatFloat(get(c), 'f', 2, 64) }
}

// columns are the figures in a printed table. docs/statistics.md defines each.
var columns = [...]column{
	{"issues", whole(func(c *Counts) uint64 { return c.WarpInstructions })},
	{"lanes", part((*Counts).AverageLanes)},
	{"bare", part((*Counts).AverageLanesWithoutJoinAt)},
	{"rejoins", whole(func(c *Counts) uint64 { return c.ReissuedJoins })},
	{"notes", whole(func(c *Counts) uint64 { return c.Annotations })},
	{"empty", whole(func(c *Counts) uint64 { return c.ActiveLanes[0] })},
	{"merges", whole(func(c *Counts) uint64 { return c.Merges })},
	{"multi", whole(func(c *Counts) uint64 { return c.MultipleMerges })},
	{"swaps", whole(func(c *Counts) uint64 { return c.Swaps })},
	{"paths", whole(func(c *Counts) uint64 { return uint64(c.MostPaths) })},
	{"stack", whole(func(c *Counts) uint64 { return uint64(c.DeepestStack) })},
	{"bcc", part(func(c *Counts) float64 { return mean(c.BCC[:]) })},
	{"scc", part(func(c *Counts) float64 { return mean(c.SCC[:]) })},
	{"pc arb", whole(func(c *Counts) uint64 { return c.PCArbitrations })},
	{"mem arb", whole(func(c *Counts) uint64 { return c.MemoryArbitrations })},
	{"no arb", whole(func(c *Counts) uint64 { return c.NoArbitrations })},
}

// WriteTable prints one line per row: words to the left, figures to the right.
func WriteTable(out io.Writer, rows []Row) error {
	head := []string{"kernel", "policy"}
	for _, c := range columns {
		head = append(head, c.head)
	}
	lines := [][]string{append(head, "memory")}
	for i := range rows {
		lines = append(lines, rows[i].cells())
	}
	width := make([]int, len(head))
	for _, line := range lines {
		for i := range line {
			line[i] = plain.Text(line[i])
		}
		for i := range width {
			width[i] = max(width[i], utf8.RuneCountInString(line[i]))
		}
	}
	const words = 2 // kernel and policy
	for _, line := range lines {
		var b strings.Builder
		for i, w := range width {
			if i < words {
				fmt.Fprintf(&b, "%-*s  ", w, line[i])
			} else {
				fmt.Fprintf(&b, "%*s  ", w, line[i])
			}
		}
		b.WriteString(line[len(width)])
		if _, err := fmt.Fprintln(out, b.String()); err != nil {
			return err
		}
	}
	return nil
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
