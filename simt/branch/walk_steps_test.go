package branch_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// A walk has empty issues where it cannot know that no lane needs the instruction.
func TestWalkSteps(t *testing.T) {
	const all, none = lane.Mask(0xf), lane.Mask(0)
	ifElse := func(taken lane.Mask) program {
		return program{
			{kind: bra, target: 3, lanes: taken | 0x10},
			{},
			{kind: bra, target: 4},
			{},
			{exit: true},
		}
	}
	loop := program{{}, {kind: bra, target: 0, lanes: 0x10}, {exit: true}}
	for _, c := range []struct {
		name   string
		p      program
		policy string
		want   []step
	}{
		{"an if that parts", ifElse(0xc), "tf-sandy", []step{{0, all}, {1, 0x3}, {2, 0x3}, {3, 0xc}, {4, all}}},
		{"an if that parts", ifElse(0xc), "sandybridge", []step{{0, all}, {1, 0x3}, {2, 0x3}, {3, 0xc}, {4, all}}},
		{"an if that parts", ifElse(0xc), "takahashi:delay=1", []step{{0, all}, {1, 0x3}, {2, 0x3}, {3, 0xc}, {4, all}}},
		{"an if that parts", ifElse(0xc), "takahashi:delay=0", []step{{0, all}, {1, 0x3}, {2, 0x3}, {3, 0xc}, {4, all}}},

		{"an if that no lane takes", ifElse(0), "tf-sandy", []step{{0, all}, {1, all}, {2, all}, {3, none}, {4, all}}},
		{"an if that no lane takes", ifElse(0), "sandybridge", []step{{0, all}, {1, all}, {2, all}, {3, none}, {4, all}}},
		{"an if that no lane takes", ifElse(0), "takahashi:delay=1", []step{{0, all}, {1, all}, {2, all}, {3, none}, {4, all}}},
		{"an if that no lane takes", ifElse(0), "takahashi:delay=0", []step{{0, all}, {1, all}, {2, all}, {4, all}}},

		{"an if that all take", ifElse(all), "tf-sandy", []step{{0, all}, {3, all}, {4, all}}},
		{"an if that all take", ifElse(all), "sandybridge", []step{{0, all}, {3, all}, {4, all}}},
		{"an if that all take", ifElse(all), "takahashi:delay=1", []step{{0, all}, {1, none}, {2, none}, {3, all}, {4, all}}},
		{"an if that all take", ifElse(all), "takahashi:delay=0", []step{{0, all}, {3, all}, {4, all}}},

		{"a loop of one round", loop, "tf-sandy", []step{{0, all}, {1, all}, {2, all}}},
		{"a loop of one round", loop, "sandybridge", []step{{0, all}, {1, all}, {2, all}}},
		{"a loop of one round", loop, "takahashi:delay=1", []step{{0, all}, {1, all}, {0, none}, {1, none}, {2, all}}},
		{"a loop of one round", loop, "takahashi:delay=0", []step{{0, all}, {1, all}, {2, all}}},

		// The copy of a branch is empty, and knows where the lanes went.
		{"an if that parts", ifElse(0xc), "takahashi:branches=twice", []step{{0, all}, {0, none}, {1, 0x3}, {2, 0x3}, {2, none}, {3, 0xc}, {4, all}}},
		{"an if that no lane takes", ifElse(0), "takahashi:branches=twice", []step{{0, all}, {0, none}, {1, all}, {2, all}, {2, none}, {4, all}}},
		{"an if that all take", ifElse(all), "takahashi:branches=twice", []step{{0, all}, {0, none}, {3, all}, {4, all}}},
		{"a loop of one round", loop, "takahashi:branches=twice", []step{{0, all}, {1, all}, {1, none}, {2, all}}},
	} {
		t.Run(c.name+" under "+c.policy, func(t *testing.T) {
			_, issues, err := c.p.run(c.p.under(t, c.policy), []lane.Mask{all})
			require.NoError(t, err)
			require.Equal(t, c.want, issues)
		})
	}
}

// The copy of a branch is empty although lanes are back at the branch.
func TestCopyOfBranchToItself(t *testing.T) {
	p := program{{kind: bra, target: 0, cond: 1}, {exit: true}}.under(t, "takahashi:branches=twice")
	p.Start([]lane.Mask{0xf})
	back := func(at, taken lane.Mask) {
		t.Helper()
		require.Equal(t, at, p.Warps().Mask[0])
		control(t, p, 0, taken, branch.Event{Kind: branch.Branch, Target: 0, Next: size})
	}
	back(0xf, 0x3)
	require.Equal(t, "copy 0000 ####, lane 0000 ##.., lane 0008 ..##", inState(p))
	back(0, 0)
	back(0x3, 0)
	back(0, 0)
	require.Equal(t, uint32(size), p.Warps().PC[0])
	require.Equal(t, lane.Mask(0xf), p.Warps().Mask[0])
}

// inState returns the state of the first warp, which has four lanes, without lanes that run.
func inState(p branch.Policy) string {
	s := p.State(0, nil)
	s = slices.DeleteFunc(s, func(e branch.Entry) bool { return e.Runs && e.Kind != branch.GuessEntry })
	return s.Text(false, func(m lane.Mask) string {
		text := []byte("....")
		for l := range text {
			if m>>l&1 != 0 {
				text[l] = '#'
			}
		}
		return string(text)
	})
}

func TestWalksRefuse(t *testing.T) {
	calling := program{{}, {kind: call, target: 3}, {exit: true}, {kind: ret}}
	for _, policy := range []string{"tf-sandy", "sandybridge", "takahashi"} {
		refused := refusal(t, calling, policy)
		require.Equal(t, uint32(1*size), refused.PC)
		require.Contains(t, refused.Reason, "return address")
	}
	across := program{ // from one side of an if into the other
		{kind: bra, target: 3, cond: 1},
		{},
		{kind: bra, target: 5, cond: 2},
		{kind: bra, target: 2, cond: 3},
		{},
		{exit: true},
	}
	require.Contains(t, refusal(t, across, "sandybridge").Reason, "structured")
	across.under(t, "tf-sandy")
	moved := program{ // the loop's last block precedes the first in the code
		{kind: bra, target: 2},
		{kind: bra, target: 2},
		{kind: bra, target: 4, cond: 1},
		{kind: bra, target: 1},
		{exit: true},
	}
	require.Equal(t, uint32(3*size), refusal(t, moved, "sandybridge").PC)
	moved.under(t, "tf-sandy")
	astray := program{{kind: bra, target: 77, cond: 1}, {exit: true}}
	require.Contains(t, refusal(t, astray, "takahashi").Reason, "leave the code")
}
