package rollup

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// WriteAgainst prints two roll-ups by the same dimension side by side, in the order of the first:
// issues, threads and lanes of both, and the ratio of the second to the first. A row in one roll-up
// alone has dashes for the other. same is true if all numbers shown agree.
func (t *Table) WriteAgainst(out io.Writer, other *Table) (same bool, err error) {
	head := append([]string(nil), t.Keys...)
	lines := [][]string{append(head, "issues", "against", "times", "threads", "against", "times", "lanes", "against")}
	at := map[string]*Row{}
	for _, r := range other.Rows {
		at[strings.Join(r.Key, "\x00")] = r
	}
	same = true
	line := func(key []string, a, b *Row) {
		cells := append([]string(nil), key...)
		for _, of := range []func(*Row) uint64{func(r *Row) uint64 { return r.Counts.Issues }, func(r *Row) uint64 { return r.Counts.Threads }} {
			var x, y uint64
			text := []string{"-", "-", "-"}
			if a != nil {
				x = of(a)
				text[0] = strconv.FormatUint(x, 10)
			}
			if b != nil {
				y = of(b)
				text[1] = strconv.FormatUint(y, 10)
			}
			if x != 0 && b != nil {
				text[2] = fmt.Sprintf("%.3f", float64(y)/float64(x))
			}
			same = same && a != nil && b != nil && x == y
			cells = append(cells, text...)
		}
		for _, r := range []*Row{a, b} {
			if r == nil {
				cells = append(cells, "-")
			} else {
				cells = append(cells, fmt.Sprintf("%.2f", r.Lanes()))
			}
		}
		lines = append(lines, cells)
	}
	for _, r := range t.Rows {
		key := strings.Join(r.Key, "\x00")
		line(r.Key, r, at[key])
		delete(at, key)
	}
	for _, r := range other.Rows {
		if at[strings.Join(r.Key, "\x00")] != nil {
			line(r.Key, nil, r)
		}
	}
	if len(t.Keys) > 0 {
		line(slices.Concat([]string{"total"}, make([]string, len(t.Keys)-1)), &t.Total, &other.Total)
	}
	return same, writeLines(out, lines, len(t.Keys))
}
