package maze_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/maze"
	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/tesla"
)

// Every policy leads every lane along its path alone, and has it in one place at any time, or gives
// a reason for refusing the maze.
func TestPolicies(t *testing.T) {
	const mazes = 200
	found := []uint64{ // found by the oracle
		481, 494, // tbc: lanes at a barrier after a return that others may take
		5058, // simty: the least seed that shows a wrong choice at a join marker
	}
	policies := maze.Policies()
	refused := map[string]int{}
	seeds := found
	for seed := range uint64(mazes) {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		m := maze.New(seed)
		report := maze.Check(m, policies)
		for _, f := range report.Failed {
			require.Fail(t, f.Error(), "%s", f.Shrunk().Maze)
		}
		for p := range report.Refused {
			refused[p]++
		}
	}
	for _, p := range policies {
		require.Less(t, refused[p], mazes*9/10, p)
	}
}

// Narrow warps lead every lane along the same path, under every policy.
func TestNarrowPolicies(t *testing.T) {
	widths := []string{"warp=16", "warp=8", "warp=4"}
	for seed := range uint64(36) {
		m := maze.New(seed)
		report := maze.Check(m, maze.With(maze.Policies(), widths[seed/4%3]))
		for _, f := range report.Failed {
			require.Fail(t, f.Error(), "%s", f.Shrunk().Maze)
		}
	}
}

func FuzzPolicies(f *testing.F) {
	for seed := range uint64(4) {
		f.Add(seed)
	}
	policies := maze.Policies()
	f.Fuzz(func(t *testing.T, seed uint64) {
		m := maze.New(seed)
		for _, failure := range maze.Check(m, policies).Failed {
			require.Fail(t, failure.Error(), "%s", m)
		}
	})
}

func TestVariants(t *testing.T) {
	require.Equal(t, []string{"x"}, maze.Variants(&branch.Choice{Name: "x"}))
	require.Equal(t, []string{"x:a=1,b=3", "x:a=1,b=4", "x:a=2,b=3", "x:a=2,b=4"}, maze.Variants(&branch.Choice{
		Name:    "x",
		Options: []branch.Option{{Key: "a", Values: []string{"1", "2"}}, {Key: "b", Values: []string{"3", "4"}}},
	}))
	require.Equal(t, maze.Reference, maze.Policies()[0])
}

// Mazes have every kind of control instruction, and warps that diverge.
func TestMazes(t *testing.T) {
	seen := map[tesla.Op]int{}
	parts := map[maze.Style]int{}
	for seed := range uint64(100) {
		m := maze.New(seed)
		require.Equal(t, m, maze.New(seed))
		p, err := m.Program()
		require.NoError(t, err)
		o, err := m.Run(p, "stackless")
		require.NoError(t, err)
		if m.Block > 1 && o.Stats.AverageLanes() < float64(min(m.Block, 32)*3/4) {
			parts[m.Style]++
		}
		for i, in := range o.Stats.ByInstruction {
			if in.Issues > 0 {
				seen[m.Code[i].Op]++
			}
		}
	}
	for _, op := range []tesla.Op{tesla.OpBra, tesla.OpBraIndirect, tesla.OpCall, tesla.OpRet, tesla.OpPreRet, tesla.OpBreakAddr, tesla.OpBreak, tesla.OpJoinAt, tesla.OpBar, tesla.OpStGlobal} {
		require.Greater(t, seen[op], 10, op)
	}
	for s := maze.Structured; s <= maze.Tangled; s++ {
		require.Greater(t, parts[s], 10, s)
	}
}

// Threads of a maze do not race: its counts do not depend on how the warps of a block take turns.
func TestOrders(t *testing.T) {
	for seed := range uint64(10) {
		m := maze.New(seed)
		for _, policy := range maze.Policies() {
			var stats [2]*simt.Stats
			for i, order := range []simt.Order{simt.OrderTurns, simt.OrderInstruction} {
				s, err := m.With(policy, func(l *simt.Launch) { l.Order = order })
				if _, refused := maze.Refusal(err); refused {
					break
				}
				require.NoError(t, err)
				s.Elapsed = 0
				stats[i] = s
			}
			require.Equal(t, stats[1], stats[0], "seed %d, %s", seed, policy)
		}
	}
}

// Alone returns an error for code that no maze contains.
func TestAlone(t *testing.T) {
	for _, c := range []struct {
		want string
		code []tesla.Instruction
	}{
		{"no instruction at pc 0x8", []tesla.Instruction{{Op: tesla.OpNop}}},
		{"no instruction at pc 0x40", []tesla.Instruction{{Op: tesla.OpBra, Target: 0x40}}},
		{"more than", []tesla.Instruction{{Op: tesla.OpBra}}},
		{"a break leads nowhere", []tesla.Instruction{{Op: tesla.OpCall, Target: 8}, {Op: tesla.OpBreak}}},
		{"illegal address", []tesla.Instruction{{Op: tesla.OpStGlobal, Type: tesla.B32, Src: [3]tesla.Operand{{Kind: tesla.Global, Index: 14}, {Kind: tesla.Reg}}}}},
	} {
		_, err := (&maze.Maze{Code: c.code, Grid: 1, Block: 1}).Alone()
		require.ErrorContains(t, err, c.want)
	}
}

// Removing instructions keeps the targets of branches.
func TestShrink(t *testing.T) {
	m := maze.New(3)
	calls := func(m *maze.Maze) bool {
		return slices.ContainsFunc(m.Code, func(in tesla.Instruction) bool { return in.Op == tesla.OpBra && in.Target > 0 })
	}
	require.True(t, calls(m))
	least := maze.Shrink(m, calls)
	require.Len(t, least.Code, 1)
	require.Contains(t, least.String(), "bra")
	require.NotEqual(t, m.Code, least.Code)
}

// Check finds a failing policy, and reduces the maze.
func TestFailure(t *testing.T) {
	f := &maze.Failure{Maze: maze.New(65), Policy: "wild"}
	require.ErrorContains(t, f, "divergence policy wild, calling maze of seed 65")
	report := maze.Check(f.Maze, []string{"nvidia", "wild"})
	require.Len(t, report.Failed, 1)
	require.Equal(t, "wild", report.Failed[0].Policy)
	require.Contains(t, report.Failed[0].Reason, "unknown divergence policy")
	require.Len(t, report.Failed[0].Shrunk().Maze.Code, 1)
}
