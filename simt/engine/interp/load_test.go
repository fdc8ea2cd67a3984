package interp_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/mem"
)

// A wide load that reaches beyond the kernel's registers fills the registers that the kernel has,
// and changes no other.
func TestLoadBeyondTheRegisters(t *testing.T) {
	img, err := asm.Read(`
.module sm_13 abi=1 name=cubin
.kernel wide registers=6 shared=20 local=0 barriers=0
	mov b32 $r1 b32 s[0x10]
	mov b32 $r3 0x55
	ld b128 $r4q g14[$r1]
	st b32 g14[$r1] $r3
	add b32 $r1 $r1 0x4
	st b32 g14[$r1] $r4
	add b32 $r1 $r1 0x4
	st b32 g14[$r1] $r5
	exit nop
`)
	require.NoError(t, err)
	k := &img.Kernels[0]
	p, err := simt.Lower(simt.Kernel{
		Name: k.Name, Arch: img.Arch, Code: decoder.Kernel(img.Arch, k.Code), Registers: k.Registers, Shared: k.Shared,
	})
	require.NoError(t, err)
	space := mem.NewSpace(1 << 16)
	at, err := space.Alloc(16)
	require.NoError(t, err)
	data, err := space.Bytes(at, 16)
	require.NoError(t, err)
	copy(data, []byte{0: 1, 4: 2, 8: 3, 12: 4})
	_, err = simt.Run(&simt.Launch{
		Program: p, Grid: [2]int{1, 1}, Block: [3]int{1, 1, 1}, Global: space, Params: binary.LittleEndian.AppendUint32(nil, at),
	})
	require.NoError(t, err)
	require.Equal(t, []byte{0: 0x55, 4: 1, 8: 2, 12: 4, 15: 0}, data)
}
