package asm

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
)

// A text has a line table of itself if it has a name: short and long instructions, and two kernels.
func TestReadLines(t *testing.T) {
	const text = ".module sm_10\n.kernel a registers=2\n// first\n\tmov b32 $r0 $r1 {short}\n\n\tmov b32 $r1 $r0 {short}\nend:\n\texit (never) nop\n.kernel b\n\texit (never) nop\n"
	img, err := ReadLines("t.s", text)
	require.NoError(t, err)
	require.Equal(t, []cubin.Line{{Offset: 0, File: "t.s", Line: 4}, {Offset: 4, File: "t.s", Line: 6}, {Offset: 8, File: "t.s", Line: 8}}, img.Kernel("a").Lines)
	require.Equal(t, []cubin.Line{{Offset: 0, File: "t.s", Line: 10}}, img.Kernel("b").Lines)

	plain, err := Read(text)
	require.NoError(t, err)
	require.Nil(t, plain.Kernel("a").Lines)
	require.Equal(t, img.Kernel("a").Code, plain.Kernel("a").Code)
}
