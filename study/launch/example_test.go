package launch_test

import (
	"context"
	"fmt"
	"os"

	"jacquard/libcuda/driver/knobs"
	"jacquard/study/launch"
)

func ExampleRun() {
	image, err := os.ReadFile("../../testdata/mesa-kernels/vecadd/sm_10.cubin")
	if err != nil {
		fmt.Println(err)
		return
	}
	j := &launch.Job{Image: image, Kernel: "vecadd", Grid: [2]int{1, 1}, Block: [3]int{64, 1, 1}}
	for i, arg := range []string{"buf:256:pattern=3f800000", "buf:256:pattern=40000000", "buf:256:name=sum", "u32:64"} {
		p, err := launch.ParseArg(arg, i)
		if err != nil {
			fmt.Println(err)
			return
		}
		j.Params = append(j.Params, p)
	}

	result, err := launch.Run(context.Background(), knobs.Settings{}, j, os.Stderr)
	if err != nil {
		fmt.Println(err)
		return
	}
	show := launch.Show{Name: "sum", Type: "f32", Count: 4}
	if err := show.Write(os.Stdout, result.Buffers["sum"]); err != nil {
		fmt.Println(err)
	}
	fmt.Println(result.Launch.WarpInstructions, "warp instructions")
	// Output:
	// sum[0]: 3 3 3 3
	// 32 warp instructions
}
