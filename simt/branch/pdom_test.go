package branch

import (
	goflag "flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/cfg"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

var update = goflag.Bool("update", false, "rewrite the golden files")

// kernelOf returns a policy's view of code, without the control events.
func kernelOf(t *testing.T, code []tesla.Instruction) *Kernel {
	g, err := cfg.New(code)
	require.NoError(t, err)
	return &Kernel{Graph: func() *cfg.Graph { return g }}
}

func newPDOM(t *testing.T, code []tesla.Instruction) *pdom {
	newPolicy, err := preparePDOM(kernelOf(t, code), nil)
	require.NoError(t, err)
	return newPolicy().(whole).newFlow().(*pdom)
}

func braIf(target uint32) tesla.Instruction {
	return tesla.Instruction{Op: tesla.OpBra, Guard: tesla.Guard{Cond: tesla.CondE}, Target: target, Size: 8}
}

func bra(target uint32) tesla.Instruction {
	in := braIf(target)
	in.Guard.Cond = tesla.CondAlways
	return in
}

func exit() tesla.Instruction {
	return tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerExit, Size: 8}
}

// The example of Fung, Sham, Yuan and Aamodt: A branches to B and F, B to C and D; C and D meet in
// E, E and F in G. The golden file shows the stack as the paper draws it, at three moments, with
// lane 0 leftmost in a mask.
func TestPDOMStack(t *testing.T) {
	const a, f, b, d, c, e, g = 0, 8, 16, 24, 32, 40, 48
	names := map[uint32]string{a: "A", b: "B", c: "C", d: "D", e: "E", f: "F", g: "G", NoStop: "-"}
	p := newPDOM(t, []tesla.Instruction{
		braIf(b), // A
		bra(g),   // F
		braIf(c), // B
		bra(e),   // D
		bra(e),   // C
		bra(g),   // E
		exit(),   // G
	})
	var out strings.Builder
	snapshot := func(title string) {
		fmt.Fprintf(&out, "%s\nNext PC  Active Mask  Reconv. PC\n", title)
		for _, l := range p.stack {
			fmt.Fprintf(&out, "%-7s  %-11s  %s\n", names[l.pc], lanes4(l.mask), names[l.meet])
		}
		out.WriteString("\n")
	}
	p.Start(0xf)
	require.NoError(t, p.Branch(0x7, b, f)) // A
	snapshot("initial")
	require.NoError(t, p.Branch(0x1, c, d)) // B
	snapshot("after the divergent branch")
	require.NoError(t, p.Branch(0x1, e, e)) // C
	require.NoError(t, p.Branch(0x6, e, c)) // D
	require.NoError(t, p.Branch(0x7, g, g)) // E
	snapshot("after reconvergence")
	golden(t, "testdata/pdom-stack.txt", out.String())
}

func lanes4(m lane.Mask) string {
	var s strings.Builder
	for l := range 4 {
		s.WriteByte('0' + byte(m>>l&1))
	}
	return s.String()
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// If lanes may end early, the sides of a branch are certain to meet only at the end. An earlier
// barrier still opens for the whole warp and reconverges its lanes.
func TestPDOMBarrier(t *testing.T) {
	const branch, side, early, barrier, behind = 0, 8, 16, 24, 32
	p := newPDOM(t, []tesla.Instruction{
		braIf(barrier),
		{Op: tesla.OpNop, Size: 8},
		{Op: tesla.OpRet, Guard: tesla.Guard{Cond: tesla.CondE}, Size: 8},
		{Op: tesla.OpBar, Size: 8},
		exit(),
	})
	p.Start(0xf)
	require.NoError(t, p.Branch(0x3, barrier, side))
	at := func(pc uint32, mask lane.Mask) {
		t.Helper()
		gotPC, gotMask, _, _ := p.Pick()
		require.Equal(t, path{pc, mask}, path{gotPC, gotMask})
	}
	at(barrier, 0x3)
	require.NoError(t, p.Arrive(0, behind))
	require.Equal(t, Runs, p.Status())
	at(side, 0xc)
	require.NoError(t, p.Return(0x4, barrier))
	require.Equal(t, []Place{{behind, 0x3, true}, {barrier, 0x8, false}}, p.Places(nil))
	at(barrier, 0x8)
	require.NoError(t, p.Arrive(0, behind))
	require.Equal(t, Waits, p.Status())
	p.Release()
	at(behind, 0xb)
	require.NoError(t, p.Exit())
	require.Equal(t, Ended, p.Status())
}

// After a guarded return the remaining lanes go on, even after the first instruction of a kernel.
func TestPDOMGuardedReturn(t *testing.T) {
	p := newPDOM(t, []tesla.Instruction{{Op: tesla.OpRet, Guard: tesla.Guard{Cond: tesla.CondE}, Size: 8}, exit()})
	p.Start(0xf)
	require.NoError(t, p.Return(0x5, 8))
	pc, mask, _, _ := p.Pick()
	require.Equal(t, path{8, 0xa}, path{pc, mask})
	require.Equal(t, lane.Mask(0xa), p.Live())
	require.Equal(t, 1, p.Depth())
}
