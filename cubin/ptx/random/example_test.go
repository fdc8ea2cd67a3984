package random_test

import (
	"fmt"

	"jacquard/cubin/ptx/random"
)

// Equal seeds make equal kernels.
func ExampleNew() {
	a, b := random.New(7, random.Options{}), random.New(7, random.Options{})
	fmt.Println(a.Text == b.Text)
	// Output: true
}
