package load_test

import (
	"fmt"

	"jacquard/cubin"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/tesla"
)

func ExampleProgram() {
	k := &cubin.Kernel{Name: "one", Code: []uint32{0x10018005, 0x00000003}, Registers: 2, Shared: 16}
	p, err := load.Program(tesla.SM13, k, simt.Host{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Kernel.Name, p.Kernel.Code[0].String())
	// Output: one mov b32 $r1 0x1
}
