package mirror_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/board/lastwriter"
	"jacquard/board/mirror"
	"jacquard/internal/difference"
	"jacquard/libcuda/driver/knobs"
)

func ExampleNew() {
	_, err := mirror.New(knobs.Crosscheck{Library: "/nowhere/libcuda.so.1", Every: 1}, io.Discard)
	fmt.Println(err)
	// Output: crosscheck: /nowhere/libcuda.so.1: there is no such file
}

func TestLines(t *testing.T) {
	memory := mirror.Difference{
		Launch: 9, First: 9, Kernel: "k", Grid: [2]int{2, 1}, Block: [3]int{32, 1, 1},
		Buffer: "variable table", Address: 0x1000, Bytes: 64, Offset: 12, Here: 1, There: 2, Words: 3, Of: 16, Searched: true,
	}
	const head = "DIFFERENCE at launch 9, kernel k, grid 2x1, block 32x1x1"
	const where = "  variable table of 64 bytes at 0x1000, offset 0xc: here 0x00000001, there 0x00000002"
	require.Equal(t, []string{head, where, "  3 of the buffer's 16 words differ",
		"  no thread of this launch wrote there here: the other driver's did, or what it found was another"}, memory.Lines())

	memory.Writer = &lastwriter.Writer{Thread: [3]int{1, 2, 3}, PC: 8, Text: "st b32 g14[$r0] $r1", Others: 2}
	memory.Number = &difference.Number{Got: 1, Want: 1.5, Bits: 32, ULP: 4}
	require.Equal(t, []string{head, where + " (1, 1.5: 4 ulp)", "  3 of the buffer's 16 words differ",
		"  written here by block (0,0), thread (1,2,3), pc 0x8: st b32 g14[$r0] $r1 (and 2 more threads wrote there)"}, memory.Lines())

	memory.First, memory.Writer, memory.Searched = 5, nil, false
	require.Equal(t, "DIFFERENCE at one of launches 5 to 9, kernel k, grid 2x1, block 32x1x1", memory.Lines()[0])
	require.Equal(t, "  compare after every launch (--every 1) to learn which thread and instruction wrote it", memory.Lines()[3])

	outcome := mirror.Difference{Launch: 9, First: 9, Kernel: "k", Grid: [2]int{2, 1}, Block: [3]int{32, 1, 1},
		ResultHere: "CUDA_SUCCESS", ResultThere: "CUDA_ERROR_LAUNCH_FAILED", Message: "why"}
	require.Equal(t, []string{head + ": here CUDA_SUCCESS, there CUDA_ERROR_LAUNCH_FAILED", "  why"}, outcome.Lines())
}
