package main

import (
	"fmt"
	"maps"
	"strings"

	"jacquard/cmd/internal/page"
)

// header begins the table of a suite.
var header = page.Head("program", "arguments", "proof", "result", "launches", "warp instructions", "seconds",
	"kernels that do nothing", "reason")

// insert puts rows into the table of a suite in a page, between its marks. Rows of programs that
// were not run stay.
func insert(path string, in *suite, rows map[string]string) error {
	first := "<!-- figures of " + in.name + " -->"
	return page.Edit(path, first, "<!-- end -->", func(old string) string { return in.table(old, rows) })
}

// table returns the table of a suite: new rows, and an old table's rows for other programs.
func (s *suite) table(old string, rows map[string]string) string {
	all := map[string]string{}
	for line := range strings.Lines(old) {
		if name, ok := rowName(line); ok {
			all[name] = line
		}
	}
	maps.Copy(all, rows)
	var b strings.Builder
	b.WriteString(header)
	var required, others tally
	for _, p := range s.programs {
		row, ok := all[p.name]
		if !ok {
			continue
		}
		b.WriteString(row)
		counted := &others
		if p.required {
			counted = &required
		}
		counted.all++
		if strings.Contains(row, "| passed |") {
			counted.passed++
		}
	}
	fmt.Fprintf(&b, "\n%v of the required programs pass, %v of the others.\n", required, others)
	return b.String()
}

// rowName returns the program of a row.
func rowName(line string) (string, bool) {
	rest, ok := strings.CutPrefix(line, "| `")
	if !ok {
		return "", false
	}
	name, _, ok := strings.Cut(rest, "`")
	return name, ok
}

// tally counts programs that pass.
type tally struct{ passed, all int }

func (t tally) String() string { return fmt.Sprintf("%d of %d", t.passed, t.all) }
