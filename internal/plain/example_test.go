package plain_test

import (
	"fmt"

	"jacquard/internal/plain"
)

// A kernel's name may hold control sequences of a terminal.
func ExampleText() {
	fmt.Println(plain.Text("vec\x1b[2Jadd"))
	// Output: vec\u001b[2Jadd
}
