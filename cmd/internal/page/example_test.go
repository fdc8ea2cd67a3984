package page_test

import (
	"fmt"

	"jacquard/cmd/internal/page"
)

func ExampleReplace() {
	count := func(old string) string { return fmt.Sprintln(len(old), "bytes") }
	text, err := page.Replace("A page\nBEGIN\nold\nEND\nwith more.\n", "BEGIN", "END", count)
	fmt.Print(text, err, "\n")
	_, err = page.Replace(text, "END", "BEGIN", count)
	fmt.Println(err)
	// Output:
	// A page
	// BEGIN
	// 4 bytes
	// END
	// with more.
	// <nil>
	// there are no lines "END" and "BEGIN" to put a text between
}
