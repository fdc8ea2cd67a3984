package count_test

import (
	"fmt"

	"jacquard/simt/count"
)

func ExampleStats_AverageLanes() {
	s := count.Stats{WarpInstructions: 4}
	s.Active[32], s.Active[8] = 3, 1
	fmt.Println(s.AverageLanes())
	// Output: 26
}
