package translate_test

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/engine"
	"jacquard/simt/engine/translate"
	"jacquard/simt/engine/translate/host"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// relayKernel sends warps from barrier to barrier, on paths of many lengths: over turns and brief
// turns, in loops whose iterations depend on the warp, with lanes that part, and with regions that
// are open at a barrier. A word that all warps write without synchronization shows the order. Half
// of the warps may end early.
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

// Warps leave the same results whether the code or the schedule makes them take turns.
func TestRelay(t *testing.T) {
	for _, simd := range onHost(t) {
		for _, length := range []string{"0x0", "0x3"} {
			for _, early := range []string{"0x0", "0x4"} {
				text := strings.NewReplacer("LENGTH", length, "EARLY", early, "ROUNDS", "0x30").Replace(relayKernel)
				words := assemble(t, text)
				for threads := 32; threads <= 512; threads += 80 {
					t.Run(fmt.Sprintf("%s length %s early %s threads %d", simd, length, early, threads), func(t *testing.T) {
						relays := sameRelay(t, words, threads, simd)
						if threads >= 64 && threads%32 == 0 {
							require.NotZero(t, relays)
						}
					})
				}
			}
		}
	}
}

// returnKernel makes lanes return iteration by iteration, all lanes of one number together, with or
// without a barrier in between. Some return in a region.
const returnKernel = `
	mov b32 $r2 0x0
	mov b32 $r3 0x3
	shr u32 $r1 $r0 SHIFT
	shl b32 $r4 $r0 0x2
	add b32 $r4 b32 s[0x10] $r4
	joinat end
loop:
	BARRIER
	st b32 g14[$r4] $r2
	sub b32 $r5 $r1 $r2
	set $c0 # e s32 $r5 $r124
	joinat met
	(lg $c0) ret
met:
	join (never) nop
	add b32 $r2 $r2 0x1
	set $c0 # l s32 $r2 $r3
	(lg $c0) bra loop
end:
	join (never) nop
	ret
`

// Warps whose lanes all return outside a function end in the code.
func TestRelayReturns(t *testing.T) {
	for _, simd := range onHost(t) {
		for _, barrier := range []string{"nop", "bar inc wait 0x0 0xfff"} {
			for shift := 3; shift <= 7; shift++ {
				text := strings.NewReplacer("BARRIER", barrier, "SHIFT", fmt.Sprintf("0x%x", shift)).Replace(returnKernel)
				words := assemble(t, text)
				for threads := 32; threads <= 512; threads += 80 {
					t.Run(fmt.Sprintf("%s %s shift %d threads %d", simd, barrier, shift, threads), func(t *testing.T) {
						relays := sameRelay(t, words, threads, simd)
						if shift >= 5 {
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

// launchRelay runs a launch of relayLaunch.
func launchRelay(t *testing.T, words []uint32, threads int, simd string, relays *int, space *mem.Space, param uint32) (*simt.Stats, error) {
	t.Helper()
	return simt.Run(relayLaunch(t, words, threads, simd, relays, space, param))
}

// relayLaunch returns a launch of a kernel on the interpreter, or on hot code if relays is not nil.
func relayLaunch(t *testing.T, words []uint32, threads int, simd string, relays *int, space *mem.Space, param uint32) *simt.Launch {
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
	return &simt.Launch{
		Program: p, Grid: [2]int{3, 1}, Block: [3]int{threads, 1, 1}, Global: space, Workers: 1,
		Params: binary.LittleEndian.AppendUint32(nil, param), InStep: simt.InStepOff,
	}
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

// Regions that were lent to the code for one block do not matter to the next: in the second block,
// the code runs on through turns in which lanes are apart, and leaves when the lanes have met.
func TestRelayLent(t *testing.T) {
	words := assemble(t, `
	and b32 $r2 $r0 0x1
	set $c0 # e s32 $r2 $r124
	mov b32 $r3 0x800
	joinat met
	(lg $c0) bra met
loop:
	add b32 $r3 $r3 0xffffffff
	set $c0 # g s32 $r3 $r124
	(lg $c0) bra loop
met:
	join (never) nop
	mov b32 $r1 b32 s[0xc]
	set $c0 # e s32 $r1 $r124
	(lg $c0) bra last
	bar inc wait 0x1 0xfff
last:
	shl b32 $r4 $r0 0x2
	add b32 $r4 b32 s[0x10] $r4
	st b32 g14[$r4] $r3
	nop {exit}
`)
	for _, simd := range onHost(t) {
		for _, threads := range []int{32, 64, 128} {
			sameRelay(t, words, threads, simd)
		}
	}
}

// An interrupted launch ends, also where every block runs from start to end in the code, or for
// several turns.
func TestRelayInterrupt(t *testing.T) {
	for name, text := range map[string]string{
		"short": `
	mov b32 $r1 $r0
	nop {exit}
`,
		"long": `
	mov b32 $r1 $r124
loop:
	add b32 $r1 $r1 0x1
	set $c0 # lg s32 $r1 $r124
	(lg $c0) bra loop
	nop {exit}
`,
	} {
		for _, simd := range onHost(t) {
			t.Run(name+" "+simd, func(t *testing.T) {
				l := relayLaunch(t, assemble(t, text), 64, simd, new(int), mem.NewSpace(1<<20), 0)
				l.Interrupt = new(atomic.Bool)
				if name == "short" {
					l.Interrupt.Store(true)
				} else {
					time.AfterFunc(10*time.Millisecond, func() { l.Interrupt.Store(true) })
				}
				_, err := simt.Run(l)
				var fault *simt.Fault
				require.ErrorAs(t, err, &fault)
				require.Equal(t, simt.FaultInterrupt, fault.Kind)
			})
		}
	}
}

// sameRelay requires that a kernel leaves the same on hot code as on the interpreter. It returns
// how often the code ended turns.
func sameRelay(t *testing.T, words []uint32, threads int, simd string) (relays int) {
	t.Helper()
	want := runRelay(t, words, threads, "off", nil)
	require.Equal(t, want, runRelay(t, words, threads, simd, &relays))
	return relays
}

// Faults equal the interpreter's if warps have ended, or wait, in code.
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

// Lanes may part before a barrier and after it, call functions and exit from their regions, while
// the others wait. The schedule runs as many lanes first, so the most places are counted in the
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
