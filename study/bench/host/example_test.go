package host_test

import (
	"fmt"

	"jacquard/study/bench/host"
)

func ExampleHost_Run() {
	h, err := host.Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer h.Close()
	_, buffers, err := h.Run("collatz", [][]byte{{7, 0, 0, 0}, make([]byte, 4)}, []uint32{1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("buffer before:", buffers[0], "steps down to 1:", buffers[1])
	// Output: buffer before: [7 0 0 0] steps down to 1: [16 0 0 0]
}
