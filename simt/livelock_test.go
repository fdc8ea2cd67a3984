package simt_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/tesla"
)

// A kernel that returns to an earlier state is a livelock; one that only runs long is not.
func TestLivelock(t *testing.T) {
	spin := bra(0, always)
	work := code( // 0x8000 times around, far beyond the first looks
		movImm(1, 0x8000),
		[]uint32{0x203f8205, 0x0fffffff}, // add b32 $r1 $r1 0xffffffff
		[]uint32{0x307c03fd, 0x640147c8}, // set $c0 # ne u32 $r1 $r124
		bra(8, ifTrue),
	)
	long, late := code(work, []uint32{exitNop0, exitNop1}), code(work, bra(32, always))
	for _, policy := range branch.Policies() {
		t.Run(policy.Name, func(t *testing.T) {
			for _, words := range [][]uint32{spin, late} {
				l := machine{arch: tesla.SM13, words: words, watchdog: 1 << 22}.launch(t)
				l.Policy = policy.Name
				_, err := simt.Run(l)
				var f *simt.Fault
				require.ErrorAs(t, err, &f)
				require.Equal(t, simt.FaultLivelock, f.Kind)
				require.Contains(t, f.Error(), "rounds: warp 0 lanes ")
			}

			l := machine{arch: tesla.SM13, words: long, block: [3]int{2, 1, 1}, watchdog: 1 << 20}.launch(t)
			l.Policy = policy.Name
			s, err := simt.Run(l)
			require.NoError(t, err)
			require.Greater(t, s.WarpInstructions, uint64(3*0x8000))
		})
	}
}

func TestPolicyOptions(t *testing.T) {
	require.Empty(t, simt.WantPolicy("stackless:key=pc"))
	require.Empty(t, simt.WantPolicy(""))
	require.Contains(t, simt.WantPolicy("stackless:key=sp"), "stackless:key=sppc|pc")
	require.Equal(t, "mimd:warp=32|16|8|4", simt.WantPolicy("mimd:key=pc"))
	require.Empty(t, simt.WantPolicy("stackless:warp=8,key=pc"))
	require.Equal(t, "stackless:key=sppc|pc or stackless:next=least|predicted or stackless:warp=32|16|8|4", simt.WantPolicy("stackless:key=pc,warp=64"))
	require.Contains(t, simt.WantPolicy("wild"), "nvidia, stackless")
}
