package library_test

import (
	"fmt"

	"jacquard/ptx/compile/library"
)

func ExampleFunc() {
	f := library.Func("div_rn_f32")
	fmt.Println(len(f.Params), f.Params[0].Type, f.Returns[0].Type)
	// Output: 2 f32 f32
}
