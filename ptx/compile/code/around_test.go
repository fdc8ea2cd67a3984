package code

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Stacks that share parts know their regions, and are equal if their regions are.
func TestStacks(t *testing.T) {
	const blocks = 40
	r := rand.New(rand.NewPCG(2, 9))
	s := &stacks{last: make([]*open, blocks)}
	all := []*open{nil}
	for range 3000 {
		below := all[len(all)-1]
		if r.IntN(4) == 0 {
			below = all[r.IntN(len(all))]
		}
		all = append(all, s.within(below, r.Int32N(blocks), r.IntN(3) == 0))
	}
	list := func(o *open) []open {
		regions := []open{}
		for ; o != nil; o = o.below {
			regions = append(regions, open{at: o.at, loop: o.loop})
		}
		return regions
	}
	for range 3000 {
		o, at := all[r.IntN(len(all))], r.Int32N(blocks)
		regions := list(o)
		n := r.IntN(len(regions) + 1)
		require.Equal(t, regions[len(regions)-n:], list(o.down(n)))
		ends, loops := false, 0
		for i, x := range regions {
			ends = ends || x.at == at
			if x.loop && loops == 0 {
				loops = len(regions) - i
			}
		}
		require.Equal(t, ends, s.has(o, at))
		if o != nil {
			require.Equal(t, loops, o.loops.size())
		}
		copied := o.down(n)
		for i := len(regions) - n - 1; i >= 0; i-- {
			copied = s.within(copied, regions[i].at, regions[i].loop)
		}
		require.Nil(t, differ(o, copied))
		if len(regions) > 0 {
			other := s.within(copied.below, blocks-1-regions[0].at, regions[0].loop)
			require.NotNil(t, differ(o, other))
		}
	}
}
