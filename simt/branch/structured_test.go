package branch_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// structuredPolicies run structured code; all except amd refuse calls.
var structuredPolicies = []string{"chap", "amd", "pomp", "gma"}

// nest generates nested ifs and loops with breaks, continues and early ends in any place, and a few
// joinats that policies for structured code must ignore.
func nest(seed uint64) program {
	w := &nester{writer{r: rand.New(rand.NewPCG(seed, 3))}}
	w.sequence(4, -1)
	w.emit(instr{exit: true})
	return w.code
}

type nester struct{ writer }

// sequence writes a few statements; head is the start of the enclosing loop, or -1.
func (w *nester) sequence(depth, head int) {
	for range 1 + w.r.IntN(3) {
		switch kind := w.r.IntN(12); {
		case kind == 0:
			w.emit(instr{kind: ret, cond: w.cond()})
		case kind == 1 && head >= 0:
			w.emit(instr{kind: brk, cond: w.cond()})
		case kind == 2 && head >= 0:
			w.emit(instr{kind: bra, cond: w.cond(), target: head})
		case kind < 4 || depth == 0:
			w.emit(instr{})
		case kind < 8:
			w.choice(depth, head)
		default:
			w.rounds(depth)
		}
	}
}

func (w *nester) choice(depth, head int) {
	b := w.emit(instr{kind: bra, cond: w.cond()})
	w.sequence(depth-1, head)
	switch w.r.IntN(5) {
	case 0: // no else
		w.code[b].target = len(w.code)
	case 1: // the first side ends
		w.emit(instr{exit: w.r.IntN(2) == 0, kind: ret})
		w.code[b].target = len(w.code)
		w.sequence(depth-1, head)
	case 2: // or leaves the loop
		if head >= 0 {
			w.emit(instr{kind: brk})
		}
		w.code[b].target = len(w.code)
	default:
		end := w.emit(instr{kind: bra})
		w.code[b].target = len(w.code)
		w.sequence(depth-1, head)
		w.code[end].target = len(w.code)
	}
	w.emit(instr{})
}

// rounds writes a loop that lanes leave at its start, its end, or both.
func (w *nester) rounds(depth int) {
	a := w.emit(instr{kind: breakaddr})
	head := len(w.code)
	style := w.r.IntN(3)
	w.emit(instr{})
	if style != 0 {
		w.emit(instr{kind: brk, cond: w.cond()})
	}
	w.sequence(depth-1, head)
	if style != 1 {
		w.emit(instr{kind: bra, cond: w.cond(), target: head})
		w.emit(instr{kind: brk})
	} else {
		w.emit(instr{kind: bra, target: head})
	}
	w.code[a].target = len(w.code)
	w.emit(instr{})
}

// Counters and columns equal masks, step by step, for any nesting of ifs and loops: the masks of
// structured code form columns.
func TestStructuredPoliciesAgree(t *testing.T) {
	masks := []lane.Mask{lane.All, 0x00ffffff, 0x11111111}
	issued := 0
	for seed := range uint64(300) {
		p := nest(seed)
		var want []step
		var depth int
		for i, name := range structuredPolicies {
			policy := p.under(t, name)
			paths, issues, err := p.run(policy, masks)
			require.NoError(t, err)
			if i == 0 {
				want, depth = issues, policy.Depth()
				issued += len(issues)
				for g, path := range paths {
					if masks[g/lane.Width]>>(g%lane.Width)&1 != 0 {
						require.Equal(t, p.alone(g), path, "lane %d of program %v", g, p)
					}
				}
				continue
			}
			require.Equal(t, want, issues, "%s, program %d", name, seed)
			if name == "amd" { // one entry per loop; others have two masks, or count by two
				require.LessOrEqual(t, policy.Depth(), depth)
			} else {
				require.Equal(t, depth, policy.Depth())
			}
		}
	}
	require.Greater(t, issued, 10000)
}

// Lanes of a call return together, with the masks of the enclosing ifs and loops; lanes of a nested
// call return from it first. All these functions are structured.
func TestAMDCalls(t *testing.T) {
	choice, err := branch.Find("amd")
	require.NoError(t, err)
	require.True(t, checkPaths(t, recursion, &choice, []lane.Mask{lane.All, 0xff}))
	for seed := range uint64(200) {
		require.True(t, checkPaths(t, generate(seed), &choice, []lane.Mask{lane.All, 0xff}))
	}
	endless := program{{kind: call, target: 2}, {exit: true}, {kind: call, target: 2}, {kind: ret}}
	_, _, err = endless.run(endless.under(t, "amd"), []lane.Mask{0xf})
	var stack *branch.StackError
	require.ErrorAs(t, err, &stack)
	require.EqualError(t, err, "control stack overflow: more than 1024 entries")
}

func TestStructuredRefusals(t *testing.T) {
	for _, c := range []struct {
		name   string
		policy string
		p      program
		pc     int
		want   string
	}{
		{"call", "chap", program{{}, {kind: call, target: 3}, {exit: true}, {kind: ret}}, 1, "it has no stack for the return address of the call"},
		{"into a loop", "pomp", program{{kind: bra, target: 2, cond: 1}, {}, {}, {kind: bra, target: 1, cond: 1}, {exit: true}}, 3,
			"its code is not nested ifs and loops: lanes can come into the middle of a loop"},
		{"across ifs", "gma", program{{kind: bra, target: 4, cond: 1}, {}, {kind: bra, target: 6, cond: 1}, {kind: bra, target: 6}, {}, {kind: bra, target: 3, cond: 1}, {exit: true}}, 0,
			"its code is not nested ifs and loops: the ways from a branch meet at 0x18 and again at 0x30"},
		{"callee across ifs", "amd", program{{kind: call, target: 2}, {exit: true}, {kind: bra, target: 6, cond: 1}, {}, {kind: bra, target: 8, cond: 1}, {kind: bra, target: 8}, {}, {kind: bra, target: 5, cond: 1}, {kind: ret}}, 2,
			"its code is not nested ifs and loops: the ways from a branch meet at 0x28 and again at 0x40"},
		{"two breaks in one", "chap", program{{kind: bra, target: 3, cond: 1}, {kind: breakaddr, target: 5}, {kind: bra, target: 4}, {kind: breakaddr, target: 6}, {kind: brk}, {}, {exit: true}}, 4,
			"a break or return leads to one place or another"},
		{"lone break", "amd", program{{kind: brk}}, 0, "its code is not nested ifs and loops: it is not known where control goes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := branch.Find(c.policy)
			require.NoError(t, err)
			_, err = c.p.policy(&s)
			var refused *branch.RefusedError
			require.ErrorAs(t, err, &refused)
			require.Equal(t, c.policy, refused.Policy)
			require.Equal(t, uint32(c.pc*size), refused.PC)
			require.Equal(t, c.want, refused.Reason)
		})
	}
}

// A warp arrives at a barrier as a whole, even on one side of a branch; lanes on the other side run
// after the barrier. A barrier that lanes would reach in different rounds of a loop is refused.
func TestStructuredBarrier(t *testing.T) {
	p := program{{kind: bra, target: 3, cond: 1}, {}, {kind: bra, target: 4}, {}, {exit: true}}
	for _, name := range structuredPolicies {
		policy := p.under(t, name)
		policy.Start([]lane.Mask{0xf})
		control(t, policy, 0, 0xc, branch.Event{Kind: branch.Branch, Target: 24, Next: 8})
		require.Equal(t, branch.WarpSet(1), control(t, policy, 8, 0x3, branch.Event{Kind: branch.Arrive, Next: 16}))
		require.Equal(t, []branch.Place{{PC: 16, Lanes: 0x3, Blocked: true}, {PC: 24, Lanes: 0xc, Blocked: true}}, policy.Places(0, nil))
		policy.Release(1)
		control(t, policy, 16, 0x3, branch.Event{Kind: branch.Branch, Target: 32, Next: 24})
		require.Equal(t, []branch.Place{{PC: 24, Lanes: 0xc}, {PC: 32, Lanes: 0x3}}, policy.Places(0, nil))
		control(t, policy, 24, 0xc, branch.Event{Kind: branch.Arrive, Next: 32})
		policy.Release(1)
		control(t, policy, 32, 0xf, branch.Event{Kind: branch.Exit, Next: 40})
		require.Zero(t, policy.Alive())
	}
	out := program{{}, {kind: bra, target: 4, cond: 1}, {kind: bra, target: 6, cond: 2}, {kind: bra, target: 0}, {}, {exit: true}, {}, {}, {exit: true}}
	for _, at := range []int{4, 6} {
		k := out.kernel()
		k.Code[at].Kind = branch.Arrive
		s, err := branch.Find("chap")
		require.NoError(t, err)
		_, err = s.Prepare(k)
		if at == 6 {
			require.NoError(t, err, "this way out has more code: it is behind the loop")
			continue
		}
		require.EqualError(t, err, "divergence policy chap cannot run this kernel: lanes that leave the loop would come one round after the other to a barrier at pc 0x20")
	}
}
