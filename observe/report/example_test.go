package report_test

import (
	"bytes"
	"fmt"
	"os"

	"jacquard/observe/report"
)

func Example() {
	file, err := os.Open("testdata/run.json")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	r, err := report.Read(file, "")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, k := range r.Kernels {
		fmt.Printf("%s: %d issues in %d launches\n", k.Name, k.Sum.WarpInstructions, k.Launches)
	}
	var page bytes.Buffer
	if err := r.Write(&page); err != nil {
		fmt.Println(err)
	}
	// Output:
	// calls: 1056 issues in 1 launches
	// vecadd: 242 issues in 2 launches
}
