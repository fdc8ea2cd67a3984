package replay_test

import (
	"bytes"
	"fmt"
	"os"

	"jacquard/board/replay"
	"jacquard/observe/bundle"
)

func ExampleRun() {
	image, err := os.ReadFile("../../testdata/mesa-kernels/vecadd/sm_10.cubin")
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	r, err := bundle.NewRecorder(&file, bundle.Options{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	memory := []*bundle.Object{{Kind: bundle.Allocation, Address: 0x1000, Bytes: make([]byte, 256)}}
	r.Begin(&bundle.Launch{ // adds 64 zeros to as many, and to nothing else
		Kernel: &bundle.Kernel{Module: &bundle.Module{Image: image, Arch: "sm_10"}, Name: "vecadd"}, Arch: "sm_10",
		Grid: [2]int{1, 1}, Block: [3]int{64, 1, 1}, Memory: memory,
		Params: []byte{0, 0x10, 0, 0, 0, 0x10, 0, 0, 0, 0x10, 0, 0, 64, 0, 0, 0},
	}).End(memory, bundle.Outcome{Result: bundle.Success})

	in, err := bundle.NewReader(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer in.Close()
	total, err := replay.Run(in, new(replay.Engine), replay.Options{Each: func(r *replay.Result) error {
		fmt.Println(r.Launch, len(r.Differences), "differences")
		return nil
	}})
	fmt.Println(total.Same, "the same,", err)
	// Output:
	// launch 0, kernel vecadd, grid 1x1, block 64x1x1 0 differences
	// 1 the same, <nil>
}
