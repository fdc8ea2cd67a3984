package library_test

import (
	"fmt"

	"jacquard/cubin/ptx"
	"jacquard/cubin/ptx/compile/library"
)

func ExampleModule() {
	for _, item := range library.Module().Items {
		if f, ok := item.(*ptx.Func); ok && f.Name == "div_rn_f32" {
			fmt.Println(len(f.Params), f.Params[0].Type, f.Returns[0].Type)
		}
	}
	// Output: 2 f32 f32
}
