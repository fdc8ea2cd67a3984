package branch_test

import (
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
