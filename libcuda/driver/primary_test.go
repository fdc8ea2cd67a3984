package driver_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
)

// state returns DevicePrimaryCtxGetState's answer for device 0.
func state(t *testing.T, th *driver.Thread) (driver.ContextFlags, bool) {
	t.Helper()
	flags, active, err := th.DevicePrimaryCtxGetState(0)
	require.NoError(t, err)
	return flags, active
}

func TestPrimaryContext(t *testing.T) {
	_, th, _ := start(t, knobs.Settings{})
	require.NoError(t, th.DevicePrimaryCtxSetFlags(0, driver.CtxSchedYield))
	flags, active := state(t, th)
	require.Equal(t, driver.CtxSchedYield, flags)
	require.False(t, active)
	is(t, driver.ErrInvalidContext, th.DevicePrimaryCtxRelease(0), "nobody retains it")

	ctx, err := th.DevicePrimaryCtxRetain(0)
	require.NoError(t, err)
	again, err := th.DevicePrimaryCtxRetain(0)
	require.NoError(t, err)
	require.Equal(t, ctx, again)
	_, active = state(t, th)
	require.True(t, active)
	current, err := th.CtxGetCurrent()
	require.NoError(t, err)
	require.Zero(t, current, "retaining makes nothing current")
	is(t, driver.ErrPrimaryContextActive, th.DevicePrimaryCtxSetFlags(0, 0))

	require.NoError(t, th.CtxPushCurrent(ctx))
	got, err := th.CtxGetFlags()
	require.NoError(t, err)
	require.Equal(t, driver.CtxSchedYield, got)
	ptr := alloc(t, th, 16)
	is(t, driver.ErrInvalidContext, th.CtxDestroy(ctx), "it is released, not destroyed")
	require.NoError(t, th.DevicePrimaryCtxRelease(0))
	require.NoError(t, th.MemsetD8(ptr, 0, 16), "retained once more")
	require.NoError(t, th.DevicePrimaryCtxRelease(0))
	_, active = state(t, th)
	require.False(t, active)
	is(t, driver.ErrInvalidContext, th.MemsetD8(ptr, 0, 16), "popped with its end")
	is(t, driver.ErrInvalidContext, th.CtxPushCurrent(ctx))
}

func TestPrimaryContextReset(t *testing.T) {
	d, th, _ := start(t, knobs.Settings{})
	require.NoError(t, th.DevicePrimaryCtxReset(0), "nothing to reset")
	ctx, err := th.DevicePrimaryCtxRetain(0)
	require.NoError(t, err)
	other := d.Thread(2)
	require.NoError(t, other.CtxSetCurrent(ctx))
	require.NoError(t, th.DevicePrimaryCtxReset(0))
	_, err = other.MemAlloc(16)
	is(t, driver.ErrContextIsDestroyed, err)
	next, err := th.DevicePrimaryCtxRetain(0)
	require.NoError(t, err)
	require.NotEqual(t, ctx, next)
	require.NoError(t, th.CtxPushCurrent(next))
	require.NoError(t, th.DevicePrimaryCtxRelease(0), "the reset released nothing")
	require.NoError(t, th.CtxDetach(next), "the last use")
	_, active := state(t, th)
	require.False(t, active)
	is(t, driver.ErrInvalidContext, th.DevicePrimaryCtxRelease(0))

	_, err = th.DevicePrimaryCtxRetain(0)
	require.NoError(t, err)
	require.NoError(t, th.DevicePrimaryCtxReset(0))
	require.NoError(t, th.DevicePrimaryCtxRelease(0), "also while there is no context")
	is(t, driver.ErrInvalidContext, th.DevicePrimaryCtxRelease(0))
}

func TestPrimaryContextErrors(t *testing.T) {
	_, early, _ := fresh(knobs.Settings{})
	_, th, _ := start(t, knobs.Settings{})
	for _, c := range []struct {
		name string
		call func(*driver.Thread, driver.Device) error
	}{
		{"retain", func(th *driver.Thread, dev driver.Device) error { _, err := th.DevicePrimaryCtxRetain(dev); return err }},
		{"release", (*driver.Thread).DevicePrimaryCtxRelease},
		{"reset", (*driver.Thread).DevicePrimaryCtxReset},
		{"flags", func(th *driver.Thread, dev driver.Device) error { return th.DevicePrimaryCtxSetFlags(dev, 0) }},
		{"state", func(th *driver.Thread, dev driver.Device) error {
			_, _, err := th.DevicePrimaryCtxGetState(dev)
			return err
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			is(t, driver.ErrNotInitialized, c.call(early, 0))
			is(t, driver.ErrInvalidDevice, c.call(th, 1))
			is(t, driver.ErrInvalidDevice, c.call(th, -1))
		})
	}
	is(t, driver.ErrInvalidValue, th.DevicePrimaryCtxSetFlags(0, 3))
	is(t, driver.ErrInvalidValue, th.DevicePrimaryCtxSetFlags(0, 64))
}

// TestFreeWithoutCurrentContext checks that, without a current context, memory of a primary context
// can be freed and memory of another cannot.
func TestFreeWithoutCurrentContext(t *testing.T) {
	_, th, _ := start(t, knobs.Settings{})
	primary, err := th.DevicePrimaryCtxRetain(0)
	require.NoError(t, err)
	other := create(t, th)
	ofOther, err := th.MemAlloc(1 << 20)
	require.NoError(t, err)
	hostOfOther, err := th.MemAllocHost(64)
	require.NoError(t, err)
	require.NoError(t, th.CtxSetCurrent(primary))
	small, err := th.MemAlloc(64)
	require.NoError(t, err)
	ptr, err := th.MemAlloc(64)
	require.NoError(t, err)
	host, err := th.MemAllocHost(64)
	require.NoError(t, err)
	require.NoError(t, th.CtxSetCurrent(0))

	require.NoError(t, th.MemFree(ptr))
	is(t, driver.ErrInvalidContext, th.MemFree(ptr), "freed")
	is(t, driver.ErrInvalidContext, th.MemFree(small+4), "not the beginning")
	require.NoError(t, th.MemFreeHost(host))
	is(t, driver.ErrInvalidContext, th.MemFreeHost(host), "freed")
	is(t, driver.ErrInvalidContext, th.MemFreeHost(hostOfOther), "not of a primary context")
	require.NoError(t, th.CtxSetCurrent(other))
	require.NoError(t, th.MemFree(ofOther))
}
