package load_test

import (
	"fmt"

	"jacquard/ptx/compile"
	"jacquard/ptx/load"
)

func ExampleCompile() {
	text := `.version 1.4
.target sm_11
.entry store(.param .u32 out) {
	.reg .u32 %r1;
	ld.param.u32 %r1, [out];
	st.global.u32 [%r1], 7;
	exit;
}
`
	image, err := load.Compile("store.ptx", []byte(text), compile.Options{Arch: load.Arch(11)})
	if err != nil {
		fmt.Println(err)
		return
	}
	k := image.Kernel("store")
	fmt.Println(image.Arch, k.Name, len(k.Params), k.Shared)
	// Output: sm_11 store 1 20
}

func ExampleError() {
	text := ".version 1.4\n.target sm_10\n.entry k() {\n\tad.u32 %r1, 1, 1;\n}\n"
	_, err := load.Compile("k.ptx", []byte(text), compile.Options{})
	fmt.Println(err)
	// Output:
	// k.ptx:4:2: unknown instruction "ad"; near is "add"
}
