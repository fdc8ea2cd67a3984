package branch_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
)

// Equal states mean equal futures: a policy in a repeated state issues the same, and
// if the lanes take the same ways it reaches the same next state. Few lanes and many runs of one
// program repeat states often.
func TestStatesAreComplete(t *testing.T) {
	for _, choice := range variants(t) {
		t.Run(choice.Name, func(t *testing.T) {
			again := 0
			for seed := range uint64(90) {
				p := [...]func(uint64) program{generate, tangle, jumps}[seed%3](seed)
				runs, masks := uint64(12), []lane.Mask{0xb, 0x3}
				if seed == 0 {
					p, runs, masks = outOfLoop, 300, []lane.Mask{0x7}
				}
				policy, err := p.policy(&choice)
				if err != nil {
					continue
				}
				issues, next := map[string]string{}, map[string]string{}
				for run := range runs {
					rounds := p.drive(policy, masks, rand.New(rand.NewPCG(seed, run)), 80)
					for i, r := range rounds {
						if known, seen := issues[r.before]; seen {
							require.Equal(t, known, r.issues, "program %d, run %d, round %d %s", seed, run, i, r.before)
						}
						issues[r.before] = r.issues
						if i+1 == len(rounds) || rounds[i+1].err != nil {
							continue
						}
						way, to := r.state()+r.chosen, rounds[i+1].state()
						if known, seen := next[way]; seen {
							again++
							require.Equal(t, known, to, "program %d, run %d, round %d", seed, run, i)
						}
						next[way] = to
					}
				}
			}
			require.Greater(t, again, 400)
		})
	}
}

// jumps generates code of a few branches to random instructions. It need not end.
func jumps(seed uint64) program {
	w := &writer{r: rand.New(rand.NewPCG(seed, 5))}
	n := 5 + w.r.IntN(5)
	for range n {
		in := instr{}
		if w.r.IntN(4) > 0 {
			in = instr{kind: bra, cond: 1, target: w.r.IntN(n + 1)}
		}
		w.emit(in)
	}
	w.emit(instr{exit: true})
	return w.code
}

// outOfLoop is a loop that lanes leave in two ways, either of them first. The last lane in it may
// end.
var outOfLoop = program{
	{kind: bra, cond: 1, target: 4},
	{kind: ret, cond: 1},
	{kind: bra, cond: 1, target: 0},
	{},
	{exit: true},
}
