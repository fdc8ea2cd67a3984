package check_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/mem"
)

// A lane that reads a neighbour's store without a barrier between depends on lockstep, in every
// memory and with every kind of address. With a barrier it does not.
func TestReadOfANeighbour(t *testing.T) {
	const kernel = `
.module sm_13 abi=1 name=cubin
.kernel pass registers=4 shared=0x100 local=0 barriers=1
	shl b32 $r1 $r0 0x2
	xor b32 $r2 $r1 0x4
	shl $a1 $r1 0x0
	shl $a2 $r2 0x0
	add b32 $r1 b32 s[0x10] $r1
	add b32 $r2 b32 s[0x10] $r2
	%s
	%s
	%s
	exit nop
`
	for _, c := range []struct{ space, store, load string }{
		{"s", "st b32 s[$a1+0x40] $r0", "ld $r3 b32 s[$a2+0x40]"},
		{"s", "st b32 s[$a1+0x40] $r0", "add b32 $r3 b32 s[$a2+0x40] $r0"},
		{"g", "st b32 g14[$r1] $r0", "ld b32 $r3 g14[$r2]"},
	} {
		for _, between := range []string{"nop", "bar inc wait 0x0 all"} {
			t.Run(c.load+" after "+between, func(t *testing.T) {
				img, err := asm.Read(fmt.Sprintf(kernel, c.store, between, c.load))
				require.NoError(t, err)
				k := &img.Kernels[0]
				p, err := simt.Lower(simt.Kernel{
					Name: k.Name, Arch: img.Arch, Code: decoder.Kernel(img.Arch, k.Code), Registers: k.Registers, Shared: k.Shared,
				})
				require.NoError(t, err)
				global := mem.NewSpace(1 << 16)
				at, err := global.Alloc(0x1000)
				require.NoError(t, err)
				stats, err := simt.Run(&simt.Launch{
					Program: p, Grid: [2]int{1, 1}, Block: [3]int{32, 1, 1}, Global: global,
					Params: binary.LittleEndian.AppendUint32(nil, at), InStep: simt.InStepOn,
				})
				require.NoError(t, err)
				if between == "nop" {
					require.NotNil(t, stats.InStep)
					require.Equal(t, c.space, stats.InStep.Space)
				} else {
					require.Nil(t, stats.InStep)
				}
			})
		}
	}
}
