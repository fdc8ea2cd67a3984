package verify

import (
	"cmp"
	"slices"
	"strings"
)

// checker collects the mistakes in the rows of one file.
type checker struct {
	rows     []Row
	failures [][]Failure // by row
	progress func(percent int)
}

// scalar evaluates every row with the reference engine.
func (c *checker) scalar() error {
	for i := range c.rows {
		r := &c.rows[i]
		f, err := formOf(r)
		if err != nil {
			return &FormatError{r.Line, err}
		}
		out := evaluate(&f, r)
		if got := out.answer(&r.Want); got != r.Want {
			c.failures[i] = append(c.failures[i], Failure{Row: *r, Got: got})
		}
	}
	return nil
}

// lanes executes every row by real instructions.
func (c *checker) lanes() error {
	m, err := newMachine()
	if err != nil {
		return err
	}
	at := map[int]int{} // index by line
	for i := range c.rows {
		at[c.rows[i].Line] = i
	}
	alike := c.alike()
	for n, rows := range alike {
		if c.progress != nil {
			c.progress(100 * n / len(alike))
		}
		err := m.runLanes(rows, func(f Failure) {
			i := at[f.Row.Line]
			c.failures[i] = append(c.failures[i], f)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// alike returns the rows that one instruction serves together: of one operation with the
// same modifiers and widths. Groups are in order of appearance.
func (c *checker) alike() [][]*Row {
	type key struct {
		op, mods   string
		a, b, c, r int
	}
	at := map[key]int{}
	var groups [][]*Row
	for i := range c.rows {
		r := &c.rows[i]
		k := key{r.Op, strings.Join(r.Mods, " "), r.A.Digits, r.B.Digits, r.C.Digits, r.Want.R.Digits}
		n, ok := at[k]
		if !ok {
			n = len(groups)
			at[k] = n
			groups = append(groups, nil)
		}
		groups[n] = append(groups[n], r)
	}
	return groups
}

// report counts. A row passes if no body got it wrong.
func (c *checker) report(keep int) *Report {
	report := &Report{}
	groups := map[[2]string]int{}
	for i := range c.rows {
		r := &c.rows[i]
		key := [2]string{r.Op, strings.Join(r.Mods, " ")}
		at, ok := groups[key]
		if !ok {
			at = len(report.Groups)
			groups[key] = at
			report.Groups = append(report.Groups, Group{Op: key[0], Mods: key[1]})
		}
		g := &report.Groups[at]
		if len(c.failures[i]) == 0 {
			report.Passed++
			g.Passed++
			continue
		}
		report.Failed++
		g.Failed++
		report.Failures = append(report.Failures, c.failures[i]...)
	}
	slices.SortStableFunc(report.Failures, func(a, b Failure) int { return cmp.Compare(a.Row.Line, b.Row.Line) })
	report.Failures = report.Failures[:min(keep, len(report.Failures))]
	return report
}
