package compile_test

import (
	"fmt"

	"jacquard/decoder"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/tesla"
)

// A kernel that stores a number, as machine code.
func ExampleCompile() {
	m, err := ptx.Parse("five", []byte(`.version 1.4
.target sm_10
.entry k (.param .u32 out) {
	.reg .u32 %a, %x;
	ld.param.u32 %a, [out];
	mov.u32 %x, %ctaid.x;
	add.u32 %x, %x, 7;
	st.global.u32 [%a], %x;
	exit;
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	image, err := compile.Compile(m, compile.Options{Arch: tesla.SM10})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, in := range decoder.Kernel(tesla.SM10, image.Kernels[0].Code) {
		fmt.Println(in)
	}
	// Output:
	// mov b32 $r0 b32 s[0x10]
	// cvt u32 $r1 u16 u16 s[0xc]
	// add b32 $r1 $r1 0x7
	// exit st b32 g14[$r0] $r1
}
