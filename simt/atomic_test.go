package simt_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// An exchange without a result writes memory and no register, lanes in ascending order.
func TestExchangeWithoutResult(t *testing.T) {
	for _, c := range []struct {
		name string
		arch tesla.Arch
		red  []uint32
		want []uint32
	}{
		{"32 bits on sm_11", tesla.SM11, []uint32{0xd00e0201, 0xc0c00784}, []uint32{31, 0}},  // red exch b32 g14[$r1] $r0
		{"32 bits on sm_13", tesla.SM13, []uint32{0xd00e0201, 0xc0c00784}, []uint32{31, 0}},  // the same
		{"64 bits on sm_12", tesla.SM12, []uint32{0xd00e0209, 0xc0800784}, []uint32{31, 77}}, // red exch b64 g14[$r1] $r2d
	} {
		t.Run(c.name, func(t *testing.T) {
			space := mem.NewSpace(1 << 20)
			out, err := space.Alloc(8 + 32*4)
			require.NoError(t, err)
			m := machine{
				arch: c.arch, registers: 6, shared: 24, params: []uint32{out, out + 8}, space: space, block: [3]int{32, 1, 1},
				words: code(
					[]uint32{0x1000c805, 0x0423c780}, // mov b32 $r1 s[0x10]
					[]uint32{0x10000009, 0x0403c780}, // mov b32 $r2 $r0
					movImm(3, 77),
					c.red,
					[]uint32{0x30020005, 0xc4100780}, // shl b32 $r1 $r0 0x2
					[]uint32{0x2000ca05, 0x04204780}, // add b32 $r1 b32 s[0x14] $r1
					[]uint32{0xd00e0201, 0xa0c00780}, // st b32 g14[$r1] $r0
					[]uint32{exitNop0, exitNop1},
				),
			}
			_, err = simt.Run(m.launch(t))
			require.NoError(t, err)
			require.Equal(t, c.want, words(t, space, out, 2))
			for i, r := range words(t, space, out+8, 32) {
				require.EqualValues(t, i, r, "$r0 of lane %d", i)
			}
		})
	}
}
