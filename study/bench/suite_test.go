package bench

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The test does not check figures: they depend on the machine.
func TestSuite(t *testing.T) {
	s := Suite{SIMDs: []string{"off"}, Workers: []int{1, 2}, Time: time.Millisecond}
	s.Choose("vecadd", "saxpy")
	var all []*Result
	require.NoError(t, s.Run(func(r *Result) error { all = append(all, r); return nil }))
	require.Len(t, all, 4)
	for i, r := range all {
		require.Equal(t, [...]string{"vecadd", "saxpy"}[i/2], r.Kernel)
		require.Equal(t, 1+i%2, r.Workers)
		require.Equal(t, "off", r.SIMD)
		require.Equal(t, s.Alone == nil, r.Comparison != nil, "compared, or a reason why not")
	}
}

func TestSuiteChoice(t *testing.T) {
	var s Suite
	s.Choose()
	require.Len(t, s.kernels, len(Workloads()))
	require.Len(t, s.classes, len(Classes()))
	require.Len(t, s.costs, 2)
	s = Suite{}
	s.Choose("costs", "nbody")
	require.Len(t, s.kernels, 1)
	require.Equal(t, s.kernels, s.costs)
	require.Empty(t, s.classes)
	s = Suite{}
	s.Choose("costs")
	require.Empty(t, s.kernels)
	require.Len(t, s.costs, 2)
}
