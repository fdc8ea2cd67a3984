package ptxrandom_test

import (
	"fmt"

	"jacquard/internal/test/ptxrandom"
)

// Equal seeds make equal kernels.
func ExampleNew() {
	a, b := ptxrandom.New(7, ptxrandom.Options{}), ptxrandom.New(7, ptxrandom.Options{})
	fmt.Println(a.Text == b.Text)
	// Output: true
}
