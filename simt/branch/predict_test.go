package branch_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// The predicted side goes first for one issue, and then the least pc. If no lane is at the
// predicted pc, the issue is empty.
func TestPredictedSteps(t *testing.T) {
	ahead := func(taken lane.Mask) program { // an if without an else
		return program{{kind: bra, target: 3, lanes: taken | 0x10}, {}, {}, {}, {}, {exit: true}}
	}
	back := func(taken lane.Mask) program { // a branch to code before it
		return program{{kind: bra, target: 2}, {exit: true}, {}, {kind: bra, target: 1, lanes: taken | 0x10}, {}, {exit: true}}
	}
	for _, c := range []struct {
		name        string
		p           program
		want        []step
		made, wrong uint64
	}{
		{"ahead, all fall through", ahead(0), []step{{0, 0xf}, {1, 0xf}, {2, 0xf}, {3, 0xf}, {4, 0xf}, {5, 0xf}}, 1, 0},
		{"ahead, all take it", ahead(0xf), []step{{0, 0xf}, {1, 0}, {3, 0xf}, {4, 0xf}, {5, 0xf}}, 1, 1},
		{"ahead, some take it", ahead(0xc), []step{{0, 0xf}, {1, 0x3}, {2, 0x3}, {3, 0xf}, {4, 0xf}, {5, 0xf}}, 1, 0},
		{"back, all take it", back(0xf), []step{{0, 0xf}, {2, 0xf}, {3, 0xf}, {1, 0xf}}, 1, 0},
		{"back, all fall through", back(0), []step{{0, 0xf}, {2, 0xf}, {3, 0xf}, {1, 0}, {4, 0xf}, {5, 0xf}}, 1, 1},
		{"back, some take it", back(0xc), []step{{0, 0xf}, {2, 0xf}, {3, 0xf}, {1, 0xc}, {4, 0x3}, {5, 0x3}}, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			policy := c.p.under(t, "stackless:next=predicted")
			_, issues, err := c.p.run(policy, []lane.Mask{0xf})
			require.NoError(t, err)
			require.Equal(t, c.want, issues)
			made, wrong := policy.(branch.Predicting).Predicted()
			require.Equal(t, c.made, made)
			require.Equal(t, c.wrong, wrong)
		})
	}
}

// The predictor learns where all lanes go, and goes there once; then the arbiter chooses.
func TestPredictorLearns(t *testing.T) {
	const branchPC, side, join = 0, 1 * size, 3 * size
	code := program{{kind: bra, target: 3, cond: 1}, {}, {}, {}, {kind: bra, target: 0}}
	p := code.under(t, "stackless:next=predicted")
	p.Start([]lane.Mask{0xf})
	issue := func(pc uint32, lanes lane.Mask) *branch.Cohort {
		t.Helper()
		c := only(t, p)
		require.Equal(t, pc, c.PC)
		require.Equal(t, lanes, c.Mask[0])
		return c
	}
	leave := func(taken lane.Mask) {
		t.Helper()
		issue(branchPC, 0xf)
		control(t, p, branchPC, taken, branch.Event{Kind: branch.Branch, Target: join, Next: side})
	}
	again := func() {
		t.Helper()
		control(t, p, join+size, 0xf, branch.Event{Kind: branch.Branch, Target: branchPC, Next: join + 2*size})
	}

	leave(0xf)
	require.Equal(t, "predictor 0000 2, >, lane 0018 ####", inState(p))
	p.Advance(issue(side, 0), side+size)
	p.Advance(issue(join, 0xf), join+size)
	again()

	leave(0xf) // it has learned
	require.Equal(t, "predictor 0000 3, guess 0018", inState(p))
	p.Advance(issue(join, 0xf), join+size)
	again()

	leave(0x3) // some go elsewhere: the side that goes first has one issue
	require.Equal(t, "predictor 0000 3, guess 0018, lane 0008 ..##", inState(p))
	p.Advance(issue(join, 0x3), join+size)
	p.Advance(issue(side, 0xc), join)
	p.Advance(issue(join, 0xc), join+size)
	issue(join+size, 0xf)
	made, wrong := p.(branch.Predicting).Predicted()
	require.Equal(t, uint64(3), made)
	require.Equal(t, uint64(1), wrong)

	p.Start([]lane.Mask{0xf}) // a block begins anew
	leave(0xf)
	issue(side, 0)
}
