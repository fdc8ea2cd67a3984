// Package page replaces generated parts of pages.
package page

import (
	"fmt"
	"strings"
)

// Replace returns a page with the text between two lines replaced by part's result for it.
func Replace(page, first, last string, part func(old string) string) (string, error) {
	before, rest, ok := strings.Cut(page, first+"\n")
	old, after, found := strings.Cut(rest, last+"\n")
	if !ok || !found {
		return "", fmt.Errorf("there are no lines %q and %q to put a text between", first, last)
	}
	return before + first + "\n" + part(old) + last + "\n" + after, nil
}
