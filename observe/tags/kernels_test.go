package tags_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/observe/tags"
	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/study/kerneltest"
)

// launch returns the launch of a test.
func launch(t *testing.T, test *kerneltest.Test, build *kerneltest.Build) *simt.Launch {
	t.Helper()
	img, err := test.Image(build)
	require.NoError(t, err)
	p, err := load.Program(build.Arch, img.Kernel(test.Name), simt.Host{})
	require.NoError(t, err)
	l := &simt.Launch{Program: p, Grid: test.Grid, Block: test.Block, Global: mem.NewSpace(1 << 24)}
	l.Params = test.ParamBlock(func(i int) uint32 {
		at, err := l.Global.Alloc(uint64(len(test.Params[i].Init)))
		require.NoError(t, err)
		copy(l.Global.Reach(at), test.Params[i].Init)
		return at
	})
	return l
}

// Registers of compiled kernels agree with their tags; the counts of operands do not depend on the
// number of workers.
func TestKernels(t *testing.T) {
	files, err := filepath.Glob("../../testdata/mesa-kernels/*/test.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var sum simt.Operands
	for _, file := range files {
		test, err := kerneltest.Load(file)
		require.NoError(t, err)
		build := &test.Builds[len(test.Builds)-1]
		for _, policy := range []string{"nvidia", "stackless", "dwf", "nvidia:warp=8", "tbc:warp=4"} {
			l := launch(t, test, build)
			c := newChecker(l)
			l.Policy, l.Observer = policy, c
			_, err := simt.Run(l)
			if refused := (*branch.RefusedError)(nil); errors.As(err, &refused) {
				continue
			}
			require.NoError(t, err)
			require.NoError(t, c.wrong, "%s under %s", test.Name, policy)
			for _, workers := range []int{1, 3} {
				l := launch(t, test, build)
				l.Policy, l.Workers = policy, workers
				r := tags.Attach(l)
				s, err := simt.Run(l)
				require.NoError(t, err)
				r.Count(s)
				for i := range s.ByInstruction {
					require.Equal(t, c.counts[i], s.ByInstruction[i].Operands, "%s under %s, instruction %d", test.Name, policy, i)
					sum.Add(&c.counts[i], 1)
				}
			}
			if policy == "nvidia" {
				var k simt.Operands
				for i := range c.counts {
					k.Add(&c.counts[i], 1)
				}
				t.Logf("%s: of %d reads %d uniform, %d affine; of %d writes %d and %d", test.Name, k.Reads, k.ReadsUniform, k.ReadsAffine, k.Writes, k.WritesUniform, k.WritesAffine)
			}
		}
	}
	require.NotZero(t, sum.ReadsUniform)
	require.NotZero(t, sum.WritesAffine)
}
