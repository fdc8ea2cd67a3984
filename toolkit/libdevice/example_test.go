package libdevice_test

import (
	"fmt"

	"jacquard/toolkit/libdevice"
)

func ExampleFunctions() {
	for _, f := range libdevice.Functions() {
		if f.Name == "__nv_sincosf" || f.Name == "__nv_fadd_rd" {
			fmt.Println(f.Result, f.Name, f.Params, "=", f.Body)
		}
	}
	// Output:
	// float __nv_fadd_rd [float float] = __nvvm_add_rm_f(a, b)
	// void __nv_sincosf [float float* float*] = angle.cpp
}
