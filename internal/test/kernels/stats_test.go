package kernels

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt"
)

// The statistics of a kernel do not depend on settings of the host.
func TestStatisticsAreTheSame(t *testing.T) {
	for _, test := range mesaTests(t) {
		build := &test.Builds[len(test.Builds)-1]
		for _, policy := range []string{"nvidia", "stackless", "dwf"} {
			var want *simt.Stats
			for _, simd := range []string{"off", "avx2", "avx512"} {
				if simt.CheckSIMD(simd) != nil {
					continue // not on this processor
				}
				for _, workers := range []int{1, 2, 5} {
					l, _ := mesaLaunch(t, test, build, build.Arch)
					k := l.Program.Kernel
					k.Host.SIMD = simd
					p, err := simt.Lower(k)
					require.NoError(t, err)
					l.Program, l.Policy, l.Workers = p, policy, workers
					got, err := simt.Run(l)
					if refused(err) {
						continue
					}
					require.NoError(t, err)
					got.Elapsed = 0
					if want == nil {
						want = got
					}
					require.Equal(t, want, got, "%s under %s with %d workers and simd %s", test.Name, policy, workers, simd)
				}
			}
		}
	}
}
