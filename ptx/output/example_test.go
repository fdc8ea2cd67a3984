package output_test

import (
	"fmt"

	"jacquard/ptx/output"
)

func ExampleAppend() {
	args := []byte{7, 0, 0, 0, 255, 0, 0, 0}
	fmt.Printf("%s\n", output.Append(nil, "thread %d: %#x", 8, args, output.Missing))
	fmt.Println(output.Sizes("%d %f", 8))
	// Output:
	// thread 7: 0xff
	// [4 8]
}
