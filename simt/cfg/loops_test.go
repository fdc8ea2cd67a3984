package cfg_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/cfg"
)

// naturalLoops finds the loops of a reducible graph by their definition: the blocks that reach a
// back edge to a dominator without passing the dominator. Loops with one header are one loop.
func naturalLoops(f *cfg.Function) map[int][]int {
	loops := map[int][]int{}
	for u := range f.Blocks {
		for _, h := range f.Targets(u) {
			if u != h && reach(f, f.Start, h)[u] {
				continue // h does not dominate u
			}
			body := append(loops[h], h)
			for b := range f.Blocks {
				if b != h && reach(f, b, h)[u] {
					body = append(body, b)
				}
			}
			slices.Sort(body)
			loops[h] = slices.Compact(body)
		}
	}
	return loops
}

// reducible removes self-loops and merges each block with one predecessor into it until nothing
// changes. It reports whether one block is left.
func reducible(f *cfg.Function) bool {
	succ := map[int]map[int]bool{}
	for b := range f.Blocks {
		succ[b] = map[int]bool{}
		for _, to := range f.Targets(b) {
			succ[b][to] = true
		}
	}
	for changed := true; changed; {
		changed = false
		for b := range f.Blocks {
			if succ[b] == nil {
				continue
			}
			delete(succ[b], b)
			var preds []int
			for p := range succ {
				if succ[p][b] {
					preds = append(preds, p)
				}
			}
			if b == f.Start || len(preds) != 1 {
				continue
			}
			delete(succ[preds[0]], b)
			for to := range succ[b] {
				succ[preds[0]][to] = true
			}
			delete(succ, b)
			changed = true
		}
	}
	return len(succ) == 1
}

func TestLoops(t *testing.T) {
	seen := map[bool]int{}
	randoms(t, func(t *testing.T, f *cfg.Function) {
		ok := reducible(f)
		seen[ok]++
		require.Equal(t, ok, f.Reducible())
		if !ok {
			return
		}
		want := naturalLoops(f)
		require.Len(t, f.Loops, len(want))
		for l := range f.Loops {
			require.Equal(t, want[f.Loops[l].Header], slices.Sorted(slices.Values(f.Body(l))))
		}
	})
	require.Greater(t, seen[false], 200, "graphs that are not reducible")
	require.Greater(t, seen[true], 300, "graphs that are")
}

// TestOrder checks the contract of Order, for loops of any kind.
func TestOrder(t *testing.T) {
	randoms(t, func(t *testing.T, f *cfg.Function) {
		require.Equal(t, f.Start, f.Order[0])
		for p, b := range f.Order {
			require.Equal(t, p, f.Position[b])
		}
		for l, loop := range f.Loops {
			body := f.Body(l)
			require.Equal(t, loop.Header, body[0])
			for _, b := range body {
				require.Equal(t, loop.Natural, natural(f, l), "loop %d", l)
				require.True(t, b == loop.Header || within(f, loop.Header, b, body) && within(f, b, loop.Header, body), "%d is in a loop with its header", b)
			}
			if loop.Parent != cfg.None {
				require.Subset(t, f.Body(loop.Parent), body)
				require.NotEqual(t, f.Loops[loop.Parent].Header, loop.Header)
				require.Equal(t, f.Loops[loop.Parent].Depth+1, loop.Depth)
			}
		}
		for u := range f.Blocks {
			smallest := cfg.None
			for l := range f.Loops {
				if slices.Contains(f.Body(l), u) {
					smallest = l // inner loops come later
				}
			}
			require.Equal(t, smallest, f.Inner[u])
			for _, v := range f.Targets(u) {
				back := slices.ContainsFunc(f.Loops, func(l cfg.Loop) bool {
					return l.Header == v && slices.Contains(f.Order[l.First:l.Last], u)
				})
				require.True(t, back || f.Position[u] < f.Position[v], "edge from %d to %d", u, v)
			}
		}
	})
}

// within reports whether a path inside body leads from a to b.
func within(f *cfg.Function, a, b int, body []int) bool {
	seen := map[int]bool{a: true}
	for todo := []int{a}; len(todo) > 0; todo = todo[1:] {
		for _, to := range f.Targets(todo[0]) {
			if to == b {
				return true
			}
			if slices.Contains(body, to) && !seen[to] {
				seen[to] = true
				todo = append(todo, to)
			}
		}
	}
	return false
}

func natural(f *cfg.Function, l int) bool {
	for u := range f.Blocks {
		for _, v := range f.Targets(u) {
			if !slices.Contains(f.Body(l), u) && slices.Contains(f.Body(l), v) && v != f.Loops[l].Header {
				return false
			}
		}
	}
	return true
}

func exits(f *cfg.Function, body []int) []int {
	var out []int
	for _, u := range body {
		for _, v := range f.Targets(u) {
			if !slices.Contains(body, v) {
				out = append(out, v)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
