package sass_test

import (
	"fmt"

	"jacquard/decoder"
	"jacquard/decoder/sass"
	"jacquard/tesla"
)

func ExampleText() {
	for _, in := range decoder.Kernel(tesla.SM13, []uint32{0x1000c801, 0x0423c780, 0x20018001, 0x00000003, 0xd00e0009, 0xa0c00781}) {
		fmt.Println(sass.Text(in))
	}
	// Output:
	// MOV R0, g [0x4]
	// IADD32I R0, R0, 0x1
	// GST.U32 global14 [R0], R2
}
