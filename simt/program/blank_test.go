package program

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/tesla"
)

func TestBlank(t *testing.T) {
	for _, c := range []struct {
		name, code string
		want       Blank
	}{
		{"read first", "add b32 $r1 $r0 $r2", Blank{General: []int{0, 2}}},
		{"written first", "mov b32 $r1 0x1; add b32 $r2 $r1 $r1", Blank{}},
		{"a half", "mov b16 $r1h 0x1; mov b32 $r2 $r1", Blank{General: []int{1}}},
		{"under a guard", "set $c0 # l s32 $r0 $r0; (l $c0) mov b32 $r1 $r0; mov b32 $r2 $r1", Blank{General: []int{0, 1}}},
		{"one way", "set $c0 # l s32 $r0 $r0; (l $c0) bra 0x18; mov b32 $r1 0x1; mov b32 $r2 $r1", Blank{General: []int{0, 1}}},
		{"both ways", "set $c0 # l s32 $r0 $r0; mov b32 $r1 0x2; (l $c0) bra 0x20; mov b32 $r1 0x1; mov b32 $r2 $r1", Blank{General: []int{0}}},
		{"again in a loop", "mov b32 $r3 $r1; mov b32 $r1 0x1; set $c0 # l s32 $r1 $r3; (l $c0) bra 0x0", Blank{General: []int{1}}},
		{"in one lane of each quad", "(l0) mov b32 $r1 $r0; mov b32 $r2 $r1", Blank{General: []int{0, 1}}},
		{"conditions", "(l $c1) mov b32 $r1 $r124", Blank{Conditions: true}},
		{"addresses", "mov b32 $r1 b32 s[$a2]", Blank{Addresses: []int{2}}},
		{"an address", "shl $a2 $r0 0x2; mov b32 $r1 b32 s[$a2]", Blank{General: []int{0}}},
		{"after a break", "breakaddr 0x20; mov b32 $r1 0x1; mov b32 $r2 0x1; break; mov b32 $r3 $r2; mov b32 $r4 $r5", Blank{General: []int{5}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, lowered(t, c.code).Blank)
		})
	}
	require.Len(t, lowered(t, "mov b32 $r1 0x1; quadop f32 sub sub sub sub $r2 l1 $r1 $r1").Blank.General, 8, "of other lanes")
	require.Len(t, lowered(t, "call 0x10; mov b32 $r2 0x1; ret").Blank.General, 8, "calls are not followed")
}

// lowered returns the program of some instructions, of eight bytes each, and an exit.
func lowered(t *testing.T, code string) *Program {
	t.Helper()
	text := ".module sm_13 abi=1 name=m\n.kernel k registers=8 shared=0 local=0 barriers=0\n"
	for line := range strings.SplitSeq(code, "; ") {
		text += strings.Replace(line+" {long}", "{exit} {long}", "{exit}", 1) + "\n"
	}
	img, err := asm.Read(text + "nop {exit}\n")
	require.NoError(t, err)
	p, err := Lower(Kernel{Code: decoder.Kernel(tesla.SM13, img.Kernels[0].Code), Registers: 8})
	require.NoError(t, err)
	return p
}
