package simt_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// fenceText is a kernel of two blocks. In each round, from 1 on, each stores the round's number to its
// own word, waits for the store, and notes what the other's word holds.
const fenceText = `.module sm_13 abi=1 name=m
.kernel k registers=16 shared=32 local=0 barriers=0
	cvt u32 $r1 u16 u16 s[0xc]
	xor b32 $r2 $r1 0x1
	shl b32 $r5 $r1 0x16
	add b32 $r5 b32 s[0x14] $r5
	shl b32 $r1 $r1 0x7
	add b32 $r1 b32 s[0x10] $r1
	shl b32 $r2 $r2 0x7
	add b32 $r2 b32 s[0x10] $r2
	mov b32 $r6 0x1
	mov b32 $r8 0x0
	ld $r12 b32 s[0x18]
loop:
	st b32 g14[$r1] $r6
	ld b32 $r10 g15[$r8]
	ld b32 $r10 g15[$r8]
	ld b32 $r11 g14[$r2]
	st b32 g14[$r5] $r11
	add b32 $r5 $r5 0x4
	add b32 $r6 $r6 0x1
	set $c0 # le u32 $r6 $r12
	(lg $c0) bra loop
	nop {exit}
`

// fenceBytes is the room for the notes of a block.
const fenceBytes = 1 << 22

// No load overtakes a store before a read of the fence window. If a block in round i sees the other's
// round r, the other's next store comes later, and the other then must see round i.
func TestFence(t *testing.T) {
	img, err := asm.Read(fenceText)
	require.NoError(t, err)
	for _, h := range wholeHosts {
		if simt.CheckEngine(h.host) != nil {
			continue
		}
		k, rounds := img.Kernels[0], min(10*h.rounds, fenceBytes/4)
		p, err := simt.Lower(simt.Kernel{
			Name: "k", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, k.Code), Registers: k.Registers, Shared: k.Shared, Host: h.host,
		})
		require.NoError(t, err)
		space := mem.NewSpace(1 << 24)
		rows, err := space.Alloc(256)
		require.NoError(t, err)
		notes, err := space.Alloc(2 * fenceBytes)
		require.NoError(t, err)
		var params []byte
		for _, v := range []uint32{rows, notes, rounds} {
			params = binary.LittleEndian.AppendUint32(params, v)
		}
		_, err = simt.Run(&simt.Launch{
			Program: p, Grid: [2]int{2, 1}, Block: [3]int{1, 1, 1}, Params: params, Dynamic: apart, Global: space, Workers: 2, NoStats: true,
		})
		require.NoError(t, err)
		saw, other := words(t, space, notes, int(rounds)), words(t, space, notes+fenceBytes, int(rounds))
		for n, r := range saw {
			if round := uint32(n) + 1; r < rounds && other[r] < round { // other[r] is of round r + 1
				require.Fail(t, "a load overtook a store", "%v: round %d saw %d, which saw %d", h.host, round, r, other[r])
			}
		}
	}
}
