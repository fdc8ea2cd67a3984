package mem

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
)

// TestSurvey compares the pattern with its definition. The addresses differ in few bits from a run
// or from one address. Pairs of lanes at one address, as in a binary search, are neither.
func TestSurvey(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 20_000 {
		m := lane.All
		if n%2 == 1 {
			m = lane.Mask(random.Uint32() | 1<<random.IntN(lane.Width))
		}
		stride := uint32(4 * random.IntN(2))
		keep := ^(4 << random.IntN(6) * uint32(n/2%2)) // a bit that all addresses lose, or none
		var addr lane.Row
		for i := range addr {
			addr[i] = 1024 + stride*uint32(i)&keep
		}
		if n%3 == 0 {
			addr[random.IntN(lane.Width)] ^= 4 << random.IntN(5)
		}

		run, same := true, true
		for i := range addr {
			if m>>i&1 == 1 {
				run = run && addr[i]-addr[first(m)] == 4*uint32(i-first(m))
				same = same && addr[i] == addr[first(m)]
			}
		}
		want := scattered
		switch {
		case run:
			want = contiguous
		case same:
			want = broadcast
		}
		got, ok := survey(&addr, m, 0, 1<<16, 4)
		require.True(t, ok)
		require.Equal(t, want, got, "lanes %08x at %d", uint32(m), addr)
	}
}
