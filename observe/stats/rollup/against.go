package rollup

import (
	"fmt"
	"io"
	"strconv"
)

// WriteAgainst prints two roll-ups by the same dimension side by side, in the order of the first:
// issues, threads and lanes of both, and the ratio of the second to the first. A row in one roll-up
// alone has dashes for the other. If both roll-ups have one policy, their rows stand side by side
// even if the policies differ. Otherwise only rows of the same policy do. same is true if all
// numbers shown agree.
func (t *Table) WriteAgainst(out io.Writer, other *Table) (same bool, err error) {
	policy := t.several() || other.several()
	name := func(r *Row) string {
		if policy {
			return nameOf(r.Of.Policy, r.Key)
		}
		return nameOf("", r.Key)
	}
	head := t.words(policy)
	words := len(head)
	lines := [][]string{append(head, "issues", "against", "times", "threads", "against", "times", "lanes", "against")}
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
	pairs := func(rows, others []*Row, words func(*Row) []string) {
		at := map[string]*Row{}
		for _, r := range others {
			at[name(r)] = r
		}
		for _, r := range rows {
			line(words(r), r, at[name(r)])
			delete(at, name(r))
		}
		for _, r := range others {
			if at[name(r)] != nil {
				line(words(r), nil, r)
			}
		}
	}
	pairs(t.Rows, other.Rows, func(r *Row) []string { return r.words(policy) })
	if len(t.Keys) > 0 {
		pairs(t.totals(), other.totals(), func(r *Row) []string { return t.ofTotal(r, "total", policy) })
	}
	return same, writeLines(out, lines, words)
}
