package program_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/simt/mem"
	"jacquard/simt/program"
)

// An access is contended if another instruction accesses its allocation, and one of both stores.
// Pointers may come round a loop.
func TestContended(t *testing.T) {
	img, err := asm.Read(`
.module sm_13 abi=1 name=m
.kernel k registers=8 shared=0x40 local=0 barriers=1
.param offset=0 bytes=16
	mov b32 $r1 b32 s[0x10]
	mov b32 $r2 b32 s[0x14]
	mov b32 $r3 b32 s[0x18]
	add b32 $r4 b32 s[0x1c] 0x4
	mov b32 $r5 0x8
	mov b32 $r0 0xffffffff
again:
	ld b32 $r6 g14[$r1]
	ld b32 $r7 g14[$r3]
	st b32 g14[$r2] $r6
	st b32 g14[$r4] $r7
	add b32 $r1 $r1 0x4
	add b32 $r2 $r2 0x4
	add b32 $c0 $r5 $r5 $r0
	(lg $c0) bra again
	exit nop
`)
	require.NoError(t, err)
	k := &img.Kernels[0]
	p, err := program.Lower(program.Kernel{Name: k.Name, Arch: img.Arch, Code: decoder.Kernel(img.Arch, k.Code), Registers: k.Registers, Shared: k.Shared})
	require.NoError(t, err)
	global := mem.NewSpace(1 << 16)
	var at [3]uint32
	for i := range at {
		at[i], err = global.Alloc(256)
		require.NoError(t, err)
	}
	ask := func(of func(*program.Program, []byte, *mem.Space) []bool, in, out, third, fourth uint32) (list []bool) {
		var params []byte
		for _, v := range []uint32{in, out, third, fourth} {
			params = binary.LittleEndian.AppendUint32(params, v)
		}
		all := of(p, params, global)
		for i := range p.Code {
			if p.Code[i].Memory {
				list = append(list, all[i])
			}
		}
		return list
	}
	contended := func(in, out, third, fourth uint32) []bool {
		return ask(program.Contended, in, out, third, fourth)
	}
	a, b, c := at[0], at[1], at[2]
	require.Equal(t, []bool{false, false, false, false}, contended(a, b, a, c), "loads of one, stores to two")
	require.Equal(t, []bool{false, true, false, true}, contended(a, b, c, c), "the second pair shares an array")
	require.Equal(t, []bool{false, false, true, true}, contended(a, b, a, b), "two stores to one")
	require.Equal(t, []bool{true, false, false, true}, contended(a, b, c, a+16))
	require.Equal(t, []bool{true, true, true, true}, contended(a, b, c, 4), "a pointer to nowhere may be any")
	onlyStored := func(in, out, third, fourth uint32) []bool {
		return ask(program.OnlyStored, in, out, third, fourth)
	}
	require.Equal(t, []bool{false, false, true, true}, onlyStored(a, b, a, c))
	require.Equal(t, []bool{false, false, true, false}, onlyStored(a, b, c, c), "the fourth is read as the third")
	require.Equal(t, []bool{false, false, false, false}, onlyStored(4, b, a, c), "a load from anywhere")
	require.Equal(t, []bool{false, false, true, false}, onlyStored(a, b, a, 4), "a store to anywhere")
}

// A return at the end leads nowhere: what registers hold there does not come to the loop before.
func TestStoredReturn(t *testing.T) {
	img, err := asm.Read(`
.module sm_13 abi=1 name=m
.kernel k registers=8 shared=0x40 local=0 barriers=1
.param offset=0 bytes=8
	mov b32 $r1 b32 s[0x10]
	mov b32 $r2 b32 s[0x14]
	mov b32 $r5 0x4
again:
	ld b32 $r6 g14[$r1]
	add b32 $r1 $r1 $r5
	set $c0 # l u32 $r1 $r2
	(lg $c0) bra again
	mov b32 $r5 $r6
	set $c0 # l u32 $r6 $r2
	(lg $c0) ret
	st b32 g14[$r2] $r6
	exit nop
`)
	require.NoError(t, err)
	k := &img.Kernels[0]
	p, err := program.Lower(program.Kernel{Name: k.Name, Arch: img.Arch, Code: decoder.Kernel(img.Arch, k.Code), Registers: k.Registers, Shared: k.Shared})
	require.NoError(t, err)
	global := mem.NewSpace(1 << 16)
	var params []byte
	for range 2 {
		at, err := global.Alloc(256)
		require.NoError(t, err)
		params = binary.LittleEndian.AppendUint32(params, at)
	}
	stored := program.Stored(p, params, global)
	require.Equal(t, []bool{false, true}, []bool{stored[3], stored[10]})
}
