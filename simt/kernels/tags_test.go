package kernels

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin/job"
	"jacquard/simt"
	"jacquard/simt/tags"
)

// Registers of compiled kernels are what their tags say; what is counted of operands is the same
// for several workers.
func TestTags(t *testing.T) {
	files, err := filepath.Glob("../../testdata/mesa-kernels/*/test.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var sum simt.Operands
	for _, file := range files {
		test, err := job.Load(file)
		require.NoError(t, err)
		build := &test.Builds[len(test.Builds)-1]
		for _, policy := range []string{"nvidia", "stackless", "dwf"} {
			l, _ := mesaLaunch(t, test, build, build.Arch)
			c := tags.NewChecker(l)
			l.Policy, l.Observer = policy, c
			_, err := simt.Run(l)
			if refused(err) {
				continue
			}
			require.NoError(t, err)
			require.NoError(t, c.Wrong, "%s under %s", test.Name, policy)
			for _, workers := range []int{1, 3} {
				l, _ := mesaLaunch(t, test, build, build.Arch)
				l.Policy, l.Workers = policy, workers
				r := tags.Attach(l)
				s, err := simt.Run(l)
				require.NoError(t, err)
				r.Count(s)
				for i := range s.ByInstruction {
					require.Equal(t, c.Counts[i], s.ByInstruction[i].Operands, "%s under %s, instruction %d", test.Name, policy, i)
					sum.Add(&c.Counts[i], 1)
				}
			}
			if policy == "nvidia" {
				var k simt.Operands
				for i := range c.Counts {
					k.Add(&c.Counts[i], 1)
				}
				t.Logf("%s: of %d reads %d uniform, %d affine; of %d writes %d and %d", test.Name, k.Reads, k.ReadsUniform, k.ReadsAffine, k.Writes, k.WritesUniform, k.WritesAffine)
			}
		}
	}
	require.NotZero(t, sum.ReadsUniform)
	require.NotZero(t, sum.WritesAffine)
}
