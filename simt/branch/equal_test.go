package branch_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// Policies that differ only in their state and in empty issues have the same issues with lanes.
func TestEqualTraces(t *testing.T) {
	for _, c := range []struct{ name, a, b string }{
		{"the numbers of blocks, looked up for each lane or kept sorted", "lorie-strong", "tf-stack:order=blocks"},
		{"the least pc of the deepest call, looked for or kept sorted", "stackless", "tf-stack"},
		{"the least pc, looked for or come to by thread frontiers", "stackless", "tf-sandy"},
		{"the least pc, looked for or walked to", "stackless", "takahashi:delay=0"},
		{"the least pc, looked for or walked to late", "stackless", "takahashi:delay=1"},
		{"the least pc, looked for or walked to by copies of branches", "stackless", "takahashi:branches=twice"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := branch.Find(c.a)
			require.NoError(t, err)
			b, err := branch.Find(c.b)
			require.NoError(t, err)
			compared, parted := 0, 0
			for seed := range uint64(300) {
				for _, p := range []program{generate(seed), tangle(seed)} {
					if p.calls() && c.b != "tf-stack" {
						continue
					}
					x, y := issuesUnder(t, p, &a), issuesUnder(t, p, &b)
					require.Equal(t, x, y, "program %v", p)
					compared++
					if x[len(x)-1].mask != lane.All {
						parted++
					}
				}
			}
			require.Greater(t, compared, 150)
			require.Greater(t, parted, 40)
		})
	}
}

func (p program) calls() bool {
	return slices.ContainsFunc(p, func(in instr) bool { return in.kind == call })
}

// issuesUnder returns the issues of the program with lanes.
func issuesUnder(t *testing.T, p program, s *branch.Choice) []step {
	t.Helper()
	policy, err := p.policy(s)
	require.NoError(t, err)
	_, issues, err := p.run(policy, []lane.Mask{lane.All})
	require.NoError(t, err)
	return slices.DeleteFunc(issues, func(s step) bool { return s.mask == 0 })
}
