package ir_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/cases"
	"jacquard/ptx/compile/ir"
)

var update = flag.Bool("update", false, "rewrite what Order makes in testdata")

// TestOrder shows blocks in order, with what Order computes of each.
func TestOrder(t *testing.T) {
	cases.Run(t, "testdata/order.txt", *update, func(t *testing.T, _, text string) string {
		f, err := ir.Parse("k\n" + text)
		require.NoError(t, err)
		_, out, _ := strings.Cut(f.String(), "\n")
		name := func(b *ir.Block) string {
			if b == nil {
				return "-"
			}
			return fmt.Sprintf("b%d", b.ID)
		}
		meet := f.Postdominators()
		for i, b := range f.Blocks {
			out += fmt.Sprintf("b%d: below %s, loop %s around %s, meets at %s\n", i, name(b.Idom), name(b.Loop), name(b.Around), name(meet[i]))
		}
		return out
	})
}

// randomFlow returns a function of blocks that lead anywhere but to the entry.
func randomFlow(r *rand.Rand) *ir.Func {
	f := ir.NewFunc("k")
	for range r.IntN(12) + 1 {
		f.NewBlock()
	}
	any := func() *ir.Block { return f.Blocks[1+r.IntN(len(f.Blocks)-1)] }
	for _, b := range f.Blocks {
		switch r.IntN(8) {
		case 0:
			b.End = ir.Exit
		case 1, 2:
			b.Jump(any())
		default:
			b.Branch(f.Const(ir.Pred, 1), any(), any())
		}
	}
	return f
}

// ways are the blocks that a search from one finds without another.
func ways(from, without *ir.Block) map[*ir.Block]bool {
	seen := map[*ir.Block]bool{}
	var visit func(b *ir.Block)
	visit = func(b *ir.Block) {
		if b != without && !seen[b] {
			seen[b] = true
			for _, s := range b.Succs() {
				visit(s)
			}
		}
	}
	visit(from)
	return seen
}

// Whatever the graph, what Order computes is what a search along all ways finds.
func TestOrderOfRandomGraphs(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for range 300 {
		f := randomFlow(r)
		reached := ways(f.Blocks[0], nil)
		f.Order()
		require.NoError(t, ir.Verify(f))
		require.Len(t, f.Blocks, len(reached))
		for _, b := range f.Blocks {
			require.True(t, reached[b])
			checkDominators(t, f, b)
			checkLoops(t, f, b)
		}
		checkPostdominators(t, f)
	}
}

// checkDominators compares who dominates b with what a search without the other block finds.
func checkDominators(t *testing.T, f *ir.Func, b *ir.Block) {
	text := f.String()
	for _, a := range f.Blocks {
		above := a != b && !ways(f.Blocks[0], a)[b]
		require.Equal(t, a == b || above, a.Dominates(b), "b%d, b%d\n%s", a.ID, b.ID, text)
		if above {
			require.True(t, a.Dominates(b.Idom), "b%d, b%d\n%s", a.ID, b.ID, text)
		}
	}
	if b.Idom != nil {
		require.True(t, b.Idom != b && b.Idom.Dominates(b), text)
	}
}

// loopOf returns the natural loop of a header, nil if there is none: the blocks that lead back to
// it without it.
func loopOf(f *ir.Func, head *ir.Block) map[*ir.Block]bool {
	var in map[*ir.Block]bool
	for _, p := range head.Preds {
		if !head.Dominates(p) {
			continue
		}
		if in == nil {
			in = map[*ir.Block]bool{head: true}
		}
		for _, x := range f.Blocks {
			if ways(x, head)[p] {
				in[x] = true
			}
		}
	}
	return in
}

func checkLoops(t *testing.T, f *ir.Func, b *ir.Block) {
	var inner, around *ir.Block // of the headers that dominate a block, the last is the innermost
	depth := 0
	for _, h := range f.Blocks {
		if !loopOf(f, h)[b] {
			continue
		}
		depth++
		if inner == nil || inner.Dominates(h) {
			inner = h
		}
		if h != b && (around == nil || around.Dominates(h)) {
			around = h
		}
	}
	require.Equal(t, depth, b.Depth, "b%d\n%s", b.ID, f)
	require.True(t, inner == b.Loop && around == b.Around, "b%d\n%s", b.ID, f)
}

func checkPostdominators(t *testing.T, f *ir.Func) {
	ends := func(b, without *ir.Block) bool {
		for x := range ways(b, without) {
			if len(x.Succs()) == 0 {
				return true
			}
		}
		return false
	}
	behind := func(b, a *ir.Block) bool { return a != b && ends(b, nil) && !ends(b, a) }
	for i, meet := range f.Postdominators() {
		b := f.Blocks[i]
		require.True(t, meet == nil || behind(b, meet), "b%d\n%s", i, f)
		for _, a := range f.Blocks {
			if behind(b, a) {
				require.True(t, meet == a || meet != nil && behind(meet, a), "b%d, b%d\n%s", i, a.ID, f)
			}
		}
	}
}
