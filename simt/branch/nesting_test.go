package branch

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
)

// The policy is as before after regions are closed and opened again. While they are closed, their
// lanes are at as many places as the regions say, and the other lanes where they were.
func TestCloseAndOpen(t *testing.T) {
	newPolicy, err := prepareNvidia(nil, nil)
	require.NoError(t, err)
	closed := 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := newPolicy().(*tokens)
		p.Start([]lane.Mask{lane.All >> r.IntN(lane.Width)})
		for pc := uint32(8); pc < 8*60 && wander(r, &p.warps[0], pc) == nil && p.warps[0].active != 0; pc += 8 {
			p.show(0)
			active, state, places := p.warps[0].active, p.State(0, nil), p.Places(0, nil)
			for most := range 5 {
				regions := p.Close(0, most, nil)
				closed += len(regions)
				require.LessOrEqual(t, len(regions), most)
				more := 0
				for _, r := range regions {
					require.Zero(t, r.Waits&^r.Lanes)
					if r.Kind == Branch || r.Waits != 0 {
						more++
					}
				}
				require.Len(t, p.Places(0, nil), len(places)-more, "seed %d, pc %d, %+v", seed, pc, regions)
				for _, r := range regions {
					p.Open(0, r)
				}
				p.Go(0, active)
				require.Equal(t, state, p.State(0, nil), "seed %d, pc %d", seed, pc)
				require.Equal(t, places, p.Places(0, nil), "seed %d, pc %d", seed, pc)
			}
		}
	}
	require.Greater(t, closed, 100000)
}

// wander lets the lanes of a warp go any way.
func wander(r *rand.Rand, f *nvidia, pc uint32) error {
	some := f.active & lane.Mask(r.Uint32())
	switch n := r.IntN(100); {
	case n < 20:
		return f.Annotate(JoinAt, pc+1000, pc+8)
	case n < 35:
		return f.Annotate(BreakAddr, pc+2000, pc+8)
	case n < 55:
		return f.Branch(some, pc+3000, pc+8)
	case n < 75 && len(f.stack) > 0 && (f.stack[len(f.stack)-1].kind == JoinAt || f.stack[len(f.stack)-1].kind == Branch):
		_, err := f.Join(pc)
		return err
	case n < 88:
		return f.Break(some, pc+8)
	case n < 92:
		return f.Call(pc+4000, pc+8)
	case n < 96:
		return f.Return(some, pc+8)
	case n < 97:
		return f.quadOn()
	case n < 98:
		return f.quadPop(pc + 8)
	case n < 99:
		return f.Exit()
	}
	return nil
}
