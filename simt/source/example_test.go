package source_test

import (
	"fmt"

	"jacquard/simt/source"
)

// The instructions at 0 and 8 come from one line of a file; the next has none.
func ExampleNew() {
	t := source.New([]uint32{0, 8, 16}, func(pc uint32) source.Line {
		if pc > 8 {
			return source.Line{}
		}
		return source.Line{File: "sum.cu", Line: 12}
	})
	for i := range t {
		fmt.Printf("%d: %q\n", i, t.At(i).String())
	}
	// Output:
	// 0: "sum.cu:12"
	// 1: "sum.cu:12"
	// 2: ""
}
