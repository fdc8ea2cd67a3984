package code

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Operands that keep their registers agree on them: each lies in sequence from a multiple of its
// size on, and each register has one place in its tuple, which is its own.
func TestTuples(t *testing.T) {
	const regs = 9
	r := rand.New(rand.NewPCG(5, 3))
	refused := 0
	for range 5000 {
		s := newTuples(regs)
		var kept []Operand
		for range 1 + r.IntN(6) {
			var o Operand
			for k := range 2 + r.IntN(3) {
				o.Regs[k] = 1 + Reg(r.IntN(regs-1))
			}
			if s.add(&o) {
				kept = append(kept, o)
			} else {
				refused++
			}
		}
		for _, o := range kept {
			list := o.Regs[:o.width()]
			g, first := s.of[list[0]], int(s.at[list[0]])
			require.Zero(t, first%aligned(len(list)), "%v", kept)
			require.LessOrEqual(t, first+len(list), g.align, "%v", kept)
			require.Equal(t, list, g.words[first:first+len(list)], "%v", kept)
			for k, x := range list {
				require.True(t, s.of[x] == g && int(s.at[x]) == first+k && slices.Index(g.words[:], x) == first+k, "%v", kept)
			}
		}
	}
	require.NotZero(t, refused)
	for _, list := range [][]Reg{{1, 2}, {1, 2, 3}, {1, 2, 3, 4}} { // none is refused without need
		s := newTuples(regs)
		o, second := Operand{}, Operand{Regs: [4]Reg{list[0], list[1]}}
		copy(o.Regs[:], list)
		require.True(t, s.add(&second) && s.add(&o) && s.add(&second), "%v", list)
	}
}
