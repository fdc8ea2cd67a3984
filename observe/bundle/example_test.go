package bundle_test

import (
	"bytes"
	"fmt"

	"jacquard/observe/bundle"
)

func Example() {
	var file bytes.Buffer
	r, err := bundle.NewRecorder(&file, bundle.Options{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	memory := []*bundle.Object{{Kind: bundle.Allocation, Address: 0x1000, Bytes: []byte{1, 2, 3, 4}}}
	recording := r.Begin(&bundle.Launch{
		Kernel: &bundle.Kernel{Name: "increment", Module: &bundle.Module{Image: []byte("..."), Arch: "sm_10"}},
		Grid:   [2]int{1, 1}, Block: [3]int{4, 1, 1}, Params: []byte{0, 0x10, 0, 0}, Memory: memory,
	})
	for i := range memory[0].Bytes { // the launch
		memory[0].Bytes[i]++
	}
	recording.End(memory, bundle.Outcome{Result: bundle.Success})

	in, err := bundle.NewReader(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer in.Close()
	for {
		l, err := in.Next()
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(l)
		for _, o := range l.Memory {
			fmt.Println("before:", o, o.Bytes)
		}
		for _, out := range l.Outputs {
			fmt.Println("after: ", out.Object, out.Bytes)
		}
	}
	// Output:
	// launch 0, kernel increment, grid 1x1, block 4x1x1
	// before: the buffer of 4 bytes at 0x1000 [1 2 3 4]
	// after:  the buffer of 4 bytes at 0x1000 [2 3 4 5]
	// EOF
}
