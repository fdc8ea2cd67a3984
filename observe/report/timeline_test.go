package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
)

func TestTimeline(t *testing.T) {
	statistics, trace := traced(t, "vecadd", "reduce", "calls")
	r := read(t, statistics)
	require.NoError(t, r.AddTrace(trace))
	require.Len(t, r.Timeline.Maps, 3)
	for i, m := range r.Timeline.Maps {
		require.Equal(t, i, m.Launch)
		require.Equal(t, r.Launches[i].Kernel.Name, m.Kernel)
		require.Equal(t, m.Shown, strings.Count(string(m.SVG), ">block "))
		require.Contains(t, string(m.SVG), "<path class=\"r")
		require.LessOrEqual(t, m.End, m.Rounds*mostDrawn)
		require.Equal(t, m.Rounds > 1, m.End > mostDrawn, "columns are no wider than they must be")
		require.LessOrEqual(t, m.End, m.Columns*mostColumns)
		require.Equal(t, m.Columns > 1, m.End > mostColumns)
	}
	page := parse(t, written(t, r))
	require.Len(t, page.one(t, "section", "id=timeline").all("svg", "class=lane-map"), 3)

	const cut = "as far as the trace was read"
	require.False(t, strings.Contains(string(written(t, r)), cut))
	trace.MostWork = 1500
	require.NoError(t, r.AddTrace(trace))
	require.True(t, slices.ContainsFunc(r.Timeline.Maps, func(m laneMap) bool { return m.Cut }))
	require.True(t, strings.Contains(string(written(t, r)), cut))

	_, other := traced(t, "scan")
	require.EqualError(t, r.AddTrace(other), "the trace is of another run: it has a kernel scan, which the statistics do not have: "+
		"record both at once, with --stats and --trace")
	_, twice := traced(t, "vecadd", "vecadd")
	require.ErrorContains(t, r.AddTrace(twice), "it has more launches of vecadd with grid 4×1 and block 64×1×1 than the statistics, which have 1: ")
	_, fewer := traced(t, "calls")
	require.NoError(t, r.AddTrace(fewer), "a filter leaves some")
	r.Launches = r.Launches[:1]
	require.NoError(t, r.AddTrace(trace), "a page lists some launches of many")
}

// Widening columns loses no issue.
func TestColumns(t *testing.T) {
	d := &binned{rounds: 1, most: mostDrawn, rows: make([][]bin, 2)}
	for time := range uint64(5000) {
		d.issue(int(time%2), time, 7, lane.Width)
	}
	require.Equal(t, uint64(16), d.rounds)
	require.Equal(t, uint64(5000), d.end)
	for _, row := range d.rows {
		require.LessOrEqual(t, len(row), mostDrawn)
		var sum bin
		for _, b := range row {
			require.Equal(t, levels-1, b.level(32))
			sum.add(b)
		}
		require.Equal(t, bin{2500, 2500 * lane.Width, 7}, sum)
	}
	require.Equal(t, -1, bin{}.level(32))
	require.Equal(t, 0, bin{issues: 3}.level(32), "an empty issue is an issue")
}

// Half the lanes of a narrow warp are as many as half the lanes of a wide one.
func TestLevelOfNarrowWarps(t *testing.T) {
	require.Equal(t, bin{2, 32, 0}.level(32), bin{2, 8, 0}.level(8))
	require.Equal(t, levels-1, bin{1, 4, 0}.level(4))
}
