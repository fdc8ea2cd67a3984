package branch_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// control passes one event to a policy for its only cohort.
func control(t *testing.T, p branch.Policy, pc uint32, lanes lane.Mask, e branch.Event) branch.WarpSet {
	t.Helper()
	c := only(t, p)
	require.Equal(t, pc, c.PC)
	e.Lanes[0] = lanes
	arrived, err := p.Control(c, &e)
	require.NoError(t, err)
	return arrived
}

// If lanes arrive one by one and the last awaited lane ends, the warp has arrived. Lanes at
// different barriers never arrive as a warp.
func TestLanesArrive(t *testing.T) {
	for _, name := range []string{"stackless", "dfs", "simty", "implicit", "dwf:sched=dpc"} {
		t.Run(name, func(t *testing.T) {
			p := program{}.under(t, name)
			p.Start([]lane.Mask{0xf})
			control(t, p, 0, 0xc, branch.Event{Kind: branch.Branch, Target: 64, Next: 8})
			require.Zero(t, control(t, p, 8, 0x3, branch.Event{Kind: branch.Arrive, Barrier: 2, Next: 16}))
			require.Equal(t, branch.WarpSet(1), control(t, p, 64, 0xc, branch.Event{Kind: branch.Exit, Next: 72}))
			require.Equal(t, lane.Mask(0x3), p.Live(0))
			p.Release(1)
			control(t, p, 16, 0x3, branch.Event{Kind: branch.Exit, Next: 24})
			require.Zero(t, p.Alive())

			p.Start([]lane.Mask{0xf})
			control(t, p, 0, 0xc, branch.Event{Kind: branch.Branch, Target: 64, Next: 8})
			require.Zero(t, control(t, p, 8, 0x3, branch.Event{Kind: branch.Arrive, Barrier: 2, Next: 16}))
			require.Zero(t, control(t, p, 64, 0xc, branch.Event{Kind: branch.Arrive, Barrier: 3, Next: 72}))
			var c [lane.MaxWarps]branch.Cohort
			require.Zero(t, cohorts(p, c[:]))
			require.Equal(t, branch.WarpSet(1), p.Alive())
		})
	}
}

func TestImplicitRefusesCalls(t *testing.T) {
	s, err := branch.Find("implicit:calls=refused")
	require.NoError(t, err)
	_, err = recursion.policy(&s)
	var refused *branch.RefusedError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, uint32(0), refused.PC)
	require.EqualError(t, err, "divergence policy implicit cannot run this kernel: it has no stack for the return address of the call at pc 0x0")
}

// The spin lock of the lectures: the lane that holds it runs on, the others repeat the loop. Lanes
// take the lock in turn.
func TestSpinLock(t *testing.T) {
	lock := program{{kind: joinat, target: 3}, {}, {kind: bra, target: 1, cond: 1}, {join: true}, {}, {exit: true}}
	for _, c := range []struct {
		policy string
		ends   bool
	}{{"nvidia", false}, {"stackless", false}, {"mimd", true}, {"bfs", true}, {"dfs", true}, {"barrier", false}, {"volta", true}, {"volta:quantum=16", true},
		{"dwf", true}, {"dwf:sched=dmaj", false}, {"dwf:sched=dpc", false}, {"tbc", false},
		{"chap", false}, {"amd", false}, {"pomp", false}, {"gma", false}} {
		t.Run(c.policy, func(t *testing.T) {
			require.Equal(t, c.ends, spin(t, lock.under(t, c.policy)))
		})
	}
}

// spin runs `while (!acquire) {}; release` with a join after the loop, and reports whether all
// lanes end within 20,000 rounds.
func spin(t *testing.T, p branch.Policy) bool {
	const joinAt, acquire, again, join, release, exit = 0, 8, 16, 24, 32, 40
	held := -1
	p.Start([]lane.Mask{0xf})
	for range 20000 {
		var c [1]branch.Cohort
		if cohorts(p, c[:]) == 0 {
			return true
		}
		e := branch.Event{Next: c[0].PC + 8}
		switch c[0].PC {
		case joinAt:
			e.Kind, e.Target = branch.JoinAt, join
		case acquire:
			for l := range 4 {
				if held < 0 && c[0].Mask[0]>>l&1 != 0 {
					held = l
				}
			}
		case again:
			e.Kind, e.Target, e.Lanes[0] = branch.Branch, acquire, c[0].Mask[0]
			if held >= 0 {
				e.Lanes[0] &^= 1 << held
			}
		case join:
			require.NoError(t, p.Join(&c[0]))
			if c[0].N == 0 {
				continue
			}
		case release:
			if held >= 0 && c[0].Mask[0]>>held&1 != 0 {
				held = -1
			}
		case exit:
			e.Kind = branch.Exit
		}
		if e.Kind == 0 {
			p.Advance(&c[0], e.Next)
			continue
		}
		_, err := p.Control(&c[0], &e)
		require.NoError(t, err)
	}
	return false
}
