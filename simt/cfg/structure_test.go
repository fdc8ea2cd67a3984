package cfg_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/cfg"
	"jacquard/tesla"
)

// flow collects the successors of each block, from a tree of regions alone.
type flow map[int][]int

func (w flow) set(t *testing.T, b int, to ...int) {
	require.NotContains(t, w, b, "a block is in the tree twice")
	slices.Sort(to)
	w[b] = slices.Compact(to)
}

// first returns the first block of a sequence.
func first(seq []cfg.Region, after, header, behind int) int {
	if len(seq) == 0 {
		return after
	}
	switch seq[0].Kind {
	case cfg.NextRound:
		return header
	case cfg.LeaveLoop:
		return behind
	case cfg.Leave:
		return cfg.Exit
	}
	return seq[0].Block
}

func (w flow) walk(t *testing.T, seq []cfg.Region, after, header, behind int) {
	for i, r := range seq {
		next := first(seq[i+1:], after, header, behind)
		switch r.Kind {
		case cfg.Straight:
			w.set(t, r.Block, next)
		case cfg.If:
			w.set(t, r.Block, first(r.Taken, next, header, behind), first(r.Fall, next, header, behind))
			w.walk(t, r.Taken, next, header, behind)
			w.walk(t, r.Fall, next, header, behind)
		case cfg.Round:
			w.walk(t, r.Body, r.Block, r.Block, next)
		}
	}
}

// requireTree checks that the tree and the edges agree.
func requireTree(t *testing.T, f *cfg.Function, tree []cfg.Region) {
	t.Helper()
	w := flow{}
	w.walk(t, tree, cfg.None, cfg.None, cfg.None)
	require.Len(t, w, len(f.Blocks))
	for b := range f.Blocks {
		want := f.Targets(b)
		if f.Leaves(b) {
			want = append([]int{cfg.Exit}, want...)
		}
		require.Equal(t, want, w[b], "block %d", b)
	}
}

func TestStructureIsTheGraph(t *testing.T) {
	trees := 0
	randoms(t, func(t *testing.T, f *cfg.Function) {
		tree, err := f.Structure()
		if err != nil {
			var u *cfg.UnstructuredError
			require.ErrorAs(t, err, &u)
			require.NotEqual(t, cfg.None, f.Block(u.PC))
			return
		}
		trees++
		require.True(t, f.Reducible())
		requireTree(t, f, tree)
	})
	require.Greater(t, trees, 1000)
}

// writer writes random structured code.
type writer struct {
	r    *rand.Rand
	code []tesla.Instruction
}

func (w *writer) put(in tesla.Instruction) int {
	w.code = append(w.code, in)
	return len(w.code) - 1
}

func (w *writer) here(i int) { w.code[i].Target = uint32(8 * len(w.code)) }

// sequence writes a few statements; head is the start of the enclosing loop, or -1.
func (w *writer) sequence(depth, head int) {
	for range 1 + w.r.IntN(3) {
		w.put(nop())
		switch kind := w.r.IntN(9); {
		case kind == 0:
			w.put(retIf())
		case kind == 1 && head >= 0:
			w.put(brkIf())
		case kind == 2 && head >= 0:
			w.put(braIf(head))
		case depth == 0:
		case kind < 5:
			w.choice(depth, head)
		case kind < 7:
			w.loop(depth)
		}
	}
}

func (w *writer) choice(depth, head int) {
	other := w.put(braIf(0))
	w.sequence(depth-1, head)
	switch w.r.IntN(4) {
	case 0: // no else
		w.here(other)
	case 1: // the first side leaves
		w.put(exit())
		w.here(other)
		w.sequence(depth-1, head)
	default:
		end := w.put(bra(0))
		w.here(other)
		w.sequence(depth-1, head)
		w.here(end)
	}
	w.put(nop())
}

func (w *writer) loop(depth int) {
	end := w.put(breakAddr(0))
	head := w.put(nop())
	w.sequence(depth-1, head)
	if w.r.IntN(2) == 0 {
		w.put(braIf(head))
		w.put(brk())
	} else {
		w.put(brkIf())
		w.put(bra(head))
	}
	w.here(end)
	w.put(nop())
}

func TestStructuredCodeHasATree(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		w := &writer{r: r}
		w.sequence(4, -1)
		w.put(exit())
		g, f := analyse(t, w.code...)
		require.Empty(t, g.Problems)
		tree, err := f.Structure()
		require.NoError(t, err)
		requireTree(t, f, tree)
	}
}

// Of two ways out of a loop that never meet, the one with more code follows the loop.
func TestMostCodeIsBehindALoop(t *testing.T) {
	for _, code := range [][]tesla.Instruction{
		{nop(), braIf(4), braIf(6), bra(0), nop(), exit(), nop(), nop(), exit()},
		{nop(), braIf(4), braIf(7), bra(0), nop(), nop(), exit(), nop(), exit()},
	} {
		_, f := analyse(t, code...)
		tree, err := f.Structure()
		require.NoError(t, err)
		require.Equal(t, cfg.Round, tree[0].Kind)
		behind := f.Blocks[tree[1].Block]
		require.Equal(t, 3, behind.Last-behind.First)
	}
}

// Of two ways out with equally much code, the first in the order of blocks follows the loop,
// whatever block leads there.
func TestFirstOfEqualWaysIsBehindALoop(t *testing.T) {
	for _, code := range [][]tesla.Instruction{
		{braIf(3), braIf(4), bra(0), exit(), exit()},
		{braIf(4), braIf(3), bra(0), exit(), exit()},
		{braIf(4), braIf(0), braIf(0), exit(), exit()},
	} {
		_, f := analyse(t, code...)
		tree, err := f.Structure()
		require.NoError(t, err)
		require.Equal(t, cfg.Round, tree[0].Kind)
		behind, other := f.Block(3*8), f.Block(4*8)
		if f.Position[other] < f.Position[behind] {
			behind = other
		}
		require.Equal(t, behind, tree[1].Block)
	}
}

func TestUnstructured(t *testing.T) {
	for _, c := range []struct {
		name string
		code []tesla.Instruction
		want string
	}{
		{"into a loop", []tesla.Instruction{braIf(2), nop(), nop(), braIf(1), exit()}, "not structured: at 0x18 lanes can come into the middle of a loop"},
		{"across ifs", []tesla.Instruction{braIf(4), nop(), braIf(6), bra(6), nop(), braIf(3), exit()}, "not structured: at 0x0 the ways from a branch meet at 0x18 and again at 0x30"},
		{"out of two loops", []tesla.Instruction{nop(), nop(), braIf(5), braIf(1), braIf(0), exit()}, "not structured: at 0x0 the loop leads to 0x28, across the ifs and loops around it"},
		{"no one knows", []tesla.Instruction{brk()}, "not structured: at 0x0 it is not known where control goes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, f := analyse(t, c.code...)
			_, err := f.Structure()
			require.EqualError(t, err, c.want)
		})
	}
}
