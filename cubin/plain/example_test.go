package plain_test

import (
	"fmt"

	"jacquard/cubin/plain"
)

// A kernel's name may hold what a terminal obeys.
func ExampleText() {
	fmt.Println(plain.Text("vec\x1b[2Jadd"))
	// Output: vec\u001b[2Jadd
}
