package bench

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A class's kernel executes almost nothing else, and its warps stay together.
func TestClasses(t *testing.T) {
	for _, c := range Classes() {
		t.Run(c.Name, func(t *testing.T) {
			w := c.Workload()
			w.Grid = [2]int{1, 1}
			_, s := launchOnce(t, &w)
			require.Equal(t, c.Name, s.Kernel)
			require.Equal(t, s.WarpInstructions, s.Active[32])
			const warps = classThreads / 32
			own := uint64(c.rounds * classUnrolled * warps)
			require.Less(t, own, s.WarpInstructions)
			require.Less(t, s.WarpInstructions, own*5/4)
		})
	}
}
