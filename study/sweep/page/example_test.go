package page_test

import (
	"fmt"

	"jacquard/study/sweep/page"
)

// The panels of a page show the first figure by default.
func ExampleFigures() {
	fmt.Println(page.Figures()[0])
	// Output: average_active_lanes
}
