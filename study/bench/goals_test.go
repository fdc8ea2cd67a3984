package bench

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGoals(t *testing.T) {
	all := results()
	all[3].Seconds /= 1.9 // two workers
	all = append(all, results()[5:]...)
	all[len(all)-1].With, all[len(all)-1].Relative = idleObserver, 1.04
	all[4].Kernel = "integer add"
	goals := Goals(all)
	for i := range goals {
		goals[i].Figure = math.Round(goals[i].Figure*1e6) / 1e6
	}
	require.Equal(t, []Goal{
		{"MB beside the device's", "matmul", 7, 64, false},
		{"host adds a warp-instruction", "matmul", 5, 6, false},
		{"speed of two workers by that of one", "matmul", 1.9, 1.85, true},
		{"time of a launch, idle observer", "matmul", 1.04, 1.03, false},
		{"time of a launch, trace", "matmul", 3, 3, false},
		{"time with statistics by that without", "matmul", 1.25, 1.1, false},
		{"times the host's operation, avx2", "integer add", 2.5, 3, false},
	}, goals)
	var s strings.Builder
	require.NoError(t, Report{Goals: true}.Write(&s, all))
	require.Regexp(t, `(?m)^ *speed of two workers by that of one +matmul +1.90 +at least 1.85 +yes$`, s.String())
	require.Regexp(t, `(?m)^ *time of a launch, idle observer +matmul +1.04 +at most 1.03 +no$`, s.String())
	require.Empty(t, Goals(nil))
}

// Every kernel and class with a goal is measured.
func TestGoalsAreOfSomething(t *testing.T) {
	kernels, classes := map[string]bool{}, map[string]bool{}
	for _, w := range Workloads() {
		kernels[w.Name] = true
	}
	for _, c := range Classes() {
		classes[c.Name] = true
	}
	for _, name := range arithmetic {
		require.Contains(t, kernels, name)
	}
	for _, name := range limited {
		require.Contains(t, classes, name)
	}
}
