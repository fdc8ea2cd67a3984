package simt_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/tesla"
)

// An empty issue is counted and does nothing: no access, no fault, no arrival at a barrier.
func TestEmptyIssues(t *testing.T) {
	words := code(
		bra(0x38, always),
		[]uint32{0xd00e0201, 0xa0c00780}, // 08: st b32 g14[$r1] $r0, to address 0
		[]uint32{0xffffffff, 0xffffffff}, // 10: no instruction
		[]uint32{0x861ffe03, 0x00000000}, // 18: bar sync 0
		movImm(2, 7),                     // 20
		bra(0x08, ifTrue),                // 28
		[]uint32{exitNop0, exitNop1},     // 30
		[]uint32{exitNop0, exitNop1},     // 38
	)
	require.NotEqual(t, tesla.OK, decoder.Kernel(tesla.SM12, words)[2].Bad)
	run := func(policy string) *simt.Stats {
		l := machine{arch: tesla.SM12, words: words, block: [3]int{96, 1, 1}}.launch(t)
		l.Policy = policy
		s, err := simt.Run(l)
		require.NoError(t, err)
		return s
	}
	const warps = 3
	for policy, empty := range map[string]uint64{"takahashi:delay=1": 6 * warps, "takahashi:delay=0": 0, "tf-sandy": 0, "nvidia": 0} {
		s := run(policy)
		require.Equal(t, empty, s.Active[0], policy)
		require.EqualValues(t, 2*warps, s.Active[32], policy)
		require.Equal(t, 2*warps+empty, s.WarpInstructions, policy)
		require.EqualValues(t, 2*96, s.ThreadInstructions, policy)
		require.Zero(t, s.PartialBarriers, policy)
	}
}
