package main

import (
	"cmp"
	"fmt"
	"strings"

	"jacquard/cmd/internal/page"
)

// The marks around the table in a page.
const (
	firstMark = "<!-- peers -->"
	lastMark  = "<!-- end -->"
)

// insert puts the table into a page.
func insert(path string, results []result) error {
	return page.Edit(path, firstMark, lastMark, func(string) string { return table(results) })
}

// table returns a table of the projects, and a table of every test that does not pass.
func table(results []result) string {
	var b strings.Builder
	b.WriteString(page.Head("project", "tests", "pass", "refused", "another result"))
	for _, r := range results {
		var n [3]int
		for _, o := range r.all {
			n[o.verdict]++
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d |\n", r.title, len(r.all), n[passed], n[refused], n[different])
	}
	b.WriteString("\n" + page.Head("project", "test", "line:column: message", "why"))
	for _, r := range results {
		for _, o := range r.all {
			if o.verdict != passed {
				fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", r.title, o.name, strings.ReplaceAll(o.reason, "|", "\\|"), cmp.Or(note(o), "not done yet"))
			}
		}
	}
	return b.String()
}
