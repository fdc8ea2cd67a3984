package costs_test

import (
	"fmt"

	"jacquard/asm"
	"jacquard/observe/costs"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// The words of all lanes are in one bank: each half-warp stores in 16 steps.
func Example() {
	img, err := asm.Read(`.module sm_13
.kernel k registers=1 shared=2064
	shl $a1 $r0 0x6
	st b32 s[$a1+0x10] $r0
	exit nop`)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := load.Program(tesla.SM13, &img.Kernels[0], simt.Host{})
	if err != nil {
		fmt.Println(err)
		return
	}
	l := &simt.Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{32, 1, 1}, Global: mem.NewSpace(0)}
	o := costs.Attach(l)
	s, err := simt.Run(l)
	if err != nil {
		fmt.Println(err)
		return
	}
	o.Count(s)
	fmt.Println(s.WarpInstructions, "issues and", s.Costs.Replays, "replays")
	// Output: 3 issues and 30 replays
}
