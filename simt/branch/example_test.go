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
	next := policy.Warps()
	for w := range 2 {
		cohort := branch.Cohort{PC: next.PC[w]}
		cohort.Add(w, next.Mask[w])
		event := branch.Event{Kind: branch.Branch, Target: 0x40, Next: 0x08}
		event.Lanes[0] = 0x0000ffff
		if _, err := policy.Control(&cohort, &event); err != nil {
			panic(err)
		}
		fmt.Printf("warp %d goes on at pc 0x%02x with lanes %08x\n", w, next.PC[w], uint32(next.Mask[w]))
	}
	// Output:
	// warp 0 goes on at pc 0x40 with lanes 0000ffff
	// warp 1 goes on at pc 0x40 with lanes 0000ffff
}
