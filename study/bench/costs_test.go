package bench

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt"
)

// workload returns the workload of that name, with few blocks.
func workload(t *testing.T, name string) *Workload {
	t.Helper()
	all := Workloads()
	i := slices.IndexFunc(all, func(w Workload) bool { return w.Name == name })
	require.GreaterOrEqual(t, i, 0)
	all[i].Grid = [2]int{2, 2}
	return &all[i]
}

// Costs of zero are measured without divergence, and with it.
func TestCosts(t *testing.T) {
	for name, parted := range map[string]bool{Undivided: false, Divided: true} {
		b, s := launchOnce(t, workload(t, name))
		require.Equal(t, parted, s.WarpInstructions != s.Active[32], name)
		results, err := b.Costs(3)
		require.NoError(t, err)
		require.Len(t, results, len(costs()))
		require.Empty(t, results[0].With)
		require.EqualValues(t, 1, results[0].Relative)
		for i, r := range results {
			require.Equal(t, costs()[i].name, r.With)
			require.Equal(t, 3, r.Launches)
			require.Equal(t, s.WarpInstructions, r.WarpInstructions, r.With)
			require.Positive(t, r.Relative)
		}
	}
}

// Every way to launch does what its name says.
func TestCostsAreThere(t *testing.T) {
	b, plain := launchOnce(t, workload(t, Undivided))
	for _, c := range costs() {
		l := b.launch
		end, err := c.prepare(&l)
		require.NoError(t, err)
		s, err := simt.Run(&l)
		require.NoError(t, err)
		if end != nil {
			require.NoError(t, end())
		}
		require.Equal(t, c.name != "no statistics", s.WarpInstructions == plain.WarpInstructions, c.name)
		require.Equal(t, l.Observer != nil, slices.Contains([]string{"idle observer", "empty observer"}, c.name), c.name)
		require.Equal(t, l.Recorder != nil, slices.Contains([]string{"trace", "trace with values"}, c.name), c.name)
		require.Equal(t, l.Policy != "", slices.Contains([]string{"policy stackless", "policy pdom"}, c.name), c.name)
	}
}
