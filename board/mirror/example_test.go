package mirror_test

import (
	"fmt"

	"jacquard/board/lastwriter"
	"jacquard/board/mirror"
)

func ExampleDifference_Lines() {
	d := mirror.Difference{
		Launch: 3, First: 3, Kernel: "vecadd", Grid: [2]int{2, 1}, Block: [3]int{64, 1, 1},
		Buffer: "memory", Address: 0x1000, Bytes: 512, Offset: 0x104, Here: 7, There: 6, Words: 1, Of: 128,
		Writer: &lastwriter.Writer{Block: [2]int{1, 0}, Thread: [3]int{1, 0, 0}, PC: 0x48, Text: "mov b32 g14[$r2] $r0"},
	}
	for _, line := range d.Lines() {
		fmt.Println(line)
	}
	// Output:
	// DIFFERENCE at launch 3, kernel vecadd, grid 2x1, block 64x1x1
	//   memory of 512 bytes at 0x1000, offset 0x104: here 0x00000007, there 0x00000006
	//   1 of the buffer's 128 words differ
	//   written here by block (1,0), thread (1,0,0), pc 0x48: mov b32 g14[$r2] $r0
}
