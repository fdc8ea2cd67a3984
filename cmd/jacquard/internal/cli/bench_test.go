package cli

import (
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
	"jacquard/simt/bench"
	"jacquard/tesla"
)

// measure runs the benchmark briefly and returns its results.
func measure(t *testing.T, b *benchmark, names ...string) (all []*bench.Result) {
	t.Helper()
	require.NoError(t, b.choose(names))
	require.NoError(t, b.run(&cobra.Command{}, func(r *bench.Result) error { all = append(all, r); return nil }))
	return all
}

// The figures are not checked: they depend on the machine. That they come from real
// launches is bench's test.
func TestBench(t *testing.T) {
	b := &benchmark{simds: []string{"off"}, workers: []int{1, 2}, time: time.Millisecond}
	all := measure(t, b, "vecadd", "saxpy")
	require.Len(t, all, 4)
	for i, r := range all {
		require.Equal(t, [...]string{"vecadd", "saxpy"}[i/2], r.Kernel)
		require.Equal(t, 1+i%2, r.Workers)
		require.Equal(t, "off", r.SIMD)
		require.Equal(t, b.why == nil, r.Comparison != nil, "compared, or a reason why not")
	}
}

func TestBenchChoice(t *testing.T) {
	var b benchmark
	require.NoError(t, b.choose(nil))
	require.Len(t, b.kernels, len(bench.Workloads()))
	require.Len(t, b.classes, len(bench.Classes()))
	require.Len(t, b.costs, 2)
	b = benchmark{}
	require.NoError(t, b.choose([]string{"costs", "nbody"}))
	require.Len(t, b.kernels, 1)
	require.Equal(t, b.kernels, b.costs)
	require.Empty(t, b.classes)
	b = benchmark{}
	require.NoError(t, b.choose([]string{"costs"}))
	require.Empty(t, b.kernels)
	require.Len(t, b.costs, 2)
	require.ErrorContains(t, b.choose([]string{"frob"}), `no benchmark is called "frob": want vecadd, `)
}

// Each board runs builds for its target, and is not of a later one.
func TestBoards(t *testing.T) {
	for _, a := range tesla.Archs {
		th := driver.New(driver.Config{Settings: knobs.Settings{Device: boards[a]}}).Thread(1)
		require.NoError(t, th.Init(0))
		major, minor, err := th.DeviceComputeCapability(0)
		require.NoError(t, err)
		require.Equal(t, [2]int{1, int(a)}, [2]int{major, minor})
	}
}
