package branch_test

import (
	"fmt"
	"math/bits"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// narrowed is a policy whose issues are checked for their width.
type narrowed struct {
	branch.Policy
	t     *testing.T
	width int
	free  bool // lanes may leave their columns
	empty int  // issues without lanes
}

func (n *narrowed) tell(c *branch.Cohort) {
	if c.Empty() {
		n.empty++
	}
	if !branch.Mixes(n.Policy) {
		require.Zero(n.t, c.Mask[0]&^lane.Group(c.Mask[0], n.width), "an issue of two warps")
		return
	}
	lanes, columns := 0, lane.Mask(0)
	for _, m := range c.Mask[:c.N] {
		lanes += bits.OnesCount32(uint32(m))
		for l := range lane.Width { // columns: places of lanes in their narrow warps
			columns |= m >> l & 1 << (l % n.width)
		}
	}
	require.LessOrEqual(n.t, lanes, n.width)
	if !n.free {
		require.Equal(n.t, lanes, bits.OnesCount32(uint32(columns)), "two lanes in one column")
	}
}

func (n *narrowed) unwrap() branch.Policy { return n.Policy }

// Every narrow warp issues step by step what the same lanes issue as a last partial warp of a
// block. Under policies that mix warps, no issue has two lanes in one of the fewer columns. Every
// lane keeps its path.
func TestNarrowWarps(t *testing.T) {
	masks := []lane.Mask{lane.All, 0x0000ffff, 0x1}
	for _, choice := range variants(t) {
		t.Run(choice.Name, func(t *testing.T) {
			ran := 0
			for seed := range uint64(72) {
				p := []func(uint64) program{generate, tangle}[seed%2](seed)
				plain, err := p.policy(&choice)
				if err != nil || p.splitsForNothing() {
					continue
				}
				ran++
				narrow := choice
				narrow.Warp = []int{16, 8, 4}[seed/2%3]
				require.True(t, checkPaths(t, p, &narrow, masks))
				policy, err := p.policy(&narrow)
				require.NoError(t, err)
				checked := &narrowed{Policy: policy, t: t, width: narrow.Warp, free: lanesFree(&choice)}
				_, issues, err := p.run(checked, masks)
				require.NoError(t, err)
				if branch.Mixes(policy) {
					continue
				}
				for first := 0; first < lane.Width; first += narrow.Warp {
					group := lane.Group(1<<first, narrow.Warp)
					_, alone, err := p.run(plain, []lane.Mask{group})
					require.NoError(t, err)
					require.Equal(t, withLanes(alone, group), withLanes(issues, group), "lanes %08x of program %v", group, p)
				}
			}
			require.Greater(t, ran, 10)
		})
	}
}

// splitsForNothing reports whether a branch leads to the next instruction. Lanes part there if the
// policy is told of it, which depends on other warps that want a turn.
func (p program) splitsForNothing() bool {
	for i, in := range p {
		if in.kind == bra && in.target == i+1 {
			return true
		}
	}
	return false
}

// withLanes returns the issues with lanes of m.
func withLanes(issues []step, m lane.Mask) (list []step) {
	for _, s := range issues {
		if s.mask&m != 0 {
			list = append(list, s)
		}
	}
	return list
}

// Narrow warps take turns at branches, wait at a barrier one by one, and go on together.
func TestNarrowTurns(t *testing.T) {
	p := program{{kind: bra, target: 1, cond: 1}, {}, {}, {exit: true}}
	policy := p.under(t, "nvidia:warp=8")
	policy.Start([]lane.Mask{0x00ffffff})
	var c [1]branch.Cohort
	next := func(want lane.Mask, pc uint32) {
		t.Helper()
		require.Equal(t, 1, cohorts(policy, c[:]))
		require.Equal(t, want, c[0].Mask[0])
		require.Equal(t, pc, c[0].PC)
	}
	control := func(e branch.Event) (arrived branch.WarpSet) {
		t.Helper()
		e.Lanes[0] = c[0].Mask[0]
		arrived, err := policy.Control(&c[0], &e)
		require.NoError(t, err)
		return arrived
	}
	for _, m := range []lane.Mask{0xff, 0xff00, 0xff0000} {
		next(m, 0)
		control(branch.Event{Kind: branch.Branch, Target: 8, Next: 8})
	}
	next(0xff, 8)
	require.Zero(t, control(branch.Event{Kind: branch.Arrive, Next: 16}))
	next(0xff00, 8)
	control(branch.Event{Kind: branch.Exit})
	next(0xff0000, 8)
	require.Zero(t, c[0].Skippable&branch.KindsOf(branch.Exit))
	require.Equal(t, branch.WarpSet(1), control(branch.Event{Kind: branch.Arrive, Next: 16}))
	require.Zero(t, cohorts(policy, c[:]))
	require.Equal(t, []branch.Place{{PC: 16, Lanes: 0xff, Blocked: true}, {PC: 16, Lanes: 0xff0000, Blocked: true}}, policy.Places(0, nil))
	policy.Release(1)
	next(0xff, 16)
	require.Equal(t, lane.Mask(0x00ff00ff), policy.Live(0))
	control(branch.Event{Kind: branch.Exit})
	next(0xff0000, 16)
	require.NotZero(t, c[0].Skippable&branch.KindsOf(branch.Branch), "no other waits for its turn")
	control(branch.Event{Kind: branch.Exit})
	require.Zero(t, policy.Alive())
}

// A break or a return that no lane takes does not end the turn: engines may pass it without telling
// the policy, and turns must not depend on it.
func TestNarrowTurnGoesOn(t *testing.T) {
	for _, name := range []string{"nvidia:warp=16", "stackless:warp=16"} {
		for _, kind := range []branch.EventKind{branch.Break, branch.Return} {
			policy := program{{}, {}, {exit: true}}.under(t, name)
			policy.Start([]lane.Mask{lane.All})
			var c [1]branch.Cohort
			require.Equal(t, 1, cohorts(policy, c[:]))
			first := c[0].Mask[0]
			if kind == branch.Break {
				_, err := policy.Control(&c[0], &branch.Event{Kind: branch.BreakAddr, Target: 16, Next: 8})
				require.NoError(t, err)
			}
			_, err := policy.Control(&c[0], &branch.Event{Kind: kind, Next: 8})
			require.NoError(t, err)
			require.Equal(t, 1, cohorts(policy, c[:]))
			require.Equal(t, first, c[0].Mask[0], "%s, event %d", name, kind)
		}
	}
}

// Narrow warps that wait at different barriers never go on, like whole warps.
func TestNarrowBarriers(t *testing.T) {
	for _, name := range []string{"nvidia", "stackless"} {
		for second := range uint8(2) {
			p := program{{}, {exit: true}}
			policy := p.under(t, name+":warp=16")
			policy.Start([]lane.Mask{lane.All})
			var c [1]branch.Cohort
			var arrived branch.WarpSet
			for _, barrier := range []uint8{0, second} {
				require.Equal(t, 1, cohorts(policy, c[:]))
				e := branch.Event{Kind: branch.Arrive, Barrier: barrier, Next: 8}
				e.Lanes[0] = c[0].Mask[0]
				var err error
				arrived, err = policy.Control(&c[0], &e)
				require.NoError(t, err)
			}
			require.Zero(t, cohorts(policy, c[:]))
			require.Equal(t, second == 0, arrived == 1, "%s, barriers 0 and %d", name, second)
			require.Equal(t, branch.WarpSet(1), policy.Alive())
		}
	}
}

func TestWidths(t *testing.T) {
	for _, width := range branch.Widths().Values {
		for _, s := range branch.Policies() {
			c, err := branch.Find(branch.With(s.Name, "warp="+width))
			require.NoError(t, err)
			require.Equal(t, width, strconv.Itoa(c.Warp))
		}
	}
	for text, want := range map[string]string{
		"mimd:warp=64":           `unknown option "warp=64" of divergence policy mimd: want mimd:warp=32|16|8|4`,
		"mimd:warp=2":            `unknown option "warp=2" of divergence policy mimd: want mimd:warp=32|16|8|4`,
		"simty:hot=2,warp=":      `unknown option "warp=" of divergence policy simty: want simty:hot=2|3 or simty:warp=32|16|8|4`,
		"stackless:warp=8,key=x": `unknown option "key=x" of divergence policy stackless: want stackless:key=sppc|pc or stackless:next=least|predicted or stackless:warp=32|16|8|4`,
	} {
		_, err := branch.Find(text)
		require.EqualError(t, err, want)
	}
	require.Equal(t, "a:b=c,warp=8", branch.With("a:b=c", "warp=8"))
	require.Equal(t, "a", branch.With("a", ""))
}

func ExampleWidths() {
	fmt.Println(branch.Widths())
	// Output: warp=32|16|8|4
}
