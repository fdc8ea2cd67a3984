package kernels

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/branch"
)

// crowded names the schedulers that choose by the number of threads at a pc. Threads that wait for
// the lock of histogram may keep its holder from running for ever; then the fault says so.
var crowded = map[string]bool{"dwf:sched=dmaj": true, "dwf:sched=dmin": true}

// TestMixingPolicies runs every kernel under the policies that mix warps, with every one of their
// options, not only the first of each.
func TestMixingPolicies(t *testing.T) {
	policies := []string{"tbc"}
	dwf, err := branch.Find("dwf")
	require.NoError(t, err)
	for _, sched := range dwf.Options[0].Values {
		for _, form := range dwf.Options[1].Values {
			policies = append(policies, "dwf:sched="+sched+",form="+form)
		}
	}
	for _, test := range mesaTests(t) {
		build := &test.Builds[len(test.Builds)-1]
		for _, policy := range policies {
			t.Run(test.Name+" under "+policy, func(t *testing.T) {
				if test.Name == "histogram" && crowded[strings.Split(policy, ",")[0]] {
					_, err := countBuild(t, test, build, policy)
					require.True(t, livelocked(err), "%v", err)
					return
				}
				runBuild(t, test, build, build.Arch, policy)
			})
		}
	}
}

// TestCompactionNeverLoses compares the block's stack with one stack per warp: both reconverge at
// the same instructions.
func TestCompactionNeverLoses(t *testing.T) {
	gains := 0
	for _, test := range mesaTests(t) {
		if test.Name == "histogram" { // races for a lock: issues depend on the order
			continue
		}
		build := &test.Builds[len(test.Builds)-1]
		warp, err := countBuild(t, test, build, "pdom")
		require.NoError(t, err)
		block, err := countBuild(t, test, build, "tbc")
		require.NoError(t, err)
		require.Equal(t, warp.ThreadInstructions, block.ThreadInstructions, test.Name)
		require.LessOrEqual(t, block.WarpInstructions, warp.WarpInstructions, test.Name)
		if block.WarpInstructions < warp.WarpInstructions {
			gains++
		}
	}
	require.NotZero(t, gains)
}
