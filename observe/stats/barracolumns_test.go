package stats

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/tesla"
)

// Columns of instructions by Barra's description of the instruction set. "i f c m g" are its
// classes integer, FP32, flow, mov and memory; "s" and "k" are shared and constant operands. The
// numbers of registers read and written follow.
func TestBarraColumns(t *testing.T) {
	for _, c := range []struct {
		w0, w1   uint32
		text     string // as Jacquard prints it
		flags    string
		from, to int
	}{
		{0x20000205, 0x04008780, "add b32 $r1 $r1 $r2", "i", 2, 1},
		{0x20000405, 0x04008780, "add b32 $r1 $r2 $r2", "i", 2, 1}, // Barra compares the wrong ones
		{0x21000205, 0x04408780, "add b32 $r1 $r1 c1[0x8]", "ik", 1, 1},
		{0x2000c805, 0x04204780, "add b32 $r1 b32 s[0x10] $r1", "is", 1, 1},
		{0x2000c8fd, 0x04204788, "add b32 o[0xfc] b32 s[0x10] $r1", "is", 1, 0},
		{0x20018405, 0x00000003, "add b32 $r1 $r2 0x1", "i", 1, 1},
		{0x30418405, 0x00000003, "addc b32 $r1 $r2 0x1 $c0", "", 1, 1}, // no class in Barra
		{0x20038404, 0, "add b32 $r1 $r2 $r3", "i", 2, 1},
		{0x60020405, 0x00004780, "add $r1 (mul u16 $r1l $r1l) $r1", "i", 1, 1},
		{0x30020009, 0xc4100780, "shl b32 $r2 $r0 0x2", "i", 1, 1},
		{0x30020009, 0xc4000780, "shl b32 $r2 $r0 $r2", "i", 2, 1},
		{0xd0030405, 0x0400c780, "mov2 b32 $r1 $r2 $r3", "i", 1, 1},
		{0xd0030405, 0x04004780, "or b32 $r1 $r2 $r3", "i", 2, 1},
		{0xa0000405, 0x04014780, "cvt u32 $r1 s32 $r2", "i", 1, 1},
		{0xa0000405, 0x24014780, "cvt neg u32 $r1 s32 $r2", "", 1, 1}, // no class either
		{0xa0000405, 0x44014780, "cvt rn f32 $r1 s32 $r2", "i", 1, 1},
		{0xa0000405, 0x84004780, "cvt rni u32 $r1 f32 $r2", "f", 1, 1},
		{0xa0000405, 0xc4004780, "cvt f32 $r1 f32 $r2", "f", 1, 1},
		{0xb0000405, 0x0000c780, "add rn f32 $r1 $r2 $r3", "f", 2, 1},
		{0xe0030405, 0x00010780, "add f32 $r1 (mul $r2 $r3) $r4", "f", 3, 1},
		{0x90000405, 0x00000780, "rcp f32 $r1 $r2", "f", 1, 1},
		{0xe0000409, 0x60010780, "add rn f64 $r2d $r2d $r4d", "f", 2, 1},
		{0x10000405, 0x0403c780, "mov b32 $r1 $r2", "m", 1, 1},
		{0x1000c805, 0x0423c780, "mov b32 $r1 b32 s[0x10]", "ms", 0, 1},
		{0x10018005, 0x00000003, "mov b32 $r1 0x1", "m", 0, 1},
		// part of the address counts as a register
		{0x10000805, 0x4400c780, "ld $r1 b32 s[0x10]", "m", 1, 1},
		{0x10000805, 0x2440c780, "ld $r1 b32 c1[0x10]", "m", 1, 1},
		{0x00000801, 0xe4204780, "st b32 s[0x10] $r1", "m", 1, 1},
		{0x00020205, 0xc0000780, "shl $a1 $r1 0x2", "m", 1, 1},
		{0xd00e0405, 0x80c00780, "ld b32 $r1 g14[$r2]", "g", 1, 1},
		// a type bit counts as an operand bit
		{0xd00e0405, 0x80600780, "ld s16 $r1 g14[$r2]", "gs", 0, 1},
		{0xd00e0405, 0xa0c00780, "st b32 g14[$r2] $r1", "g", 1, 1},
		{0xd0000805, 0x40c00780, "ld b32 $r1 l[0x4]", "g", 1, 1},
		{0xd00e0405, 0xc0c00780, "red add u32 g14[$r2] $r1", "g", 2, 0}, // unknown to Barra
		{0x10000003, 0x00000780, "bra 0x0", "c", 0, 0},
		{0x861ffe03, 0x00000000, "bar inc wait 0x0 0xfff", "c", 0, 0},
		{0xf0000001, 0xe0000780, "nop", "", 0, 0},
	} {
		in := decoder.Decode(tesla.SM13, c.w0, c.w1)
		row := barraRow(&in, &simt.InstructionStats{}, false)
		flags := ""
		for i, letter := range "ifcmgsk" {
			if row[2+i] == 1 {
				flags += string(letter)
			}
		}
		require.Equal(t, c.text, in.String())
		require.Equal(t, c.flags, flags, c.text)
		require.EqualValues(t, c.from, row[9], c.text)
		require.EqualValues(t, c.to, row[10], c.text)
	}
}
