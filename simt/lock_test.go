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

// lockText is Peterson's lock, without atomics: a block announces that it wants to enter, lets the
// other go first, waits for its stores, and then until the other does not want to or lets it. Inside
// it counts. The flags are at s[0x10], the turn at s[0x14], the count at s[0x18], the rounds in
// s[0x1c].
const lockText = `.module sm_13 abi=1 name=m
.kernel k registers=12 shared=32 local=0 barriers=0
	cvt u32 $r1 u16 u16 s[0xc]
	xor b32 $r2 $r1 0x1
	shl b32 $r3 $r1 0x8
	add b32 $r3 b32 s[0x10] $r3
	shl b32 $r4 $r2 0x8
	add b32 $r4 b32 s[0x10] $r4
	ld $r5 b32 s[0x14]
	ld $r6 b32 s[0x18]
	ld $r7 b32 s[0x1c]
	mov b32 $r8 0x1
	mov b32 $r9 0x0
loop:
	st b32 g14[$r3] $r8
	st b32 g14[$r5] $r2
	ld b32 $r10 g15[$r9]
wait:
	ld b32 $r10 g14[$r4]
	set $c0 # e s32 $r10 $r124
	(lg $c0) bra enter
	ld b32 $r10 g14[$r5]
	set $c0 # e s32 $r10 $r2
	(lg $c0) bra wait
enter:
	ld b32 $r10 g14[$r6]
	add b32 $r10 $r10 0x1
	st b32 g14[$r6] $r10
	ld b32 $r10 g15[$r9]
	st b32 g14[$r3] $r9
	add b32 $r7 $r7 0xffffffff
	set $c0 # lg s32 $r7 $r124
	(lg $c0) bra loop
	nop {exit}
`

// Two blocks share a lock for as long as both run, whatever the number of workers: stores are seen in
// order, no load overtakes the store before a fence, and a block that has begun goes on while the
// other waits for it.
func TestLock(t *testing.T) {
	img, err := asm.Read(lockText)
	require.NoError(t, err)
	for _, h := range wholeHosts {
		if simt.CheckEngine(h.host) != nil {
			continue
		}
		k, rounds := img.Kernels[0], h.rounds/2
		p, err := simt.Lower(simt.Kernel{
			Name: "k", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, k.Code), Registers: k.Registers, Shared: k.Shared, Host: h.host,
		})
		require.NoError(t, err)
		for _, workers := range []int{1, 2, 7} {
			space := mem.NewSpace(1 << 20)
			at, err := space.Alloc(1024)
			require.NoError(t, err)
			var params []byte
			for _, v := range []uint32{at, at + 512, at + 768, rounds} {
				params = binary.LittleEndian.AppendUint32(params, v)
			}
			_, err = simt.Run(&simt.Launch{
				Program: p, Grid: [2]int{2, 1}, Block: [3]int{1, 1, 1}, Params: params, Dynamic: apart, Global: space, Workers: workers, NoStats: true,
			})
			require.NoError(t, err, "%v, %d workers", h.host, workers)
			require.Equal(t, []uint32{2 * rounds}, words(t, space, at+768, 1), "%v, %d workers", h.host, workers)
		}
	}
}
