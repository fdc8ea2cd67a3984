package driver_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
)

// callTest is a call, with its answer if there is a current context and all its handles are good.
type callTest struct {
	name string
	call func(*driver.Thread) error
	want driver.Result
}

// requireCalls makes every call before Init, without a context, in a destroyed context and in a
// good one.
func requireCalls(t *testing.T, th *driver.Thread, calls []callTest) {
	t.Helper()
	_, early, _ := fresh(knobs.Settings{})
	d, idle, _ := start(t, knobs.Settings{})
	orphan := d.Thread(2)
	ctx := create(t, idle)
	require.NoError(t, orphan.CtxPushCurrent(ctx))
	require.NoError(t, idle.CtxDestroy(ctx))
	for _, c := range calls {
		t.Run(c.name, func(t *testing.T) {
			is(t, driver.ErrNotInitialized, c.call(early), "before Init")
			is(t, driver.ErrInvalidContext, c.call(idle), "without a context")
			is(t, driver.ErrContextIsDestroyed, c.call(orphan), "in a destroyed context")
			is(t, c.want, c.call(th))
		})
	}
}

func TestConfigure(t *testing.T) {
	th, _ := current(t)
	calls := []callTest{
		{"limit", func(th *driver.Thread) error { _, err := th.CtxGetLimit(driver.LimitStackSize); return err }, driver.ErrUnsupportedLimit},
		{"set limit", func(th *driver.Thread) error { return th.CtxSetLimit(driver.LimitPrintfFifoSize, 1<<20) }, driver.ErrUnsupportedLimit},
		{"no limit", func(th *driver.Thread) error { return th.CtxSetLimit(5, 1) }, driver.ErrInvalidValue},
		{"no limit either", func(th *driver.Thread) error { return th.CtxSetLimit(-1, 1) }, driver.ErrInvalidValue},
		{"cache", func(th *driver.Thread) error { return th.CtxSetCacheConfig(driver.CachePreferL1) }, driver.Success},
		{"no cache", func(th *driver.Thread) error { return th.CtxSetCacheConfig(4) }, driver.ErrInvalidValue},
		{"banks", func(th *driver.Thread) error { return th.CtxSetSharedMemConfig(driver.SharedConfigEightByteBankSize) }, driver.Success},
		{"no banks", func(th *driver.Thread) error { return th.CtxSetSharedMemConfig(3) }, driver.ErrInvalidValue},
		{"flags", func(th *driver.Thread) error { _, err := th.CtxGetFlags(); return err }, driver.Success},
		{"priorities", func(th *driver.Thread) error { _, _, err := th.CtxGetStreamPriorityRange(); return err }, driver.Success},
		{"profiler", func(th *driver.Thread) error { return th.ProfilerInitialize(driver.ProfilerCSV) }, driver.Success},
		{"no profiler", func(th *driver.Thread) error { return th.ProfilerInitialize(2) }, driver.ErrInvalidValue},
		{"profile", (*driver.Thread).ProfilerStart, driver.Success},
		{"profile no more", (*driver.Thread).ProfilerStop, driver.Success},
	}
	requireCalls(t, th, calls)

	cache, err := th.CtxGetCacheConfig()
	require.NoError(t, err)
	require.Equal(t, driver.CachePreferNone, cache)
	banks, err := th.CtxGetSharedMemConfig()
	require.NoError(t, err)
	require.Equal(t, driver.SharedConfigFourByteBankSize, banks)
}

func TestFunctionConfigure(t *testing.T) {
	th, _ := current(t)
	f, err := th.ModuleGetFunction(load(t, th, "vecadd_sm10.cubin"), "vecadd")
	require.NoError(t, err)
	require.NoError(t, th.FuncSetCacheConfig(f, driver.CachePreferShared))
	require.NoError(t, th.FuncSetSharedMemConfig(f, driver.SharedConfigFourByteBankSize))
	is(t, driver.ErrInvalidValue, th.FuncSetCacheConfig(f, 9))
	is(t, driver.ErrInvalidValue, th.FuncSetSharedMemConfig(f, 9))
	is(t, driver.ErrInvalidHandle, th.FuncSetCacheConfig(0, driver.CachePreferNone))
	is(t, driver.ErrInvalidHandle, th.FuncSetSharedMemConfig(0, 0))
}

func TestPeers(t *testing.T) {
	_, th, _ := start(t, knobs.Settings{Device: "gtx280,gtx280"})
	yes, err := th.DeviceCanAccessPeer(0, 1)
	require.NoError(t, err)
	require.False(t, yes)
	for _, bad := range [][2]driver.Device{{0, 0}, {0, 2}, {-1, 0}} {
		_, err = th.DeviceCanAccessPeer(bad[0], bad[1])
		is(t, driver.ErrInvalidDevice, err, bad)
	}
	a, b := create(t, th), create(t, th)
	is(t, driver.ErrPeerAccessUnsupported, th.CtxEnablePeerAccess(a, 0))
	is(t, driver.ErrInvalidValue, th.CtxEnablePeerAccess(a, 1))
	is(t, driver.ErrPeerAccessNotEnabled, th.CtxDisablePeerAccess(a))
	for _, bad := range []driver.Context{b, 0, 12345} {
		is(t, driver.ErrInvalidContext, th.CtxEnablePeerAccess(bad, 0), bad)
		is(t, driver.ErrInvalidContext, th.CtxDisablePeerAccess(bad), bad)
	}
}

func TestBusIDs(t *testing.T) {
	_, th, _ := start(t, knobs.Settings{Device: "gtx280,gt240"})
	id, err := th.DeviceGetPCIBusId(1)
	require.NoError(t, err)
	require.Equal(t, "0000:02:00.0", id)
	for id, want := range map[string]driver.Result{
		"0000:02:00.0": 0, "0000:02:00": 0, "02:00.0": 0, "0:2:0.0": 0,
		"0000:03:00.0": driver.ErrInvalidDevice, "0000:02:01.0": driver.ErrInvalidDevice, "0001:02:00.0": driver.ErrInvalidDevice,
		"": driver.ErrInvalidValue, "02:00": driver.ErrInvalidValue, "0:0:2:0.0": driver.ErrInvalidValue, "x:2:0.0": driver.ErrInvalidValue,
		"0000:02:00.": driver.ErrInvalidValue, "99999:02:00.0": driver.ErrInvalidValue,
	} {
		dev, err := th.DeviceGetByPCIBusId(id)
		is(t, want, err, id)
		if want == 0 {
			require.Equal(t, driver.Device(1), dev, id)
		}
	}
	_, err = th.DeviceGetPCIBusId(2)
	is(t, driver.ErrInvalidDevice, err)

	one, err := th.DeviceGetUuid(0)
	require.NoError(t, err)
	two, err := th.DeviceGetUuid(1)
	require.NoError(t, err)
	require.NotEqual(t, one, two)
	_, err = th.DeviceGetUuid(2)
	is(t, driver.ErrInvalidDevice, err)
}

func TestOccupancy(t *testing.T) {
	th, _ := current(t)
	f, err := th.ModuleGetFunction(load(t, th, "vecadd_sm10.cubin"), "vecadd")
	require.NoError(t, err)
	greedy, err := th.ModuleGetFunction(load(t, th, "faults.cubin"), "greedy") // 60 registers
	require.NoError(t, err)
	for _, c := range []struct {
		name    string
		f       driver.Function
		threads int
		shared  uint64
		flags   uint32
		blocks  int
		want    driver.Result
	}{
		{"eight blocks at most", f, 64, 0, 0, 8, 0},
		{"1024 threads", f, 512, 0, 1, 2, 0},
		{"shared memory", f, 64, 7000, 0, 2, 0},
		{"too much shared memory", f, 64, 1 << 40, 0, 0, 0},
		{"registers", greedy, 128, 0, 0, 2, 0},
		{"too many registers", greedy, 512, 0, 0, 0, 0},
		{"too many threads", f, 513, 0, 0, 0, 0},
		{"no threads", f, 0, 0, 0, 0, driver.ErrInvalidValue},
		{"flags", f, 64, 0, 2, 0, driver.ErrInvalidValue},
		{"handle", 0, 64, 0, 0, 0, driver.ErrInvalidHandle},
	} {
		t.Run(c.name, func(t *testing.T) {
			blocks, err := th.OccupancyMaxActiveBlocksPerMultiprocessor(c.f, c.threads, c.shared, c.flags)
			is(t, c.want, err)
			require.Equal(t, c.blocks, blocks)
		})
	}

	none := func(int) uint64 { return 0 }
	grid, block, err := th.OccupancyMaxPotentialBlockSize(f, none, 0, 0)
	require.NoError(t, err)
	require.Equal(t, [2]int{60, 512}, [2]int{grid, block})
	_, block, err = th.OccupancyMaxPotentialBlockSize(f, none, 200, 0)
	require.NoError(t, err)
	require.Equal(t, 128, block, "8 blocks of 128 are more threads than 5 of 192")
	_, block, err = th.OccupancyMaxPotentialBlockSize(f, func(threads int) uint64 { return uint64(threads) * 60 }, 0, 0)
	require.NoError(t, err)
	require.Less(t, block, 300, "the program's function counts")
	_, _, err = th.OccupancyMaxPotentialBlockSize(f, none, -1, 0)
	is(t, driver.ErrInvalidValue, err)
	_, _, err = th.OccupancyMaxPotentialBlockSize(f, none, 0, 2)
	is(t, driver.ErrInvalidValue, err)
	_, _, err = th.OccupancyMaxPotentialBlockSize(0, none, 0, 0)
	is(t, driver.ErrInvalidHandle, err)
}

func TestStreamQueries(t *testing.T) {
	th, _ := current(t)
	s, err := th.StreamCreate(driver.StreamNonBlocking)
	require.NoError(t, err)
	for stream, want := range map[driver.Stream]driver.StreamFlags{0: 0, s: driver.StreamNonBlocking} {
		flags, err := th.StreamGetFlags(stream)
		require.NoError(t, err)
		require.Equal(t, want, flags)
		priority, err := th.StreamGetPriority(stream)
		require.NoError(t, err)
		require.Zero(t, priority)
	}
	e := event(t, th, 0)
	require.NoError(t, th.StreamWaitEvent(s, e, 0), "an event that was not recorded")
	require.NoError(t, th.EventRecord(e, 0))
	require.NoError(t, th.StreamWaitEvent(0, e, 0))
	is(t, driver.ErrInvalidValue, th.StreamWaitEvent(s, e, 1))
	is(t, driver.ErrInvalidHandle, th.StreamWaitEvent(s, 0, 0))
	is(t, driver.ErrInvalidHandle, th.StreamWaitEvent(driver.Stream(e), e, 0))
	_, err = th.StreamGetFlags(driver.Stream(e))
	is(t, driver.ErrInvalidHandle, err)
	_, err = th.StreamGetPriority(12345)
	is(t, driver.ErrInvalidHandle, err)

	create(t, th)
	require.NoError(t, th.StreamWaitEvent(0, e, 0), "an event of another context")
}

func TestCallbacks(t *testing.T) {
	th, _ := current(t)
	s, err := th.StreamCreate(0)
	require.NoError(t, err)
	calls := 0
	inside := func() {
		calls++
		is(t, driver.ErrNotPermitted, th.StreamSynchronize(s))
		_, err := th.DeviceGetCount()
		is(t, driver.ErrNotPermitted, err)
	}
	require.NoError(t, th.StreamAddCallback(s, inside, 0))
	require.NoError(t, th.StreamAddCallback(0, inside, 0))
	require.Equal(t, 2, calls)
	require.NoError(t, th.StreamSynchronize(s), "permitted again")
	is(t, driver.ErrInvalidValue, th.StreamAddCallback(s, inside, 1))
	is(t, driver.ErrInvalidHandle, th.StreamAddCallback(12345, inside, 0))
	require.Equal(t, 2, calls)
}
