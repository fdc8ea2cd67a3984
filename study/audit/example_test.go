package audit_test

import (
	"fmt"

	"jacquard/cubin"
	"jacquard/study/audit"
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
		fmt.Printf("%v %+v\n", a, r.Operations[0])
	}
	// Output:
	// sm_10 {Op:Invalid Verified:0 Documented:0 Unverified:0 Unsupported:0 Illegal:1}
	// sm_13 {Op:LdShared Verified:0 Documented:0 Unverified:1 Unsupported:0 Illegal:0}
}
