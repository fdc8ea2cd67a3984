package simt_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// Executed instructions are split by exactness, and add up.
func TestExactness(t *testing.T) {
	m := machine{
		arch: tesla.SM13, registers: 4, space: mem.NewSpace(1 << 16), block: [3]int{48, 1, 1},
		words: code(
			movImm(1, 7),                     // documented
			[]uint32{0x20000005, 0x04004780}, // add b32 $r1 $r0 $r1: verified
			clock(2),                         // unverified
			nop,
			[]uint32{exitNop0, exitNop1},
		),
	}
	l := m.launch(t)
	s, err := simt.Run(l)
	require.NoError(t, err)
	by := s.Exactness
	require.Equal(t, simt.Executed{WarpInstructions: 2, ThreadInstructions: 48}, by[tesla.Verified])
	require.Equal(t, simt.Executed{WarpInstructions: 2, ThreadInstructions: 48}, by[tesla.Unverified])
	require.Equal(t, simt.Executed{WarpInstructions: 6, ThreadInstructions: 144}, by[tesla.Documented])
	require.Equal(t, s.WarpInstructions, by[0].WarpInstructions+by[1].WarpInstructions+by[2].WarpInstructions)
	require.Equal(t, s.ThreadInstructions, by[0].ThreadInstructions+by[1].ThreadInstructions+by[2].ThreadInstructions)

	l.Sums = true
	sums, err := simt.Run(l)
	require.NoError(t, err)
	require.Empty(t, sums.ByInstruction)
	s.ByInstruction, s.Elapsed, sums.Elapsed = nil, 0, 0
	require.Equal(t, s, sums)

	l.NoStats = true
	s, err = simt.Run(l)
	require.NoError(t, err)
	require.Zero(t, s.Exactness)
}
