package branch

import (
	"errors"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/cfg"
	"jacquard/tesla"
)

// explorer walks through a graph with any number of lanes in all possible ways. A state is the
// block of the walk, whether it has lanes, and the set of blocks with waiting lanes.
type explorer struct {
	t     *testing.T
	f     *cfg.Function
	joins func(block int) int // of a block: the block that the walk must go to, or -1
	// loops has, by last block, the headers, inner loops first; lanes wait there for the next
	// round.
	loops map[int][]int
	seen  map[[3]uint]bool
	empty int // states without lanes
}

func (e *explorer) visit(at int, some bool, waits uint) {
	key := [3]uint{uint(at), 0, waits}
	if some {
		key[1] = 1
	}
	if e.seen[key] {
		return
	}
	e.seen[key] = true
	if !some {
		e.empty++
		e.leave(at, waits, 0)
		return
	}
	to := e.f.Targets(at)
	for choice := range uint(1) << len(to) {
		if choice == 0 && !e.f.Leaves(at) {
			continue
		}
		var moved uint
		for i, b := range to {
			if choice>>i&1 != 0 {
				moved |= 1 << b
			}
		}
		e.leave(at, waits|moved, moved)
	}
}

// leave continues from the end of block at. The walk must return to every waiting lane.
func (e *explorer) leave(at int, waits, moved uint) {
	if waits == 0 {
		return
	}
	for _, header := range e.loops[at] {
		if waits>>header&1 != 0 {
			e.visit(header, true, waits&^(1<<header))
			return
		}
	}
	ahead := waits
	if e.loops != nil {
		ahead &^= 1<<(at+1) - 1
		moved &^= 1<<(at+1) - 1
	}
	to := e.joins(at)
	if s := e.f.Blocks[at].Succ; len(s) == 1 && s[0].Kind == cfg.FallThrough {
		to = s[0].To
	}
	if n := bits.TrailingZeros(moved); moved != 0 && (to < 0 || n < to) {
		to = n
	}
	require.GreaterOrEqual(e.t, to, 0, "lanes wait at %b, and the walk has nowhere to go from %d", waits, at)
	if ahead != 0 {
		require.LessOrEqual(e.t, to, bits.TrailingZeros(ahead), "the walk passes lanes on its way from %d", at)
	}
	for l, headers := range e.loops {
		for _, h := range headers {
			if waits>>h&1 != 0 {
				require.LessOrEqual(e.t, to, l, "the walk leaves a loop with lanes for another round")
			}
		}
	}
	e.visit(to, waits>>to&1 != 0, waits&^(1<<to))
}

// randomFunction returns a function of n instructions with random branches.
func randomFunction(t *testing.T, r *rand.Rand, n int, ahead bool) *cfg.Function {
	code := make([]tesla.Instruction, n)
	for i := range code {
		to := uint32(8 * r.IntN(n))
		if ahead && r.IntN(6) != 0 {
			to = uint32(8 * min(i+1+r.IntN(4), n-1))
		}
		switch r.IntN(10) {
		case 0:
			code[i] = exit()
		case 1:
			code[i] = bra(to)
		case 2, 3:
			code[i] = tesla.Instruction{Op: tesla.OpNop, Size: 8}
		default:
			code[i] = braIf(to)
		}
	}
	code[n-1] = exit()
	return kernelOf(t, code).Graph().Functions[0]
}

// A walk by thread frontiers never skips a waiting lane, although it cannot see lanes.
func TestEarliest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	empty := 0
	for i := range 4000 {
		f := randomFunction(t, r, 2+r.IntN(9), i%2 == 0)
		least := earliest(f)
		e := &explorer{t: t, f: f, seen: map[[3]uint]bool{}, joins: func(b int) int { return f.Block(least[b]) }}
		e.visit(f.Start, true, 0)
		empty += e.empty
	}
	require.Greater(t, empty, 1000)
}

// The same holds for walks through structured code, with lanes that wait for the next round.
func TestNextJoin(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	walked, looped, parked := 0, 0, 0
	for i := range 8000 {
		f := randomFunction(t, r, 2+r.IntN(9), i%4 != 0)
		loops, err := whiles(f)
		if err != nil {
			var refused *RefusedError
			require.True(t, errors.As(err, &refused))
			continue
		}
		walked++
		e := &explorer{t: t, f: f, seen: map[[3]uint]bool{}, loops: map[int][]int{}}
		for n := len(loops) - 1; n >= 0; n-- {
			l := loops[n]
			e.loops[l.last] = append(e.loops[l.last], l.header)
			looped++
			if l.parks {
				parked++
			}
		}
		e.joins = func(b int) int { return f.Block(nextJoin(f, loops, b)) }
		e.visit(f.Start, true, 0)
	}
	require.Greater(t, walked, 300)
	require.Greater(t, looped, 50)
	require.Greater(t, parked, 5)
}

// Lanes that continue wait for the other lanes at the end of the loop.
func TestSandybridgeContinue(t *testing.T) {
	const header, rest, last, behind = 0, 8, 16, 24
	k := kernelOf(t, []tesla.Instruction{braIf(header), braIf(behind), bra(header), exit()})
	k.Code = []Instruction{
		{PC: 0, Next: 8, Kind: Branch, Target: header, Guarded: true},
		{PC: 8, Next: 16, Kind: Branch, Target: behind, Guarded: true},
		{PC: 16, Next: 24, Kind: Branch, Target: header},
		{PC: 24, Next: 32, Kind: Exit},
	}
	newFlow, err := prepareSandybridge(k, nil)
	require.NoError(t, err)
	w := newFlow()
	w.Start(0xf)
	var got []path
	issue := func(e error) {
		require.NoError(t, e)
		pc, mask, _, _ := w.Pick()
		got = append(got, path{pc, mask})
	}
	issue(nil)
	issue(w.Branch(0x3, header, rest)) // lanes 0 and 1 continue
	issue(w.Branch(0x4, behind, last)) // lane 2 leaves
	issue(w.Branch(0x8, header, behind))
	issue(w.Branch(0x0, header, rest))
	issue(w.Branch(0xb, behind, last))
	require.Equal(t, []path{{header, 0xf}, {rest, 0xc}, {last, 0x8}, {header, 0xb}, {rest, 0xb}, {last, 0}}, got)
	got = nil
	issue(w.Branch(0, header, behind))
	require.Equal(t, []path{{behind, 0xf}}, got)
}
