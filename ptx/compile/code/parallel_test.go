package code

import (
	"math/rand/v2"
	"testing"

	"jacquard/tesla"

	"github.com/stretchr/testify/require"
)

// TestSequence carries out parallel copies one after the other, with and without a free register.
func TestSequence(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		n := 1 + r.IntN(8)
		s := &groups{f: &Func{}}
		if r.IntN(2) == 0 {
			s.f.registersUsed = n + 1
			for k := range n { // busy all the time
				g := &group{size: 1, members: []Reg{Reg(k)}, base: k}
				g.words[0] = segList{{0, 100, 0}}
				s.of = append(s.of, g)
			}
		}
		var run []Instr
		want := make([]uint32, n+1)
		have := make([]uint32, n+1)
		for k := range have {
			have[k], want[k] = uint32(1000+k), uint32(1000+k)
		}
		for _, d := range r.Perm(n)[:1+r.IntN(n)] {
			c := move(0, 0, Line{})
			c.Parallel, c.In.Dst.Index = 1, uint8(d)
			if r.IntN(6) == 0 {
				c.In.Src[0] = tesla.Operand{Kind: tesla.Imm, Value: uint32(d)}
				want[d] = uint32(d)
			} else {
				from := r.IntN(n)
				c.In.Src[0].Index = uint8(from)
				want[d] = have[from]
			}
			run = append(run, c)
		}
		for _, in := range s.sequence(nil, run, 10) {
			a, b := in.In.Src[0], in.In.Src[1]
			switch {
			case in.In.Op == tesla.OpLogic:
				have[in.In.Dst.Index] = have[a.Index] ^ have[b.Index]
			case a.Kind == tesla.Imm:
				have[in.In.Dst.Index] = a.Value
			default:
				have[in.In.Dst.Index] = have[a.Index]
			}
		}
		require.Equal(t, want[:n], have[:n])
	}
}
