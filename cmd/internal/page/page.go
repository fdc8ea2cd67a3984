// Package page replaces generated parts of pages.
package page

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// Edit does to the page in a file what Replace does to a page.
func Edit(path, first, last string, part func(old string) string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	whole, err := Replace(string(text), first, last, part)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, []byte(whole), 0o666)
}

// Row returns a row of a table.
func Row(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |\n" }

// Head returns the head of a table.
func Head(cells ...string) string {
	return Row(cells...) + Row(slices.Repeat([]string{"---"}, len(cells))...)
}

// Replace returns a page with the text between two lines replaced by part's result for it.
func Replace(page, first, last string, part func(old string) string) (string, error) {
	before, rest, ok := strings.Cut(page, first+"\n")
	old, after, found := strings.Cut(rest, last+"\n")
	if !ok || !found {
		return "", fmt.Errorf("there are no lines %q and %q to put a text between", first, last)
	}
	return before + first + "\n" + part(old) + last + "\n" + after, nil
}
