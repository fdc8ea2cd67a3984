package playground_test

import (
	"context"
	"fmt"

	"jacquard/study/kerneltest"
	"jacquard/study/playground"
)

func ExampleState_Run() {
	test, err := kerneltest.Parse([]byte(`{"name": "k", "block": [32, 1, 1], "grid": [1, 1], "param_bytes": 0, "params": [],
		"builds": {"sm_10": {"file": "k.s"}}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	s := &playground.State{Test: test, Text: ".module sm_10\n.kernel k registers=1\n\tmov b32 $r0 0x1\n\texit (never) nop\n"}
	r, err := s.Run(context.Background(), "nvidia")
	fmt.Println(r.Counters["warp_instructions"], r.Lanes, err)
	// Output:
	// 2 32 <nil>
}
