package stats_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/stats"
	"jacquard/tesla"
)

// Every operation of compute programs has a class.
func TestClassOf(t *testing.T) {
	seen := map[stats.Class]bool{}
	for op := tesla.OpInvalid; op <= tesla.OpVote; op++ {
		c := stats.ClassOf(op)
		seen[c] = true
		unknown := op == tesla.OpInvalid || op == tesla.OpStOutput
		require.Equal(t, unknown, c == stats.Unknown, op)
	}
	require.Len(t, seen, stats.Classes)
	for c := range stats.Classes {
		require.NotEmpty(t, stats.Class(c).String())
	}
}
