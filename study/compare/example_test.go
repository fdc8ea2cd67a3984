package compare_test

import (
	"context"
	"fmt"
	"os"

	"jacquard/libcuda/driver/knobs"
	"jacquard/study/compare"
	"jacquard/study/launch"
	kernels "jacquard/testdata/mesa-kernels"
)

func ExampleKernel() {
	image, err := kernels.SM13.ReadFile("vecadd/sm_13.cubin")
	if err != nil {
		fmt.Println(err)
		return
	}
	job := &launch.Job{Image: image, Kernel: "vecadd", Grid: [2]int{1, 1}, Block: [3]int{40, 1, 1}, Params: []launch.Param{
		{Name: "a", Buffer: make([]byte, 160)}, {Name: "b", Buffer: make([]byte, 160)},
		{Name: "sum", Buffer: make([]byte, 160)}, {Value: []byte{36, 0, 0, 0}}, // 36 elements
	}}
	rows, err := compare.Kernel(context.Background(), knobs.Settings{}, job, []string{"nvidia", "stackless"}, compare.Watch{})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := compare.WriteTable(os.Stdout, rows, 60); err != nil {
		fmt.Println(err)
	}
	// Output:
	// kernel  policy     issues  lanes   bare  rejoins  memory
	// vecadd  nvidia         33  18.42  18.32        0  same
	// vecadd  stackless      32  19.00  18.93        0  same
	//
	//   issues   warp instructions
	//   lanes    mean of active lanes
	//   bare     the same without joinat
	//   rejoins  joins vetoed, issued again
	//   memory   same: as the first policy that ran left it
	//
	// left out at 60 characters; a pipe or --csv has all:
	//   notes, empty, merges, multi, swaps, paths, stack, bcc, scc, pc arb, mem arb, no arb
}
