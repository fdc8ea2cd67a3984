package spelling_test

import (
	"fmt"
	"slices"

	"jacquard/internal/spelling"
)

func Example() {
	known := []string{"device", "order", "policy"}
	fmt.Println(spelling.Nearest("polcy", slices.Values(known)))
	// Output: policy
}
