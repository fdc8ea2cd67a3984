package simt_test

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/maze"
	"jacquard/simt"
)

// A launch counts its blocks as they end, each once, however it runs.
func TestEndedBlocks(t *testing.T) {
	for _, policy := range []string{"nvidia", "stackless", "tbc"} {
		for _, workers := range []int{1, 4} {
			var ended atomic.Int64
			var blocks int
			_, err := maze.New(3).With(policy, func(l *simt.Launch) {
				l.Ended, l.Workers, blocks = &ended, workers, l.Grid[0]*l.Grid[1]
			})
			require.NoError(t, err)
			require.EqualValues(t, blocks, ended.Load(), "%s, %d workers", policy, workers)
		}
	}
}
