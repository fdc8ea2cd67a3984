package driver_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
)

func now(t *testing.T, th *driver.Thread) driver.Context {
	t.Helper()
	ctx, err := th.CtxGetCurrent()
	require.NoError(t, err)
	return ctx
}

func TestContextStack(t *testing.T) {
	_, th, _ := start(t, knobs.Settings{})
	a, b := create(t, th), create(t, th)
	require.NotEqual(t, a, b)
	require.Equal(t, b, now(t, th))
	popped, err := th.CtxPopCurrent()
	require.NoError(t, err)
	require.Equal(t, b, popped)
	require.Equal(t, a, now(t, th))
	require.NoError(t, th.CtxPushCurrent(b))
	require.NoError(t, th.CtxPushCurrent(b), "twice is fine")
	require.NoError(t, th.CtxSetCurrent(a))
	require.Equal(t, a, now(t, th))
	require.NoError(t, th.CtxSetCurrent(0))
	require.Equal(t, b, now(t, th))
	require.NoError(t, th.CtxSetCurrent(0))
	require.NoError(t, th.CtxSetCurrent(0))
	require.Zero(t, now(t, th))
	_, err = th.CtxPopCurrent()
	is(t, driver.ErrInvalidContext, err)
	require.NoError(t, th.CtxSetCurrent(a), "on an empty stack")
	require.Equal(t, a, now(t, th))
}

func TestContextsDieInAnyOrder(t *testing.T) {
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		_, th, _ := start(t, knobs.Settings{})
		ctx := []driver.Context{create(t, th), create(t, th), create(t, th)}
		ptr := make([]driver.DevicePtr, 3)
		for i, c := range ctx {
			require.NoError(t, th.CtxPushCurrent(c))
			var err error
			ptr[i], err = th.MemAlloc(64)
			require.NoError(t, err)
			_, err = th.CtxPopCurrent()
			require.NoError(t, err)
		}
		alive := map[int]bool{0: true, 1: true, 2: true}
		for _, dying := range order {
			require.NoError(t, th.CtxDestroy(ctx[dying]))
			is(t, driver.ErrInvalidContext, th.CtxDestroy(ctx[dying]), "a second time")
			is(t, driver.ErrInvalidContext, th.CtxPushCurrent(ctx[dying]))
			delete(alive, dying)
			for i := range alive {
				require.NoError(t, th.CtxPushCurrent(ctx[i]))
				require.NoError(t, th.MemsetD8(ptr[i], 1, 64))
				_, err := th.CtxPopCurrent()
				require.NoError(t, err)
			}
		}
	}
}

func TestDestroyedContextStaysOnOtherStacks(t *testing.T) {
	d, th, _ := start(t, knobs.Settings{})
	ctx := create(t, th)
	other := d.Thread(2)
	require.NoError(t, other.CtxPushCurrent(ctx))
	stream, err := th.StreamCreate(0)
	require.NoError(t, err)

	require.NoError(t, th.CtxDestroy(ctx))
	require.Zero(t, now(t, th), "popped from the thread that destroyed it")
	is(t, driver.ErrInvalidContext, th.CtxSynchronize())

	is(t, driver.ErrContextIsDestroyed, other.CtxSynchronize())
	_, err = other.MemAlloc(4)
	is(t, driver.ErrContextIsDestroyed, err)
	_, err = other.CtxGetDevice()
	is(t, driver.ErrContextIsDestroyed, err)
	is(t, driver.ErrInvalidHandle, other.StreamSynchronize(stream), "its objects are gone")
	_, err = other.CtxAttach(0)
	is(t, driver.ErrContextIsDestroyed, err)
	popped, err := other.CtxPopCurrent()
	require.NoError(t, err)
	require.Equal(t, ctx, popped)
}

func TestAttachAndDetach(t *testing.T) {
	d, th, _ := start(t, knobs.Settings{Device: "8800gtx,gtx280"})
	_, err := th.CtxAttach(1)
	is(t, driver.ErrInvalidValue, err)
	ctx, err := th.CtxAttach(0)
	require.NoError(t, err, "makes a context, as the runtime library 2.1 wants")
	dev, err := th.CtxGetDevice()
	require.NoError(t, err)
	require.Equal(t, driver.Device(0), dev)
	again, err := th.CtxAttach(0)
	require.NoError(t, err)
	require.Equal(t, ctx, again)

	_, err = th.CtxPopCurrentV1()
	is(t, driver.ErrInvalidContext, err, "attached twice")
	is(t, driver.ErrInvalidContext, th.CtxDestroyV1(ctx), "attached twice")
	is(t, driver.ErrInvalidContext, d.Thread(2).CtxDetach(ctx), "not current there")
	require.NoError(t, th.CtxDetach(ctx))
	require.NoError(t, th.CtxSynchronize())
	require.NoError(t, th.CtxDetach(ctx))
	is(t, driver.ErrInvalidContext, th.CtxSynchronize(), "gone with the last use")
	is(t, driver.ErrInvalidContext, th.CtxDetach(ctx))
}

func TestOldContextsFloat(t *testing.T) {
	d, th, _ := start(t, knobs.Settings{})
	other := d.Thread(2)
	ctx, err := th.CtxCreateV1(0, 0)
	require.NoError(t, err)
	is(t, driver.ErrContextAlreadyCurrent, other.CtxPushCurrentV1(ctx))
	popped, err := th.CtxPopCurrentV1()
	require.NoError(t, err)
	require.Equal(t, ctx, popped)
	require.NoError(t, other.CtxPushCurrentV1(ctx))
	is(t, driver.ErrInvalidContext, th.CtxDestroyV1(ctx), "current to another thread")
	d.EndThread(2)
	require.NoError(t, th.CtxDestroyV1(ctx), "floats since that thread ended")
}

func TestApiVersion(t *testing.T) {
	_, th, _ := start(t, knobs.Settings{})
	old, err := th.CtxCreateV1(0, 0)
	require.NoError(t, err)
	create(t, th)
	for ctx, want := range map[driver.Context]uint32{0: 3020, old: 3010} {
		got, err := th.CtxGetApiVersion(ctx)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err = th.CtxGetApiVersion(77)
	is(t, driver.ErrInvalidContext, err)
}

func TestContextFlags(t *testing.T) {
	_, th, _ := start(t, knobs.Settings{})
	for flags, want := range map[driver.ContextFlags]driver.Result{
		driver.CtxSchedSpin: 0, driver.CtxSchedYield: 0, driver.CtxBlockingSync: 0, driver.CtxMapHost: 0, 0x10: 0,
		3: driver.ErrInvalidValue, 5: driver.ErrInvalidValue, 0x20: driver.ErrInvalidValue,
	} {
		_, err := th.CtxCreate(flags, 0)
		is(t, want, err, "flags %#x", flags)
	}
}
