package machine_test

import (
	"fmt"

	"jacquard/simt/machine"
	"jacquard/simt/program"
)

// A fault names the block and the warp.
func ExampleState() {
	p, err := program.Lower(program.Kernel{Name: "k", Registers: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	st := machine.NewState(p, 2)
	st.Index = [2]int{5, 0}
	st.Raise(machine.FaultTrap, 1, 0xff, "")
	st.Locate(&p.Code[0], 9)
	fmt.Println(st.Caught())
	fmt.Println(st.Caught() == nil)
	// Output:
	// trap in kernel k, block (5,0), warp 1, lanes 000000ff, pc 0x0
	// true
}
