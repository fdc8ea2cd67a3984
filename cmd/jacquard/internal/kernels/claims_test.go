package kernels

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cmd/jacquard/internal/job"
	"jacquard/simt"
)

// TestPublishedClaims holds the kernels against "Stack-less SIMT reconvergence at low cost" (2011), section 5.2: the
// stack-less scheme issues nothing twice, and does the same work in no more issues than the token stack and the implicit
// scheme, which no more than the token stack.
//
// The paper claims it of the mean of active lanes. That does not hold for calls: the token stack issues joins twice, and
// when many lanes wait at them that raises its mean, with more issues for the same work.
func TestPublishedClaims(t *testing.T) {
	files, err := filepath.Glob("../../../../testdata/mesa-kernels/*/test.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		test, err := job.Load(file)
		require.NoError(t, err)
		if test.Name == "histogram" { // it races for a lock: what is issued depends on the order
			continue
		}
		t.Run(test.Name, func(t *testing.T) {
			build := &test.Builds[len(test.Builds)-1]
			lanes, issues := map[string]float64{}, map[string]uint64{}
			for _, policy := range []string{"nvidia", "implicit", "stackless", "mimd"} {
				stats, err := countBuild(t, test, build, policy)
				if refused(err) {
					continue
				}
				require.NoError(t, err)
				lanes[policy], issues[policy] = stats.AverageLanes(), stats.WarpInstructions
				for _, in := range stats.ByInstruction {
					require.True(t, policy == "nvidia" || in.Vetoed == 0, "%s issues a join twice", policy)
				}
			}
			require.LessOrEqual(t, issues["stackless"], issues["nvidia"])
			if n, ran := issues["implicit"]; ran {
				require.LessOrEqual(t, issues["stackless"], n)
				require.LessOrEqual(t, n, issues["nvidia"])
			}
			if test.Name != "calls" {
				require.GreaterOrEqual(t, lanes["stackless"], lanes["nvidia"])
				require.GreaterOrEqual(t, lanes["stackless"], lanes["implicit"])
			}
			require.EqualValues(t, 1, lanes["mimd"])
		})
	}
}

func countBuild(t *testing.T, test *job.Test, build *job.Build, policy string) (*simt.Stats, error) {
	l, _ := mesaLaunch(t, test, build, build.Arch)
	l.Policy = policy
	return simt.Run(l)
}
