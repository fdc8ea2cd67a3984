package code

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// A merged list has every point of both lists once, in segments as long as can be. Lists that are not
// the group's own stay as they are.
func TestMerge(t *testing.T) {
	const points = 60
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		var value [points]int32 // what the register holds at a point
		for i := 1; i < points; i++ {
			if value[i] = value[i-1]; r.IntN(6) == 0 {
				value[i]++
			}
		}
		var holds [points]bool
		g := &group{}
		for range 6 {
			list := segments(&value, func(int) bool { return r.IntN(4) > 0 }, &holds)
			before := slices.Clone(list)
			g.merge(1, &group{words: [4]segList{2: list}}, 2)
			require.Equal(t, before, list, "seed %d", seed)
			var none [points]bool
			require.Equal(t, segments(&value, func(i int) bool { return holds[i] }, &none), g.words[1], "seed %d", seed)
		}
	}
}

// segments returns the points with is as segments, and marks them.
func segments(value *[60]int32, is func(int) bool, marked *[60]bool) segList {
	var list segList
	for i, v := range value {
		if !is(i) {
			continue
		}
		marked[i] = true
		x := segment{from: int32(i), to: int32(i + 1), value: v}
		if n := len(list); n > 0 && list[n-1].touches(x) {
			list[n-1].to = x.to
			continue
		}
		list = append(list, x)
	}
	return list
}
