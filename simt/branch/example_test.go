package branch_test

import (
	"fmt"

	"jacquard/simt/branch"
	"jacquard/simt/cfg"
	"jacquard/simt/lane"
)

// The default policy, for a block of two warps at a branch: half of the lanes of each warp take it
// and run first.
func ExampleFind() {
	choice, err := branch.Find(branch.Default)
	if err != nil {
		panic(err)
	}
	newPolicy, err := choice.Prepare(&branch.Kernel{Graph: func() *cfg.Graph { return &cfg.Graph{} }})
	if err != nil {
		panic(err)
	}
	policy := newPolicy() // for one block
	policy.Start([]lane.Mask{lane.All, lane.All})
	cohorts := make([]branch.Cohort, lane.MaxWarps)
	show := func() *branch.Cohort {
		policy.Cohorts(policy.Alive(), cohorts)
		c := &cohorts[0]
		fmt.Printf("pc 0x%02x, %d warps, lanes %08x\n", c.PC, c.N, uint32(c.Mask[0]))
		return c
	}
	event := branch.Event{Kind: branch.Branch, Target: 0x40, Next: 0x08}
	event.Lanes[0], event.Lanes[1] = 0x0000ffff, 0x0000ffff
	if _, err := policy.Control(show(), &event); err != nil {
		panic(err)
	}
	show()
	// Output:
	// pc 0x00, 2 warps, lanes ffffffff
	// pc 0x40, 2 warps, lanes 0000ffff
}
