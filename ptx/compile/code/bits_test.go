package code

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// A window gives back what was put into it and not removed, as runs that are as long as can be, and
// is empty then.
func TestWindow(t *testing.T) {
	const n = 300
	r := rand.New(rand.NewPCG(7, 1))
	w := window{set: newSet(n)}
	for range 500 {
		low := r.Int32N(n)
		members := map[int32]bool{}
		for range r.IntN(200) {
			i := low + r.Int32N(min(n-low, 1+r.Int32N(150)))
			if r.IntN(4) == 0 {
				w.remove(i)
				delete(members, i)
				continue
			}
			w.add(i)
			members[i] = true
		}
		var want []run
		for i := range int32(n) {
			require.Equal(t, members[i], w.has(i))
			switch k := len(want); {
			case !members[i]:
			case k > 0 && want[k-1].last == i-1:
				want[k-1].last = i
			default:
				want = append(want, run{i, i})
			}
		}
		require.Equal(t, want, w.takeRuns())
		require.Nil(t, w.takeRuns())
	}
}
