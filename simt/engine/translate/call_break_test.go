package translate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/engine/translate/host"
)

// callBreak has lanes break out of a loop in a function that the loop calls.
const callBreak = `
	mov b32 $r3 $r0
	mov b32 $r4 0x0
	breakaddr out
outer:
	call func
	add b32 $r4 $r4 0x1
	mov b32 $r1 0x4
	set $c0 # ge u32 $r4 $r1
	(lg $c0) break
	bra outer
out:
	shl b32 $r5 $r0 0x2
	add b32 $r5 b32 s[0x10] $r5
	st b32 g14[$r5] $r3
	nop {exit}
func:
	joinat met
	and b32 $r1 $r0 0x3
	add b32 $r6 $r4 0x0
	set $c0 # e u32 $r1 $r6
	(lg $c0) break
	ld $r7 b32 s[0x3c]
	add b32 $r3 $r3 0x5
met:
	join (never) nop
	add b32 $r3 $r3 0x100
	ret
`

// Lanes that break in a function wait behind the call: the policy does not lend its region.
func TestBreakInFunction(t *testing.T) {
	words := assemble(t, callBreak)
	for _, simd := range []string{host.AVX512, host.AVX2} {
		if _, err := host.Find(simd); err != nil {
			t.Log(err)
			continue
		}
		for _, threads := range []int{5, 32, 64} {
			relays := 0
			want, got := runRelay(t, words, threads, "off", nil), runRelay(t, words, threads, simd, &relays)
			require.Equal(t, want, got, "%s, %d threads", simd, threads)
		}
	}
}
