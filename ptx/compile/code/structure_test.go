package code

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// name returns the number that a block of parseGraph had, "new" for others.
func name(b *Block) string {
	if len(b.Code) == 0 {
		return "new"
	}
	n := int(b.Code[0].Dst.Regs[0])/2 - 1
	if n < 0 {
		return "new"
	}
	return fmt.Sprint(n)
}

// annotations returns the regions of a function: where each begins and ends.
func annotations(f *Func) string {
	var parts []string
	for _, b := range f.Blocks {
		for _, j := range b.joinAts {
			parts = append(parts, fmt.Sprintf("%s-%s%s", name(b), name(j.at), map[bool]string{true: " by breaks"}[j.loop]))
		}
	}
	for _, b := range f.Blocks {
		if b.joins > 1 || b.partly {
			parts = append(parts, fmt.Sprintf("%s:%d partly=%v", name(b), b.joins, b.partly))
		}
	}
	return strings.Join(parts, " ")
}

func TestStructure(t *testing.T) {
	for _, c := range []struct{ name, graph, want string }{
		{"if", "1/2 2 .", "0-2"},
		{"if and else", "1/2 3 3 .", "0-3"},
		{"an if that is uniform", "=1/2 2 .", ""},
		{"one side ends", "1/2 . .", ""},
		{"one side ends within an if", "1/4 2/3 . 4 .", "0-4"},
		{"nested ifs that end together share a join", "1/3 2/3 3 .", "0-3"},
		{"ifs one after the other", "1/2 2 3/4 4 .", "0-2 2-4"},
		{"a loop", "1 1/2 .", "0-2"},
		{"a loop within an if that ends with it", "1/3 2 2/3 .", "0-3"},
		{"an if within a loop", "1 2/3 3 1/4 .", "0-4 1-3"},
		{"a uniform loop with an if", "1 2/3 3 =1/4 .", "1-3"},
		{"a loop with a break", "1 2/3 1/3 .", "0-3"},
		{"nested loops", "1 2 2/3 1/4 .", "0-4 1-3"},
		{"a continue before the test of the loop", "1 2/3 1 1/4 .", "0-4"},
		{"a continue to the test of the loop", "1 2/3 3 1/4 .", "0-4 1-3"},
		{"a break within an if", "1 2/4 5/3 4 1/5 .", "0-5 by breaks 1-4"},
		{"a loop from the entry on", "0/1 .", "new-1"},
		{"two ways to the next round", "1 2/3 1 1", ""},
		{"a uniform way past the join", "=1/3 2/3 3 .", "0-3"},
		{"two entries into a loop", "1/2 2/3 1/3 .", "0-3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := parseGraph(c.graph)
			require.NoError(t, structure(f))
			require.Equal(t, c.want, annotations(f))
		})
	}
}

// TestGather has blocks with barriers. A dispatch is named first: lanes break to it from
// everywhere. Block 7 of the last graph is where lanes take the number of barrier 4.
func TestGather(t *testing.T) {
	for _, c := range []struct{ name, graph, want string }{
		{"an if before a barrier", "1/2 2 !.", "0-2"},
		{"a barrier in an if", "1/2 !2 .", "0-2"},
		{"two ifs share an end", "1/2 2/6 3/4 4/6 !5 . .", "0-2 2-4"},
		{"a loop goes on at two places", "1 !2/4 3/1 1 .", "0-4 2-new"},
		{"a loop with a barrier and a return", "1 !2/3 4/1 . .", "0-4"},
		{"the store of a search that returns", "1 5/2 4/3 1 !5 .", "dispatch 4 new-4 by breaks"},
		{"barriers behind such a search", "1 5/2 4/3 1 !=6/5 . !5", "dispatch new new-new by breaks 0-7 new-new by breaks"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := parseGraph(c.graph)
			require.NoError(t, gather(f))
			dispatch := ""
			if f.Dispatch != nil {
				dispatch = "dispatch " + name(f.Dispatch) + " "
			}
			require.NoError(t, structure(f))
			require.Equal(t, c.want, dispatch+annotations(f))
		})
	}
}

// Whatever the graph, lanes are proved to be together or dispatched. The numbers say what that
// takes: fewer are better.
func TestGatherRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	dispatched, blocks, loops, joinAts, joins, back := 0, 0, 0, 0, 0, 0
	for range 3000 {
		words := strings.Fields(randomGraph(r))
		for i := range words {
			if r.IntN(4) == 0 {
				words[i] = "!" + words[i]
			}
		}
		f := parseGraph(strings.Join(words, " "))
		clean(f)
		require.NoError(t, gather(f), words)
		if f.Dispatch != nil {
			dispatched++
		}
		require.NoError(t, structure(f), words)
		layout(f)
		for _, b := range f.Blocks {
			blocks, joins = blocks+1, joins+b.joins
			for _, j := range b.joinAts {
				if joinAts++; j.loop {
					loops++
				}
			}
			for _, s := range b.successors() {
				if s.ID <= b.ID {
					back++
				}
			}
		}
	}
	require.Equal(t, "1096 dispatched, 16112 blocks, 3438 joinats, 2199 by breaks, 1228 joins, 5793 ways back",
		fmt.Sprint(dispatched, " dispatched, ", blocks, " blocks, ", joinAts, " joinats, ", loops, " by breaks, ", joins, " joins, ", back, " ways back"))
}

func TestLayout(t *testing.T) {
	for _, c := range []struct{ name, graph, want string }{
		{"a loop that tests first", "1 2/3 1 .", "0 2 1 3"},
		{"a loop that tests last", "1 1/2 .", "0 1 2"},
		{"if and else", "1/2 3 3 .", "0 2 1 3"},
		{"the exit of a loop comes behind it", "1 3/2 . 1/2", "0 1 3 2"},
		{"two entries into a loop", "1/2 2/3 1/3 .", "0 1 2 3"},
		{"two entries into a loop, with a way out of its middle", "1/2 2/4 3/5 1/2 . .", "0 1 2 3 4 5"},
		{"nested loops that test first", "1 2/5 3/4 2 1 .", "0 3 2 4 1 5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := parseGraph(c.graph)
			layout(f)
			var order []string
			for _, b := range f.Blocks {
				order = append(order, name(b))
			}
			require.Equal(t, c.want, strings.Join(order, " "))
		})
	}
}
