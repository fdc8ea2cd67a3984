package lab_test

import (
	"fmt"

	"jacquard/internal/test/lab"
)

func ExampleParse() {
	p, err := lab.Parse("race/reverse", `// No barrier stands between the writes and the reads.
// output: done
__global__ void reverse(int *a) {
	__shared__ int s[128];
	s[threadIdx.x] = a[threadIdx.x]; // finding a: race read-write shared
	a[threadIdx.x] = s[127 - threadIdx.x]; // with a
}
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q %d %v\n", p.Output, p.Exit, p.Findings)
	// Output: "done\n" 0 [5: race read-write shared with [6]]
}
