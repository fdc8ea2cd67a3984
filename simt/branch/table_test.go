package branch_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// under returns the named policy, which must exist and run the program.
func (p program) under(t *testing.T, text string) branch.Policy {
	t.Helper()
	s, err := branch.Find(text)
	require.NoError(t, err)
	policy, err := p.policy(&s)
	require.NoError(t, err)
	return policy
}

// Table 2 of "Stack-less SIMT reconvergence at low cost": four lanes through an if-then-else. Lanes
// 2 and 3 take the branch. Instruction 0 here is instruction 1 in the paper.
func TestStacklessPaper(t *testing.T) {
	p := program{
		{},                              // A
		{kind: bra, target: 4, cond: 1}, // if(!c) br 5
		{},                              // B
		{kind: bra, target: 5},          // br 6
		{},                              // C
		{exit: true},                    // D
	}
	p[1].lanes = 0xc
	for _, text := range []string{"stackless", "stackless:key=pc", "simty", "simty:hot=3"} {
		_, issues, err := p.run(p.under(t, text), []lane.Mask{0xf})
		require.NoError(t, err)
		require.Equal(t, []step{{0, 0xf}, {1, 0xf}, {2, 0x3}, {3, 0x3}, {4, 0xc}, {5, 0xf}}, issues, text)
	}
}

// Listing 1 of the same paper: a function after its call site, called in a conditional. By pc
// alone, the lanes that skip the call run to the end first; with the call depth, all lanes
// reconverge after the call.
func TestStacklessListing1(t *testing.T) {
	p := program{
		{kind: bra, target: 2, cond: 1}, // if (c)
		{kind: call, target: 4},         // f()
		{},
		{exit: true},
		{}, // f
		{kind: ret},
	}
	p[0].lanes = 0xc
	_, issues, err := p.run(p.under(t, "stackless"), []lane.Mask{0xf})
	require.NoError(t, err)
	require.Equal(t, []step{{0, 0xf}, {1, 0x3}, {4, 0x3}, {5, 0x3}, {2, 0xf}, {3, 0xf}}, issues)
	_, issues, err = p.run(p.under(t, "stackless:key=pc"), []lane.Mask{0xf})
	require.NoError(t, err)
	require.Equal(t, []step{{0, 0xf}, {1, 0x3}, {2, 0xc}, {3, 0xc}, {4, 0x3}, {5, 0x3}, {2, 0x3}, {3, 0x3}}, issues)
}

// The mimd policy runs lane after lane.
func TestMIMDOrder(t *testing.T) {
	p := program{{}, {exit: true}}
	_, issues, err := p.run(p.under(t, "mimd"), []lane.Mask{0x7})
	require.NoError(t, err)
	require.Equal(t, []step{{0, 1}, {1, 1}, {0, 2}, {1, 2}, {0, 4}, {1, 4}}, issues)
}

// Policy implicit issues an instruction once for each entry that meets there. All but the last
// issue are empty, unless the option says at once.
func TestImplicitIssuesAgain(t *testing.T) {
	p := program{
		{kind: bra, target: 4}, {kind: bra, target: 4}, {kind: bra, target: 4}, {}, // lanes leave one by one
		{join: true}, {exit: true},
	}
	p[0].lanes, p[1].lanes, p[2].lanes = 0x8, 0x4, 0x2
	before := []step{{0, 0xf}, {1, 0x7}, {2, 0x3}, {3, 0x1}}
	for text, again := range map[string][]step{
		"implicit":           {{4, 0}, {4, 0}, {4, 0xf}, {5, 0xf}},
		"implicit:meet=once": {{4, 0xf}, {5, 0xf}},
	} {
		_, issues, err := p.run(p.under(t, text), []lane.Mask{0xf})
		require.NoError(t, err)
		require.Equal(t, slices.Concat(before, again), issues, text)
	}
}

// A call has entries of its own: a lane that returns early waits for the others although they pass
// the address of an entry outside the call.
func TestImplicitCalls(t *testing.T) {
	p := program{
		{kind: bra, target: 3},              // lane 3 waits at 3
		{kind: call, target: 6}, {}, {}, {}, // f()
		{exit: true},
		{kind: ret}, // f: lane 0 returns early
		{}, {kind: ret},
	}
	p[0].lanes, p[6].lanes = 0x8, 0x1
	_, issues, err := p.run(p.under(t, "implicit"), []lane.Mask{0xf})
	require.NoError(t, err)
	require.Equal(t, []step{
		{0, 0xf}, {1, 0x7}, {6, 0x7}, {7, 0x6}, {8, 0x6}, {2, 0x7}, {3, 0xf}, {4, 0xf}, {5, 0xf},
	}, issues)
}

// After a barrier in a call, lanes still wait for each other where they return to.
func TestImplicitBarrierInCall(t *testing.T) {
	policy := program{}.under(t, "implicit")
	policy.Start([]lane.Mask{0xf})
	do := func(pc uint32, active, lanes lane.Mask, e branch.Event) branch.WarpSet {
		t.Helper()
		require.Equal(t, active, policy.Warps().Mask[0])
		e.Next = pc + size
		return control(t, policy, pc, lanes, e)
	}
	do(0, 0xf, 0, branch.Event{Kind: branch.Call, Target: 64})
	do(64, 0xf, 0x3, branch.Event{Kind: branch.Branch, Target: 80})
	do(72, 0xc, 0, branch.Event{Kind: branch.Call, Target: 96})
	require.Zero(t, do(96, 0xc, 0, branch.Event{Kind: branch.Arrive}))
	require.Equal(t, branch.WarpSet(1), do(80, 0x3, 0, branch.Event{Kind: branch.Arrive}))
	policy.Release(1)
	do(104, 0xc, 0x4, branch.Event{Kind: branch.Return}) // lane 2 waits
	do(112, 0x8, 0x8, branch.Event{Kind: branch.Return})
	do(80, 0xc, 0, branch.Event{Kind: branch.Branch, Target: 160})
	do(88, 0xf, 0x7, branch.Event{Kind: branch.Return}) // all but lane 3 wait
	do(96, 0x8, 0x8, branch.Event{Kind: branch.Return})
	do(8, 0xf, 0, branch.Event{Kind: branch.Exit})
	require.Zero(t, policy.Alive())
}
