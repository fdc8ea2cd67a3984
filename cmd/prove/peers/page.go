package main

import (
	"cmp"
	"fmt"
	"os"
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
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	whole, err := page.Replace(string(text), firstMark, lastMark, func(string) string { return table(results) })
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, []byte(whole), 0o666)
}

// table returns a table of the projects, and one of every test that does not pass.
func table(results []result) string {
	var b strings.Builder
	b.WriteString("| project | tests | pass | refused | another result |\n| --- | --- | --- | --- | --- |\n")
	for _, r := range results {
		var n [3]int
		for _, o := range r.all {
			n[o.verdict]++
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d |\n", r.title, len(r.all), n[passed], n[refused], n[different])
	}
	b.WriteString("\n| project | test | line:column: message | why |\n| --- | --- | --- | --- |\n")
	for _, r := range results {
		for _, o := range r.all {
			if o.verdict != passed {
				fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", r.title, o.name, strings.ReplaceAll(o.reason, "|", "\\|"), cmp.Or(note(o), "not done yet"))
			}
		}
	}
	return b.String()
}
