package branch_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// The block where two sides meet precedes one of them in the code. By pc, the first lanes run into
// it; by block number, they wait.
func TestLorieNumbersBlocks(t *testing.T) {
	p := program{
		{kind: bra, target: 3, lanes: 0xc},
		{},
		{exit: true}, // both sides meet
		{},
		{kind: bra, target: 2},
	}
	for _, text := range []string{"lorie-strong", "tf-stack:order=blocks"} {
		_, issues, err := p.run(p.under(t, text), []lane.Mask{0xf})
		require.NoError(t, err)
		require.Equal(t, []step{{0, 0xf}, {1, 0x3}, {3, 0xc}, {4, 0xc}, {2, 0xf}}, issues, text)
	}
	_, issues, err := p.run(p.under(t, "tf-stack"), []lane.Mask{0xf})
	require.NoError(t, err)
	require.Equal(t, []step{{0, 0xf}, {1, 0x3}, {2, 0x3}, {3, 0xc}, {4, 0xc}, {2, 0xc}}, issues)
}

// refusal returns the refusal of the program by the policy.
func refusal(t *testing.T, p program, text string) *branch.RefusedError {
	t.Helper()
	s, err := branch.Find(text)
	require.NoError(t, err)
	_, err = p.policy(&s)
	var refused *branch.RefusedError
	require.ErrorAs(t, err, &refused, text)
	return refused
}

func TestLorieRefusesRecursion(t *testing.T) {
	require.Equal(t, &branch.RefusedError{Policy: "lorie-strong", PC: 6 * size, Reason: "it numbers callees before their callers, and this call closes a circle"},
		refusal(t, recursion, "lorie-strong"))
	program{{kind: call, target: 2}, {exit: true}, {kind: ret}}.under(t, "lorie-strong")
}
