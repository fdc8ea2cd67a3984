package driver_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
)

// TestHeapStaysFlat makes and ends many contexts with everything in them.
func TestHeapStaysFlat(t *testing.T) {
	d, _, _ := start(t, knobs.Settings{})
	image := read(t, "variables.cubin")
	rounds := func(n int) {
		for range n {
			th := d.Thread(7)
			create(t, th)
			m, err := th.ModuleLoadData(image)
			require.NoError(t, err)
			f, err := th.ModuleGetFunction(m, "gather")
			require.NoError(t, err)
			ref, err := th.ModuleGetTexRef(m, "image")
			require.NoError(t, err)
			a, err := th.ArrayCreate(driver.ArrayDescriptor{Width: 64, Format: driver.FormatFloat, Channels: 1})
			require.NoError(t, err)
			require.NoError(t, th.TexRefSetArray(ref, a, 0))
			at, err := th.MemHostAlloc(4096, driver.MemHostAllocDeviceMap)
			require.NoError(t, err)
			out, err := th.MemHostGetDevicePointer(at, 0)
			require.NoError(t, err)
			one := [3]uint32{1, 1, 1}
			require.NoError(t, th.LaunchKernel(f, one, one, 0, 0, driver.Arguments{Packed: words(uint32(out))}))
			require.NoError(t, busy(th))
			ctx, err := th.CtxGetCurrent()
			require.NoError(t, err)
			require.NoError(t, th.CtxDestroy(ctx))
			d.EndThread(7)
		}
	}
	heap := func() int {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	rounds(20)
	runtime.GC()
	before := heap()
	const many = 300
	rounds(many)
	// Anything kept of a round would be some hundred bytes at least. The slack is for the runtime
	// and the test itself. Finalizers and goroutines that end take their time, so a heap that is
	// not flat yet is looked at again.
	flat := func() bool { return heap()-before < many*256 }
	require.Eventually(t, flat, time.Minute, 10*time.Millisecond)
	require.Equal(t, driver.Held{Threads: 1}, d.Held(), "the thread that start made")
}
