package page_test

import (
	"fmt"

	"jacquard/study/sweep/page"
)

// The first figure is what the panels of a page show by default.
func ExampleFigures() {
	fmt.Println(page.Figures()[0])
	// Output: average_active_lanes
}
