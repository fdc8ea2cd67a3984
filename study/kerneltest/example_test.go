package kerneltest_test

import (
	"fmt"

	"jacquard/study/kerneltest"
)

func ExampleCompare() {
	test, err := kerneltest.Load("../../testdata/mesa-kernels/vecadd/test.json")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(test.Name, test.Block, test.Grid, len(test.Builds), "builds")
	for i := range test.Params {
		if p := &test.Params[i]; p.Compare == kerneltest.Exact && p.Buffer {
			fmt.Println(kerneltest.Compare(p, p.Init)) // as if the kernel had done nothing
		}
	}
	// Output:
	// vecadd [64 1 1] [4 1] 4 builds
	// buffer c: word 0 is 0xdeadbeef, want 0xc12ce490; 200 of 256 words differ
}
