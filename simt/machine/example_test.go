package machine_test

import (
	"fmt"

	"jacquard/simt/machine"
	"jacquard/simt/program"
)

// Two blocks of one warp each share a state. A fault names the block of the warp.
func ExampleState() {
	p, err := program.Lower(program.Kernel{Name: "k", Registers: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	st := machine.NewState(p, 2)
	st.SetBlocks([]*machine.Block{{Index: [2]int{4, 0}, Warps: 1}, {Index: [2]int{5, 0}, First: 1, Warps: 1}})
	st.Raise(machine.FaultTrap, 1, 0xff, "")
	st.Locate(&p.Code[0], 9)
	fmt.Println(st.Caught())
	fmt.Println(st.Caught() == nil)
	// Output:
	// trap in kernel k, block (5,0), warp 0, lanes 000000ff, pc 0x0
	// true
}
