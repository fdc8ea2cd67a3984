package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/observe/stats"
	"jacquard/simt/source"
	"jacquard/tesla"
)

// A page names the parts that it lacks, with the command that adds each.
func TestMissing(t *testing.T) {
	named := func(r *Report) (names []string) {
		for _, g := range r.Missing() {
			require.NotEmpty(t, g.Why)
			names = append(names, g.What)
		}
		return names
	}
	statistics, trace := traced(t, "vecadd", "calls")
	r := read(t, statistics)
	require.Equal(t, []string{"Timeline and player", "Uniform and affine operands", "Lines of source"}, named(r))
	require.NoError(t, r.AddTrace(trace))
	require.Equal(t, []string{"Uniform and affine operands", "Lines of source"}, named(r))
	for _, k := range r.Kernels {
		k.Source = source.New(k.PCs, func(uint32) source.Line { return source.Line{File: "a.cu", Line: 1} })
		k.Sum.ByInstruction[0].Operands.Reads = 1
	}
	require.Equal(t, []string{"Text of source"}, named(r))
	r.Text = func(source.Line) string { return "" }
	require.Empty(t, named(r))
	require.NotContains(t, string(written(t, r)), "Not in this page")
	require.Contains(t, string(written(t, read(t, statistics))), "<code>jacquard exec --stats run.json:tags -- ./program</code>")

	none := &Report{Run: &stats.Run{}}
	require.Equal(t, []string{"Kernels"}, named(none))
	require.Contains(t, string(written(t, none)), "The run launched none.")
	large := randomRun(tesla.SM13, mostLines/2, 1)
	large.Kernels = append(large.Kernels, large.Kernels[0], large.Kernels[0], large.Kernels[0])
	require.Contains(t, named(large), "Code of 1 kernel")
}
