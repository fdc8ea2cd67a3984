package translate_test

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/decoder/asm"
	"jacquard/simt"
	"jacquard/simt/engine"
	"jacquard/simt/engine/translate"
	"jacquard/simt/engine/translate/host"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// relayKernel has warps go from barrier to barrier, by ways of many lengths: over turns and brief
// turns, in loops whose rounds depend on the warp, with lanes that part, and with regions that are
// open at a barrier. A word that all write without care shows the order. Half of the warps may end
// early.
const relayKernel = `
	shr u32 $r1 $r0 0x5
	shl $a1 $r0 0x2
	mov b32 $r2 0x0
	mov b32 $r3 0x1
	mov b32 $r6 ROUNDS
	joinat end
loop:
	bar inc wait 0x0 0xfff
	ld $r4 b32 s[$a1+0x40]
	add b32 $r3 $r3 $r4
	add b32 $r5 $r1 $r2
	and b32 $r5 $r5 0x1f
	shl b32 $r5 $r5 LENGTH
inner:
	add b32 $r3 $r3 $r5
	add b32 $r5 $r5 0xffffffff
	set $c0 # g s32 $r5 $r124
	(lg $c0) bra inner
	mov b32 $r4 b32 s[0x3c]
	add b32 $r4 $r4 $r1
	st b32 s[0x3c] $r4
	add b32 $r3 $r3 $r4
	and b32 $r5 $r0 $r2
	set $c0 # e s32 $r5 $r124
	joinat met
	(lg $c0) bra met
	add b32 $r3 $r3 $r2
	ld $r4 b32 s[$a1+0x40]
	add b32 $r3 $r3 $r4
met:
	join (never) nop
	bar inc wait 0x0 0xfff
	st b32 s[$a1+0x40] $r3
	mov $r4 $clock
	add b32 $r3 $r3 $r4
	add b32 $r2 $r2 0x1
	and b32 $r5 $r1 0x1
	shl b32 $r5 $r5 EARLY
	add b32 $r5 $r5 $r2
	set $c0 # l s32 $r5 $r6
	(lg $c0) bra loop
end:
	join (never) nop
	shl b32 $r5 $r0 0x2
	add b32 $r5 b32 s[0x10] $r5
	st b32 g14[$r5] $r3
	nop {exit}
`

// assemble replaces labels by addresses: all instructions are long.
func assemble(t *testing.T, text string) []uint32 {
	t.Helper()
	var lines []string
	labels := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if name, ok := strings.CutSuffix(line, ":"); ok {
			labels[name] = fmt.Sprintf("0x%x", 8*len(lines))
		} else {
			lines = append(lines, strings.Replace(line+" {long}", "{exit} {long}", "{exit}", 1))
		}
	}
	body := strings.Join(lines, "\n")
	for name, at := range labels {
		body = regexp.MustCompile(`(bra|joinat|breakaddr|call) `+name+`\b`).ReplaceAllString(body, "$1 "+at)
	}
	img, err := asm.Read(".module sm_13 abi=1 name=m\n.kernel k registers=8 shared=0 local=0 barriers=1\n" + body + "\n")
	require.NoError(t, err, body)
	return img.Kernels[0].Code
}

// Warps that the code has take turns leave the same as those that the schedule has.
func TestRelay(t *testing.T) {
	for _, simd := range onHost(t) {
		for _, length := range []string{"0x0", "0x3"} {
			for _, early := range []string{"0x0", "0x4"} {
				text := strings.NewReplacer("LENGTH", length, "EARLY", early, "ROUNDS", "0x30").Replace(relayKernel)
				words := assemble(t, text)
				for threads := 32; threads <= 512; threads += 80 {
					t.Run(fmt.Sprintf("%s length %s early %s threads %d", simd, length, early, threads), func(t *testing.T) {
						want := runRelay(t, words, threads, "off", nil)
						relays := 0
						got := runRelay(t, words, threads, simd, &relays)
						require.Equal(t, want, got)
						if threads >= 64 && threads%32 == 0 {
							require.NotZero(t, relays)
						}
					})
				}
			}
		}
	}
}

// relayed counts the times that an engine ends turns.
type relayed struct {
	engine.Runner
	n *int
}

func (r relayed) RunOn(t *engine.Turn) {
	r.Runner.RunOn(t)
	if t.Relay != nil && t.Relay.Touched != 0 {
		*r.n++
	}
}

// relayedCode makes engines that count.
type relayedCode struct {
	engine.Code
	n *int
}

func (c relayedCode) New(warps int) engine.Engine {
	return relayed{c.Code.New(warps).(engine.Runner), c.n}
}

// relayResult is what a launch leaves.
type relayResult struct {
	words []uint32
	stats simt.Stats
}

// launchRelay runs a kernel on the interpreter, or on hot code if relays is not nil.
func launchRelay(t *testing.T, words []uint32, threads int, simd string, relays *int, space *mem.Space, param uint32) (*simt.Stats, error) {
	t.Helper()
	k := program.Kernel{
		Name: "relay", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, words), Registers: 8, Shared: 0x40 + 4*512,
	}
	p, err := simt.LowerFor(k, func(p *program.Program) (engine.Code, error) {
		p.Kernel.Host.SIMD = simd
		if relays == nil {
			return translate.Compile(p)
		}
		code, err := translate.CompileHot(p)
		return relayedCode{code, relays}, err
	})
	require.NoError(t, err)
	return simt.Run(&simt.Launch{
		Program: p, Grid: [2]int{3, 1}, Block: [3]int{threads, 1, 1}, Global: space, Workers: 1,
		Params: binary.LittleEndian.AppendUint32(nil, param), InStep: simt.InStepOff,
	})
}

// runRelay is launchRelay with a buffer of a word for each thread.
func runRelay(t *testing.T, words []uint32, threads int, simd string, relays *int) relayResult {
	t.Helper()
	space := mem.NewSpace(1 << 20)
	out, err := space.Alloc(uint64(4 * threads))
	require.NoError(t, err)
	stats, err := launchRelay(t, words, threads, simd, relays, space, out)
	require.NoError(t, err)
	r := relayResult{stats: *stats}
	r.stats.Elapsed = 0
	data, err := space.Bytes(out, uint64(4*threads))
	require.NoError(t, err)
	for i := range threads {
		r.words = append(r.words, binary.LittleEndian.Uint32(data[4*i:]))
	}
	return r
}

// Faults are those of the interpreter if warps have ended, or wait, in code.
func TestRelayFaults(t *testing.T) {
	for name, text := range map[string]string{
		"exit in a region of quads": `
	mov b32 $r1 0x1
	quadon
	mov b32 $r1 0x2
	nop {exit}
`,
		"warps at two barriers, and one that ended late": `
	shr u32 $r1 $r0 0x5
	mov b32 $r2 0x64
	set $c0 # e s32 $r1 $r124
	(lg $c0) bra loop
	add b32 $r1 $r1 0xffffffff
	set $c0 # e s32 $r1 $r124
	(lg $c0) bra one
	bar inc wait 0x0 0xfff
	nop {exit}
one:
	bar inc wait 0x1 0xfff
	nop {exit}
loop:
	add b32 $r2 $r2 0xffffffff
	set $c0 # g s32 $r2 $r124
	(lg $c0) bra loop
	nop {exit}
`,
	} {
		t.Run(name, func(t *testing.T) {
			words := assemble(t, text)
			var want, got *simt.Fault
			_, err := launchRelay(t, words, 96, "off", nil, mem.NewSpace(1<<20), 0)
			require.ErrorAs(t, err, &want)
			for _, simd := range onHost(t) {
				_, err := launchRelay(t, words, 96, simd, new(int), mem.NewSpace(1<<20), 0)
				require.ErrorAs(t, err, &got)
				require.Equal(t, want, got)
			}
		})
	}
}

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

// Lanes may part before a barrier and after it, call functions and exit from their regions, while
// the others wait. The schedule has so many lanes run first, so the most places are those of the
// code.
func TestRelayRegions(t *testing.T) {
	first := ""
	for _, mask := range []string{"0x10", "0x18", "0x1c"} {
		first += strings.ReplaceAll(`
	and b32 $r1 $r0 MASK
	set $c0 # e s32 $r1 $r124
	joinat joinMASK
	(lg $c0) bra joinMASK
	ld $r5 b32 s[0x3c]
	add b32 $r3 $r3 0x1
joinMASK:
	join (never) nop
	bar inc wait 0x0 0xfff`, "MASK", mask)
	}
	words := assemble(t, `
	mov b32 $r3 $r0
	mov b32 $r4 0x0
`+strings.TrimPrefix(first, "\n")+`
	joinat exit
again:
	and b32 $r1 $r0 0x10
	set $c0 # e s32 $r1 $r4
	joinat outer
	(lg $c0) bra few
	add b32 $r3 $r3 0x3
	bra outer
few:
	ld $r5 b32 s[0x3c]
	add b32 $r3 $r3 0x5
	bar inc wait 0x0 0xfff
	and b32 $r1 $r0 0x8
	set $c0 # e s32 $r1 $r124
	joinat inner
	(lg $c0) bra fewer
	ld $r5 b32 s[0x3c]
	call twice
	add b32 $r3 $r3 0x7
	bra inner
fewer:
	ld $r5 b32 s[0x3c]
	and b32 $r1 $r0 0x4
	set $c0 # e s32 $r1 $r124
	joinat least
	(lg $c0) bra least
	bar inc wait 0x0 0xfff
	call twice
	ld $r5 b32 s[0x3c]
least:
	join (never) nop
	add b32 $r3 $r3 0xb
inner:
	join (never) nop
	bar inc wait 0x0 0xfff
outer:
	join (never) nop
	add b32 $r4 $r4 0x10
	mov b32 $r1 0x10
	set $c0 # le u32 $r4 $r1
	(lg $c0) bra again
exit:
	shl b32 $r5 $r0 0x2
	add b32 $r5 b32 s[0x10] $r5
	st b32 g14[$r5] $r3
	nop {exit}
twice:
	bar inc wait 0x0 0xfff
	add b32 $r3 $r3 $r3
	ret
`)
	for _, simd := range onHost(t) {
		for threads := 32; threads <= 512; threads += 48 {
			relays := 0
			require.Equal(t, runRelay(t, words, threads, "off", nil), runRelay(t, words, threads, simd, &relays), "%s, %d threads", simd, threads)
			require.NotZero(t, relays)
		}
	}
}

// breakingLoop has lanes break out of a loop around a loop, by guarded breaks and by branches to a
// break, from within regions of the loop, while others wait at joins, on other sides and behind the
// break. Warps meet at barriers within. In one late round, lanes are at more places than before.
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

// Lanes that break leave the same as under the schedule: in a few rounds, in more moves than a list
// has, and in turns that end within the loops.
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
	for _, simd := range onHost(t) {
		for _, threads := range []int{5, 32, 64} {
			relays := 0
			want, got := runRelay(t, words, threads, "off", nil), runRelay(t, words, threads, simd, &relays)
			require.Equal(t, want, got, "%s, %d threads", simd, threads)
		}
	}
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
	words := assemble(t, sharedJoin)
	for _, simd := range onHost(t) {
		for _, threads := range []int{5, 32, 64} {
			want, got := runRelay(t, words, threads, "off", nil), runRelay(t, words, threads, simd, new(int))
			require.Equal(t, want, got, "%s, %d threads", simd, threads)
		}
	}
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
		words := assemble(t, strings.Replace(forkVote, "any", operation, 1))
		for _, simd := range onHost(t) {
			for _, threads := range []int{5, 32, 64} {
				want, got := runRelay(t, words, threads, "off", nil), runRelay(t, words, threads, simd, new(int))
				require.Equal(t, want, got, "%s, %s, %d threads", operation, simd, threads)
			}
		}
	}
}

// onHost returns the vector instructions that the host has; it logs why it lacks others.
func onHost(t *testing.T) (list []string) {
	for _, simd := range []string{host.AVX512, host.AVX2} {
		if _, err := host.Find(simd); err != nil {
			t.Log(err)
			continue
		}
		list = append(list, simd)
	}
	return list
}
