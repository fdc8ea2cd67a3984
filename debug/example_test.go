package debug_test

import (
	"fmt"

	"jacquard/debug"
	"jacquard/internal/test/stops"
)

// A kernel is stopped in one thread of one block, and taken a line back.
func Example() {
	p, err := stops.New(1) // a program that launches a kernel under a Session
	if err != nil {
		fmt.Println(err)
		return
	}
	target, _ := p.Start(nil)
	target.SetBreakpoints([]debug.Breakpoint{{ID: 1, File: "sum.cu", Line: 16, Condition: "blockIdx.x == 2 && threadIdx.x == 5"}})
	stop, err := target.Resume(debug.Order{Kind: debug.Continue})
	if err != nil {
		fmt.Println(err)
		return
	}
	v, _ := target.Evaluate(debug.Expression{Text: "blockIdx.x * blockDim.x + threadIdx.x", Focus: stop.Focus})
	fmt.Println(stop.Reason, stop.Frame.Place, v.Text)

	stop, _ = target.Resume(debug.Order{Kind: debug.ReverseStep, Focus: stop.Focus})
	fmt.Println(stop.Reason, stop.Frame.Place)
	target.Detach()
	fmt.Println(p.Wait())
	// Output:
	// breakpoint 0x90 (sum.cu:16) 133
	// step 0x88 (sum.cu:15)
	// the sums are [2016 6112 10208 14304] 0
}
