package translate_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/check"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// upperHalf sends lanes 16 to 31 to a barrier; the other lanes go on after it.
const upperHalf = `
	and b32 $r1 $r0 0x10
	set $c0 # e s32 $r1 $r124
	joinat met
	(lg $c0) bra met
	bar inc wait 0x0 0xfff
met:
	join (never) nop
	bar inc wait 0x0 0xfff
	nop {exit}
`

// missedKernels are kernels with barriers, and the barriers that their lanes miss under a policy
// whose warps arrive as a whole.
var missedKernels = map[string]struct {
	text    string
	threads int
	want    []simt.MissedBarrier // except kernel and block
}{
	"half a warp":                         {upperHalf, 64, []simt.MissedBarrier{{What: check.Divergent, PC: 0x20, Arrived: 0xffff0000, Missing: 0xffff}}},
	"half of one warp and all of another": {upperHalf, 48, []simt.MissedBarrier{{What: check.Divergent, PC: 0x20, Arrived: 0xffff0000, Missing: 0xffff}}},
	"all of a short warp":                 {upperHalf, 16, nil},
	"both sides, in a loop": {`
	mov b32 $r2 0x3
loop:
	and b32 $r1 $r0 0x1
	set $c0 # e s32 $r1 $r124
	joinat met
	(lg $c0) bra even
	bar inc wait 0x0 0xfff
	bra met
even:
	bar inc wait 0x0 0xfff
met:
	join (never) nop
	add b32 $r2 $r2 0xffffffff
	set $c0 # g s32 $r2 $r124
	(lg $c0) bra loop
	nop {exit}
`, 96, []simt.MissedBarrier{
		{What: check.Divergent, PC: 0x28, Arrived: 0xaaaaaaaa, Missing: 0x55555555},
		{What: check.Divergent, PC: 0x38, Arrived: 0x55555555, Missing: 0xaaaaaaaa},
	}},
	"in the last warp alone": {`
	sub b32 $r1 $r0 0x50
	set $c0 # l s32 $r1 $r124
	joinat met
	(lg $c0) bra met
	bar inc wait 0x0 0xfff
met:
	join (never) nop
	nop {exit}
`, 96, []simt.MissedBarrier{{What: check.Divergent, Warp: 2, PC: 0x20, Arrived: 0xffff0000, Missing: 0xffff}}},
	"behind lanes that ended": {`
	sub b32 $r1 $r0 0x14
	set $c0 # ge s32 $r1 $r124
	(lg $c0) bra gone
	joinat met
	bar inc wait 0x0 0xfff
	and b32 $r1 $r0 0x1
	set $c0 # e s32 $r1 $r124
	(lg $c0) bra met
	mov b32 $r1 0x1
met:
	join (never) nop
	bar inc wait 0x0 0xfff
	nop {exit}
gone:
	nop {exit}
`, 64, []simt.MissedBarrier{{What: check.Partial, PC: 0x20, Ended: 0x2}}},
	"missed by some of those that have not ended": {`
	sub b32 $r1 $r0 0x14
	set $c0 # ge s32 $r1 $r124
	(lg $c0) bra gone
	and b32 $r1 $r0 0x1
	set $c0 # e s32 $r1 $r124
	joinat met
	(lg $c0) bra met
	bar inc wait 0x0 0xfff
met:
	join (never) nop
	nop {exit}
gone:
	nop {exit}
`, 64, []simt.MissedBarrier{{What: check.Divergent, PC: 0x38, Arrived: 0xaaaaa, Missing: 0x55555}}},
	"warps at different barriers": {`
	shr u32 $r1 $r0 0x5
	set $c0 # e s32 $r1 $r124
	(lg $c0) bra first
	bar inc wait 0x0 0xfff
	nop {exit}
first:
	bar inc wait 0x0 0xfff
	nop {exit}
`, 128, []simt.MissedBarrier{{What: check.Different, PC: 0x28, OtherWarp: 1, Other: 0x18}}},
	"warps at different barriers after others, in turns": {`
	shr u32 $r1 $r0 0x5
	mov b32 $r2 0x6
loop:
	bar inc wait 0x0 0xfff
	and b32 $r3 $r2 $r1
	set $c0 # e s32 $r3 $r124
	(lg $c0) bra second
	bar inc wait 0x0 0xfff
	bra next
second:
	bar inc wait 0x0 0xfff
next:
	add b32 $r2 $r2 0xffffffff
	set $c0 # g s32 $r2 $r124
	(lg $c0) bra loop
	nop {exit}
`, 160, []simt.MissedBarrier{{What: check.Different, PC: 0x40, OtherWarp: 2, Other: 0x30}}},
	"more rounds in later warps": {`
	shr u32 $r1 $r0 0x5
loop:
	bar inc wait 0x0 0xfff
	add b32 $r1 $r1 0xffffffff
	set $c0 # ge s32 $r1 $r124
	(lg $c0) bra loop
	nop {exit}
`, 128, []simt.MissedBarrier{{What: check.Partial, Warp: 1, PC: 0x8, Ended: 0x1}}},
	"ended while the others wait": {`
	shr u32 $r1 $r0 0x5
	mov b32 $r2 0x9
	set $c0 # e s32 $r1 $r124
	(lg $c0) bra loop
	bar inc wait 0x0 0xfff
	bar inc wait 0x0 0xfff
	nop {exit}
loop:
	add b32 $r2 $r2 0xffffffff
	set $c0 # ge s32 $r2 $r124
	(lg $c0) bra loop
	nop {exit}
`, 96, []simt.MissedBarrier{{What: check.Partial, Warp: 1, PC: 0x20, Ended: 0x1}}},
	"loops of different length before it": {`
	add b32 $r1 $r0 0x1
	joinat met
loop:
	add b32 $r1 $r1 0xffffffff
	set $c0 # g s32 $r1 $r124
	(lg $c0) bra loop
met:
	join (never) nop
	bar inc wait 0x0 0xfff
	nop {exit}
`, 64, nil},
}

// Every engine reports a barrier at which a warp arrives without some of its lanes, under all
// settings of a launch. Legal code is not reported.
func TestMissedBarriers(t *testing.T) {
	for name, tt := range missedKernels {
		words := assemble(t, tt.text)
		for engineName, compile := range startEngines(t) {
			p, err := simt.LowerFor(program.Kernel{
				Name: "k", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, words), Registers: 8, Shared: 0x40,
			}, compile)
			require.NoError(t, err)
			for what, change := range map[string]func(*simt.Launch){
				"plain":       func(*simt.Launch) {},
				"instruction": func(l *simt.Launch) { l.Order = simt.OrderInstruction },
				"watchdog":    func(l *simt.Launch) { l.Watchdog = 1 << 20 },
				"hook":        func(l *simt.Launch) { l.InStep = simt.InStepOn },
				"no counts":   func(l *simt.Launch) { l.NoStats = true },
				"workers":     func(l *simt.Launch) { l.Workers = 2 },
			} {
				t.Run(fmt.Sprintf("%s, %s, %s", name, engineName, what), func(t *testing.T) {
					l := &simt.Launch{Program: p, Grid: [2]int{5, 1}, Block: [3]int{tt.threads, 1, 1}, Global: mem.NewSpace(1 << 20)}
					change(l)
					stats, err := simt.Run(l)
					require.NoError(t, err)
					var want []*simt.MissedBarrier
					for _, m := range tt.want {
						m.Kernel = "k"
						want = append(want, &m)
					}
					require.Equal(t, want, stats.Missed)
				})
			}
		}
	}
}

// No barrier is missed by lanes where they arrive one by one and their warp waits for the last.
func TestNothingMissed(t *testing.T) {
	for _, policy := range []string{"stackless", "simty", "mimd", "volta", "barrier", "pdom", "implicit", "dwf", "tbc"} {
		for name, tt := range missedKernels {
			words := assemble(t, tt.text)
			p, err := simt.LowerFor(program.Kernel{
				Name: "k", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, words), Registers: 8, Shared: 0x40,
			}, startEngines(t)["interp"])
			require.NoError(t, err)
			stats, err := simt.Run(&simt.Launch{
				Program: p, Grid: [2]int{5, 1}, Block: [3]int{tt.threads, 1, 1}, Global: mem.NewSpace(1 << 20), Policy: policy,
			})
			if errors.As(err, new(*branch.RefusedError)) {
				continue
			}
			if stats != nil {
				divergent := slices.ContainsFunc(stats.Missed, func(m *simt.MissedBarrier) bool { return m.What == check.Divergent })
				require.False(t, divergent, "%s, %s: %v", policy, name, err)
			}
		}
	}
}

// The text names the barrier and the lanes.
func TestMissedBarrierText(t *testing.T) {
	m := simt.MissedBarrier{What: check.Divergent, Kernel: "k", Block: [2]int{3, 1}, Warp: 2, PC: 0x48, Source: "a.cu:12", Arrived: 0xff, Missing: 0xff00}
	require.Equal(t, "kernel k comes to a barrier with only some lanes of a warp: block (3,1), warp 2, lanes 000000ff, pc 0x48, a.cu:12; "+
		"its lanes 0000ff00 are elsewhere, and do not wait: a warp arrives once for all its lanes. "+
		"Lanes that come to a barrier later wait for its next opening", m.String())
	m = simt.MissedBarrier{What: check.Different, Kernel: "k", Warp: 1, PC: 0x48, OtherWarp: 2, Other: 0x60, OtherSource: "a.cu:14"}
	require.Equal(t, "kernel k opens a barrier for warps at different instructions: block (0,0), warp 1 at pc 0x48, warp 2 at pc 0x60, a.cu:14. "+
		"A barrier is for all threads of a block, at one place of the text; these devices count warps alone", m.String())
	m = simt.MissedBarrier{What: check.Partial, Kernel: "k", PC: 0x48, Ended: 0xa}
	require.Equal(t, "kernel k opens a barrier without warps that have ended: block (0,0), pc 0x48; warps 1, 3. "+
		"A barrier is for all threads of a block; these devices wait for no warp that has ended", m.String())
}
