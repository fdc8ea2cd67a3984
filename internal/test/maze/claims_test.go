package maze_test

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/maze"
	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// run runs a maze under a policy, which must not fail.
func run(t *testing.T, m *maze.Maze, policy string) *simt.Stats {
	t.Helper()
	p, err := m.Program()
	require.NoError(t, err)
	o, err := m.Run(p, policy)
	require.NoError(t, err)
	return o.Stats
}

// Listing 1 of "Stack-less SIMT reconvergence at low cost". By pc alone, lanes that skip a call run
// to the end before the others enter the function after it, and all instructions after the if issue
// twice. Comparing the call depth before the pc avoids that.
func TestCallInIf(t *testing.T) {
	m := maze.CallInIf()
	const after = 9 // instructions after the join
	cured, failing := run(t, m, "stackless:key=sppc"), run(t, m, "stackless:key=pc")
	require.Equal(t, cured.WarpInstructions+after+1, failing.WarpInstructions)
	require.InDelta(t, 3.647, cured.AverageLanes(), 0.001)
	require.InDelta(t, 2.296, failing.AverageLanes(), 0.001)
	require.InDelta(t, 3.556, run(t, m, "nvidia").AverageLanes(), 0.001)
}

// "Étude comparée et simulation d'algorithmes de branchements pour le GPGPU", section 6, explains
// the few active lanes of inverseCND under the token stack by a return inside conditionals: the
// patent's algorithm does not deactivate its lanes at once. The instruction set as documented does,
// and then the return costs nothing: the implicit policy gains only the two joins that the stack
// issues twice.
func TestReturnInIf(t *testing.T) {
	m := maze.ReturnInIf(true)
	nvidia, implicit, stackless := run(t, m, "nvidia"), run(t, m, "implicit"), run(t, m, "stackless")
	require.EqualValues(t, 2, nvidia.ReissuedJoins)
	require.Equal(t, nvidia.WarpInstructions-nvidia.ReissuedJoins, implicit.WarpInstructions)
	require.Equal(t, implicit.WarpInstructions, stackless.WarpInstructions)
	require.InDelta(t, 17.867, nvidia.AverageLanes(), 0.001)
	require.InDelta(t, 18.286, implicit.AverageLanes(), 0.001)
	require.InDelta(t, 18.286, stackless.AverageLanes(), 0.001)
}

// The claim that the implicit policy never has fewer active lanes than the token stack is false if
// lanes break out of an if. These lanes wait at the far end of the region. On the stack they cover
// the lanes that wait at the near end of the if, which the others then pass.
func TestBreakInIf(t *testing.T) {
	m := maze.ReturnInIf(false)
	nvidia, implicit, stackless := run(t, m, "nvidia"), run(t, m, "implicit"), run(t, m, "stackless")
	require.InDelta(t, 18.750, nvidia.AverageLanes(), 0.001)
	require.InDelta(t, 14.400, implicit.AverageLanes(), 0.001)
	require.InDelta(t, 19.200, stackless.AverageLanes(), 0.001)
	require.Equal(t, stackless.WarpInstructions+nvidia.ReissuedJoins, nvidia.WarpInstructions)
	require.Greater(t, implicit.WarpInstructions, nvidia.WarpInstructions)
}

// The claim that the stack-less policy never has fewer active lanes than the token stack is false
// where the joins that the stack issues twice have more lanes than the mean issue. Without them, the
// issues of both are the same.
func TestRowScan(t *testing.T) {
	m := maze.RowScan()
	nvidia, stackless := run(t, m, "nvidia"), run(t, m, "stackless")
	require.Greater(t, nvidia.AverageLanes(), stackless.AverageLanes())
	require.Equal(t, stackless.WarpInstructions+1, nvidia.WarpInstructions)
	require.EqualValues(t, 1, nvidia.ReissuedJoins)
	steps, err := m.Steps("nvidia")
	require.NoError(t, err)
	want, err := m.Steps("stackless")
	require.NoError(t, err)
	twice := slices.IndexFunc(steps, func(s maze.Step) bool { return s.Vetoed })
	require.Equal(t, lane.Mask(0xe), steps[twice].Lanes)
	require.Equal(t, want, slices.Delete(steps, twice, twice+1))
}

// The spin lock of the lectures ends under every policy, after each thread held it once, or ends in
// a livelock fault. Under policies that starve no lane every form of it ends.
func TestSpinLock(t *testing.T) {
	fair := map[string]bool{"mimd": true}
	for _, c := range branch.Policies() {
		fair[c.Name] = fair[c.Name] || c.Fair
	}
	for how := maze.LockBranch; how <= maze.LockInside; how++ {
		for _, threads := range []int{4, 40} {
			if threads > 4 && how != maze.LockBreak {
				continue // a lock of many threads takes long: two warps try it in one way
			}
			m := maze.SpinLock(how, threads)
			p, err := m.Program()
			require.NoError(t, err)
			for _, policy := range maze.Policies() {
				o, err := m.Run(p, policy)
				name, _, _ := strings.Cut(policy, ":")
				var f *simt.Fault
				if _, refused := maze.Refusal(err); refused && !fair[name] {
					continue
				}
				if errors.As(err, &f) && !fair[name] {
					require.Equal(t, simt.FaultLivelock, f.Kind, "%s: %s", policy, f)
					require.Contains(t, f.Detail, "never lets run or frees: warp 0 lanes", policy)
					require.Contains(t, f.Detail, "; no lane starves under divergence policy bfs or volta", policy)
					continue
				}
				require.NoError(t, err, policy)
				require.Zero(t, binary.LittleEndian.Uint32(o.Memory), policy)
				require.EqualValues(t, threads, binary.LittleEndian.Uint32(o.Memory[4:]), policy)
			}
		}
	}
}

// The fault names the lanes that wait at different barriers, with their pcs, unless a barrier
// counts warps: then one half of the warp arrives for the other.
func TestBarrierDivergence(t *testing.T) {
	m := maze.Barriers()
	p, err := m.Program()
	require.NoError(t, err)
	ended := map[string]bool{}
	for _, policy := range maze.Policies() {
		o, err := m.Run(p, policy)
		if err == nil {
			ended[policy] = true
			require.NotZero(t, o.Stats.PartialBarriers, policy)
			continue
		}
		var f *simt.Fault
		require.ErrorAs(t, err, &f, policy)
		require.Equal(t, simt.FaultBarrier, f.Kind, policy)
		require.Contains(t, f.Detail, "no barrier can open; ", policy)
		require.Contains(t, f.Detail, "pc 0x18: warp 0 lanes 0000ffff", policy)
		require.Contains(t, f.Detail, "at barrier 1, pc 0x28: warp 0 lanes ffff0000", policy)
	}
	require.True(t, ended["nvidia"])
	require.False(t, ended["stackless:key=sppc"])
}
