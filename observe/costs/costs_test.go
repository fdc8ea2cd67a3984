package costs_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/observe/costs"
	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/study/kerneltest"
	"jacquard/tesla"
)

// run runs a kernel of one block of a warp under a policy, and counts its costs.
func run(t *testing.T, policy, text string) *simt.Stats {
	t.Helper()
	img, err := asm.Read(".module sm_13\n.kernel k registers=8 shared=2064 local=256\n" + text)
	require.NoError(t, err)
	p, err := load.Program(tesla.SM13, &img.Kernels[0], simt.Host{})
	require.NoError(t, err)
	l := &simt.Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{32, 1, 1}, Global: mem.NewSpace(1 << 20), Policy: policy}
	at, err := l.Global.Alloc(1 << 16)
	require.NoError(t, err)
	require.LessOrEqual(t, at, uint32(1<<16), "the kernels use the 64 KiB from 0x10000 on")
	o := costs.Attach(l)
	s, err := simt.Run(l)
	require.NoError(t, err)
	o.Count(s)
	return s
}

// The stack of twenty levels: its cache holds twelve entries, and blocks of four move.
func TestStack(t *testing.T) {
	const levels = 20
	text := strings.Repeat("\tjoinat end\n", levels) + "end:\n" + strings.Repeat("\tjoin nop\n", levels) + "\texit nop\n"
	s := run(t, "nvidia", text)
	require.Equal(t, levels, s.DeepestStack)
	require.EqualValues(t, 2, s.Costs.StackSpills, "at 13 and 17 entries")
	require.EqualValues(t, 2, s.Costs.StackFills, "at 7 and 3")
	require.EqualValues(t, 8+7, s.Costs.StackBeyond, "pushes up to 20, pops down to 13")
	s = run(t, "stackless", text)
	require.Zero(t, s.Costs.StackSpills+s.Costs.StackFills+s.Costs.StackBeyond)
}

// An access is issued once for each line of 128 bytes, for each step that a bank conflict takes, and
// for each constant.
func TestReplays(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       uint64
	}{
		{"one line", "shl b32 $r1 $r0 0x2\n add b32 $r1 $r1 0x10000\n ld b32 $r2 g14[$r1]", 0},
		{"one word", "mov b32 $r1 0x10000\n ld b32 $r2 g14[$r1]", 0},
		{"two lines", "shl b32 $r1 $r0 0x2\n add b32 $r1 $r1 0x10040\n ld b32 $r2 g14[$r1]", 1},
		{"a line for each lane", "shl b32 $r1 $r0 0x7\n add b32 $r1 $r1 0x10000\n st b32 g14[$r1] $r0", 31},
		{"16 bytes each", "shl b32 $r1 $r0 0x4\n add b32 $r1 $r1 0x10000\n ld b128 $r4q g14[$r1]", 3},
		{"16 lanes, a line each", "shl b32 $r1 $r0 0x7\n add b32 $r1 $r1 0x10000\n mov b32 $r3 0x1\n and b32 $c0 $r2 $r0 $r3\n (e $c0) st b32 g14[$r1] $r0", 15},
		{"local memory", "ld b32 $r2 l[0x10]", 0},
		{"two words of local memory", "and b32 $r2 $r0 0x1\n shl $a1 $r2 0x2\n ld b32 $r2 l[$a1]", 1},
		{"16 banks", "shl $a1 $r0 0x2\n st b32 s[$a1+0x10] $r0", 0},
		{"one bank", "shl $a1 $r0 0x6\n st b32 s[$a1+0x10] $r0", 2 * 15},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := run(t, "stackless", c.text+"\n exit nop\n")
			require.Equal(t, c.want, s.Costs.Replays)
			require.Equal(t, s.Arbiter.PC+s.Arbiter.Memory+c.want, s.Costs.ArbiterSteps)
			require.EqualValues(t, 1, s.Arbiter.PC)
			require.Zero(t, s.Costs.Contested)
		})
	}
}

// In an if/else, arbitrations choose a pc while the two sides are apart.
func TestContested(t *testing.T) {
	text := `	mov b32 $r3 0x1
	and b32 $c0 $r2 $r0 $r3
	(e $c0) bra even
	bra end
even:
	bra end
end:
	exit nop
`
	s := run(t, "stackless", text)
	require.EqualValues(t, 4, s.Arbiter.PC)
	require.EqualValues(t, 2, s.Costs.Contested, "after the first branch, and after that of one side")
	require.EqualValues(t, 4, s.Costs.ArbiterSteps)
}

// deepest watches for the most entries of a warp's stack.
type deepest struct {
	most    int
	stacked bool
}

func (d *deepest) Block(*simt.Block) simt.BlockObserver { return d }
func (d *deepest) End()                                 {}

func (d *deepest) Issue(i *simt.Issue) {
	for w := range i.Warps() {
		n, ok := i.Block.Entries(w.Warp)
		d.most, d.stacked = max(d.most, n), d.stacked || ok
	}
}

// Costs of compiled kernels change nothing, and are within the bounds that other counters set.
func TestKernels(t *testing.T) {
	files, err := filepath.Glob("../../testdata/mesa-kernels/*/test.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var sum simt.Costs
	for _, file := range files {
		test, err := kerneltest.Load(file)
		require.NoError(t, err)
		build := &test.Builds[len(test.Builds)-1]
		for _, p := range branch.Policies() {
			l := launch(t, test, build, p.Name)
			alone, err := simt.Run(l)
			if errors.As(err, new(*branch.RefusedError)) || errors.As(err, new(*simt.Fault)) {
				continue // a lock is a livelock under some policies
			}
			require.NoError(t, err)
			l = launch(t, test, build, p.Name)
			var d deepest
			l.Observer = &d
			o := costs.Attach(l)
			s, err := simt.Run(l)
			require.NoError(t, err)
			alone.Elapsed, s.Elapsed = 0, 0
			require.Equal(t, alone, s, "%s under %s", test.Name, p.Name)
			o.Count(s)
			check(t, s)
			switch p.Name {
			case "nvidia":
				require.Equal(t, s.DeepestStack, d.most, test.Name)
			case "pdom":
				require.Equal(t, s.DeepestStack-1, d.most, test.Name)
			case "implicit":
				require.GreaterOrEqual(t, s.DeepestStack, d.most, test.Name)
			default:
				require.False(t, d.stacked, p.Name)
				require.Zero(t, s.Costs.StackBeyond+s.Costs.StackSpills+s.Costs.StackFills)
			}
			sum.Replays += s.Costs.Replays
			sum.Contested += s.Costs.Contested
		}
	}
	require.NotZero(t, sum.Replays)
	require.NotZero(t, sum.Contested)
}

// check asserts what docs/statistics.md says of the counters.
func check(t *testing.T, s *simt.Stats) {
	t.Helper()
	var replays uint64
	for _, in := range s.ByInstruction {
		replays += in.Replays
		m := &in.Memory
		conflicts := m.Shared.Conflicts() + m.Const.Conflicts()
		require.GreaterOrEqual(t, in.Replays, conflicts)
		if lines := in.Replays - conflicts; lines > 0 {
			require.Less(t, lines, m.Device.GT200.Count(), "a line is a transaction at least")
			require.LessOrEqual(t, lines, (lane.Width-1)*in.Issues)
		}
	}
	c := &s.Costs
	require.Equal(t, replays, c.Replays)
	require.Equal(t, s.Arbiter.PC+s.Arbiter.Memory+replays, c.ArbiterSteps)
	require.LessOrEqual(t, c.Contested, s.Arbiter.PC)
	require.LessOrEqual(t, c.StackFills, c.StackSpills)
	require.LessOrEqual(t, c.StackBeyond, s.WarpInstructions)
	if c.StackBeyond == 0 {
		require.Zero(t, c.StackSpills)
	}
}

// launch returns the launch of a test.
func launch(t *testing.T, test *kerneltest.Test, build *kerneltest.Build, policy string) *simt.Launch {
	t.Helper()
	img, err := test.Image(build)
	require.NoError(t, err)
	p, err := load.Program(build.Arch, img.Kernel(test.Name), simt.Host{})
	require.NoError(t, err)
	l := &simt.Launch{Program: p, Grid: test.Grid, Block: test.Block, Global: mem.NewSpace(1 << 24), Policy: policy}
	l.Params = test.ParamBlock(func(i int) uint32 {
		at, err := l.Global.Alloc(uint64(len(test.Params[i].Init)))
		require.NoError(t, err)
		copy(l.Global.Reach(at), test.Params[i].Init)
		return at
	})
	return l
}
