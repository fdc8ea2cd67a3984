package machine_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
	"jacquard/simt/machine"
)

// Take adds counters to the sums and leaves zeros behind, whether lists end within a cache line or
// at its end.
func TestTake(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	for _, instructions := range []int{1, 7, 8, 15, 16, 61} {
		sum, from, want := machine.NewCounts(instructions), machine.NewCounts(instructions), machine.NewCounts(instructions)
		for range 5 {
			for range r.IntN(instructions + 3) {
				lanes, at := r.IntN(lane.Width+1), r.IntN(instructions)
				for _, c := range []*machine.Counts{&from, &want} {
					c.Issue(lanes, int32(at), int32(at+1))
					c.TakenBy(lanes)[at] += 5
					c.Off[at]++
					c.NotTaken[instructions-1-at] += 2
					c.Waited[at] += 1 << 40
				}
			}
			sum.Take(&from)
			from.Clear()
			require.Equal(t, want, sum)
			for n := range from.Issues {
				require.Nil(t, from.Issues[n])
				require.Nil(t, from.Taken[n])
			}
			require.Zero(t, from.Used)
			require.False(t, counts(from.Off) || counts(from.NotTaken) || counts(from.Waited))
		}
		sum.Clear()
		require.False(t, counts(sum.Off))
		require.Zero(t, sum.Used)
		for n := range sum.Issues {
			require.Nil(t, sum.Issues[n])
			require.Nil(t, sum.Taken[n])
			require.False(t, counts(sum.IssuesOf(n)) || counts(sum.TakenBy(n)))
		}
	}
}

// counts reports whether a counter is not zero.
func counts[T int64 | uint64](list []T) bool {
	return slices.ContainsFunc(list, func(n T) bool { return n != 0 })
}
