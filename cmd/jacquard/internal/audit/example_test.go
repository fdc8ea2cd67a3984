package audit_test

import (
	"fmt"

	"jacquard/cmd/jacquard/internal/audit"
	"jacquard/cubin"
	"jacquard/tesla"
)

func ExampleKernel() {
	k := &cubin.Kernel{Name: "lock", Registers: 4, Code: []uint32{0x10000001, 0x4080c780, 0xf0000001, 0xe0000001}}
	for _, a := range []tesla.Arch{tesla.SM10, tesla.SM13} {
		r, err := audit.Kernel(a, k)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(a, r.Operations, len(r.Problems))
	}
	// Output:
	// sm_10 [{Invalid 0 0 1} {Nop 1 0 0}] 1
	// sm_13 [{LdShared 1 0 0} {Nop 1 0 0}] 0
}
