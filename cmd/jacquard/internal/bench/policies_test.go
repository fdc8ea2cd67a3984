package bench

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt"
)

// The comparison is of policies alone only where no lanes part.
func TestComparePolicies(t *testing.T) {
	all := Workloads()
	w := all[slices.IndexFunc(all, func(w Workload) bool { return w.Name == Undivided })]
	w.Grid = [2]int{2, 2} // for the test
	b, err := w.Prepare()
	require.NoError(t, err)
	s, err := simt.Run(&b.launch)
	require.NoError(t, err)
	require.Equal(t, s.WarpInstructions, s.Active[32])
	costs, err := w.ComparePolicies(3)
	require.NoError(t, err)
	require.Len(t, costs, 3)
	require.EqualValues(t, 1, costs[0].Relative)
	for _, c := range costs {
		require.Positive(t, c.Seconds, c.Policy)
		require.InEpsilon(t, c.Seconds, c.Relative*costs[0].Seconds, 1e-9)
	}
}
