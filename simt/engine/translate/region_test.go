package translate_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt"
	"jacquard/simt/mem"
)

// A fork beside a full stack faults as in the interpreter.
func TestForkOnFullStack(t *testing.T) {
	for open := 1018; open <= 1026; open++ { // about as many as fit
		text := "and b32 $r1 $r0 0x1\nset $c0 # e s32 $r1 $r124\n" + strings.Repeat("joinat end\n", open) +
			"joinat met\n(lg $c0) bra met\nadd b32 $r1 $r1 $r0\nmet:\njoin (never) nop\n" +
			"end:\njoin (never) nop\nnop {exit}\n"
		words := assemble(t, text)
		want, wrong := launchRelay(t, words, 32, "off", nil, mem.NewSpace(1<<20), 0)
		for _, simd := range onHost(t) {
			got, err := launchRelay(t, words, 32, simd, new(int), mem.NewSpace(1<<20), 0)
			require.Equal(t, wrong, err, "%d regions", open)
			want.Elapsed, got.Elapsed = 0, 0
			require.Equal(t, want, got, "%d regions", open)
		}
	}
}

// breakingLoop has lanes break out of a loop around a loop, by guarded breaks and by branches to a
// break, from within regions of the loop, while other lanes wait at joins, on other sides and after
// the break. Warps meet at barriers within. In one late iteration, lanes are at more places
// than before.
const breakingLoop = `
	mov b32 $r3 $r0
	mov b32 $r4 0x0
	breakaddr out
outer:
	and b32 $r5 $r0 0x7
	mov b32 $r6 0x0
	breakaddr after
inner:
	add b32 $r3 $r3 $r6
	set $c0 # ge u32 $r6 $r5
	(lg $c0) break
	add b32 $r6 $r6 0x1
	and b32 $r1 $r0 0x10
	set $c0 # e s32 $r1 $r124
	joinat met
	(lg $c0) bra few
	ld $r7 b32 s[0x3c]
	add b32 $r3 $r3 0x3
	and b32 $r1 $r0 0x8
	set $c0 # e s32 $r1 $r124
	(lg $c0) bra met
	mov b32 $r1 0x4
	set $c0 # e s32 $r1 $r6
	(lg $c0) bra leave
	bra met
few:
	ld $r7 b32 s[0x3c]
	add b32 $r3 $r3 0x5
	mov b32 $r1 0x5
	set $c0 # e s32 $r1 $r6
	(lg $c0) break
	BARRIER
met:
	join (never) nop
	and b32 $r1 $r3 0x20
	set $c0 # e s32 $r1 $r124
	joinat fork
	(lg $c0) bra fork
	add b32 $r3 $r3 0x1
fork:
	join (never) nop
	mov b32 $r1 LATE
	set $c0 # lg s32 $r1 $r4
	(lg $c0) bra inner
	and b32 $r1 $r0 0x10
	set $c0 # e s32 $r1 $r124
	joinat late0
	(lg $c0) bra late0
	ld $r7 b32 s[0x3c]
	and b32 $r1 $r0 0x8
	set $c0 # e s32 $r1 $r124
	joinat late1
	(lg $c0) bra late1
	ld $r7 b32 s[0x3c]
	and b32 $r1 $r0 0x4
	set $c0 # e s32 $r1 $r124
	joinat late2
	(lg $c0) bra late2
	ld $r7 b32 s[0x3c]
late2:
	join (never) nop
late1:
	join (never) nop
late0:
	join (never) nop
	bra inner
leave:
	break
after:
	add b32 $r4 $r4 0x1
	shr u32 $r1 $r0 0x3
	and b32 $r1 $r1 0xf
	add b32 $r1 $r1 ROUNDS
	set $c0 # ge u32 $r4 $r1
	(lg $c0) bra stop
	bra outer
stop:
	break
out:
	shl b32 $r5 $r0 0x2
	add b32 $r5 b32 s[0x10] $r5
	st b32 g14[$r5] $r3
	nop {exit}
`

// Lanes that break leave the same results as under the schedule: in a few iterations, in more
// moves than a list has, and in turns that end within the loops.
func TestBreaks(t *testing.T) {
	for rounds, late := range map[string]string{"0x1": "0x0", "0x20": "0x1f", "0x100": "0xf0"} {
		for _, barrier := range []string{"mov b32 $r1 $r1", "bar inc wait 0x0 0xfff"} {
			words := assemble(t, strings.NewReplacer("ROUNDS", rounds, "LATE", late, "BARRIER", barrier).Replace(breakingLoop))
			for _, simd := range onHost(t) {
				for _, threads := range []int{5, 32, 104, 256} {
					if strings.HasPrefix(barrier, "bar") && threads > 32 {
						continue // the warps would not all arrive
					}
					relays := 0
					want, got := runRelay(t, words, threads, "off", nil), runRelay(t, words, threads, simd, &relays)
					require.Equal(t, want, got, "%s, %d threads, %s rounds, %s", simd, threads, rounds, barrier)
				}
			}
		}
	}
}

// requireSame runs a kernel with a part of a warp, one warp and two, and compares the results of
// translated code and the interpreter.
func requireSame(t *testing.T, text string) {
	t.Helper()
	words := assemble(t, text)
	for _, simd := range onHost(t) {
		for _, threads := range []int{5, 32, 64} {
			want, got := runRelay(t, words, threads, "off", nil), runRelay(t, words, threads, simd, new(int))
			require.Equal(t, want, got, "%s, %d threads", simd, threads)
		}
	}
}

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

// Lanes that break in a function wait after the call: the policy does not lend its region.
func TestBreakInFunction(t *testing.T) {
	requireSame(t, callBreak)
}

// sharedJoin has two regions with one join, one of a fork. Lanes of the other region come into the
// fork, past its announcement, while others of their region wait at the join. The policy lends that
// region as one of the fork, the first that names the join.
const sharedJoin = `
	mov b32 $r3 $r0
	mov b32 $r4 0x0
	bra round
	joinat met
fork:
	and b32 $r1 $r0 0x1
	set $c0 # e s32 $r1 $r124
	(lg $c0) bra met
	add b32 $r3 $r3 0x1
met:
	join (never) nop
	add b32 $r4 $r4 0x1
	mov b32 $r1 0x4
	set $c0 # e u32 $r4 $r1
	(lg $c0) bra end
round:
	joinat met
	and b32 $r1 $r0 0x10
	set $c0 # e s32 $r1 $r124
	(lg $c0) bra met
	ld $r5 b32 s[0x3c]
	add b32 $r3 $r3 0x5
	bra fork
end:
	shl b32 $r5 $r0 0x2
	add b32 $r5 b32 s[0x10] $r5
	st b32 g14[$r5] $r3
	nop {exit}
`

// The code leaves a fork to the policy if lanes wait in its region, so that the meeting of three
// groups at the join counts as one.
func TestForkInRegionWhereLanesWait(t *testing.T) {
	requireSame(t, sharedJoin)
}

// forkVote has the lanes of one side of a fork vote.
const forkVote = `
	mov b32 $r3 $r0
	mov b32 $r4 0x0
	mov b32 $r6 0x100
	mov b32 $r7 0x10000
round:
	joinat met
	and b32 $r1 $r0 0x1
	set $c0 # e s32 $r1 $r124
	(lg $c0) bra met
	(lg $c0) vote any $c1
	(e $c1) add b32 $r3 $r3 $r6
	(lg $c1) add b32 $r3 $r3 $r7
met:
	join (never) nop
	add b32 $r4 $r4 0x1
	mov b32 $r1 0x4
	set $c0 # lg u32 $r4 $r1
	(lg $c0) bra round
	shl b32 $r5 $r0 0x2
	add b32 $r5 b32 s[0x10] $r5
	st b32 g14[$r5] $r3
	nop {exit}
`

// A vote on a side of a fork does not ask the lanes of the other.
func TestVoteInFork(t *testing.T) {
	for _, operation := range []string{"any", "all"} {
		requireSame(t, strings.Replace(forkVote, "any", operation, 1))
	}
}

// clockAtJoin reads the clock at a join, by an instruction whose event the policy is told of.
const clockAtJoin = `
	mov b32 $r3 0x0
	mov $r6 $clock
	joinat met
	set $c0 # l u32 $r3 $r0
	(lg $c0) bra met
	add b32 $r3 $r3 0x1
met:
	join mov $r3 $clock
	sub b32 $r3 $r3 $r6
	shl b32 $r5 $r0 0x2
	add b32 $r5 b32 s[0x10] $r5
	st b32 g14[$r5] $r3
	nop {exit}
`

// The clock goes on in the code for what an instruction does besides its event.
func TestClockAtJoin(t *testing.T) {
	words := assemble(t, clockAtJoin)
	for _, policy := range []string{"nvidia", "stackless", "pdom"} {
		for _, watchdog := range []uint64{0, 1 << 40} {
			run := func(simd string, relays *int) []uint32 {
				space := mem.NewSpace(1 << 20)
				out, err := space.Alloc(4 * 64)
				require.NoError(t, err)
				l := relayLaunch(t, words, 64, simd, relays, space, out)
				l.Policy, l.Watchdog = policy, watchdog
				_, err = simt.Run(l)
				require.NoError(t, err)
				data, err := space.Bytes(out, 4*64)
				require.NoError(t, err)
				list := make([]uint32, 64)
				_, err = binary.Decode(data, binary.LittleEndian, list)
				require.NoError(t, err)
				return list
			}
			want := run("off", nil)
			for _, simd := range onHost(t) {
				require.Equal(t, want, run(simd, new(int)), "%s, %s, watchdog %d", simd, policy, watchdog)
			}
		}
	}
}
