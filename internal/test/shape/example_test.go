package shape_test

import (
	"fmt"

	"jacquard/internal/test/shape"
	"jacquard/ptx"
)

// Every shape can be written in any size.
func Example() {
	for _, s := range shape.Shapes()[:2] {
		m, err := ptx.Parse(s.Name, []byte(s.Text(10_000)))
		fmt.Println(s.Name, len(m.Items), err)
	}
	// Output:
	// straight 1 <nil>
	// chain 1 <nil>
}
