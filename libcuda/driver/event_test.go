package driver_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
)

func event(t *testing.T, th *driver.Thread, flags driver.EventFlags) driver.Event {
	t.Helper()
	e, err := th.EventCreate(flags)
	require.NoError(t, err)
	return e
}

func TestEvents(t *testing.T) {
	th, _ := current(t)
	a, b := event(t, th, 0), event(t, th, driver.EventBlockingSync)
	require.NoError(t, th.EventQuery(a), "not recorded is done")
	require.NoError(t, th.EventSynchronize(a))
	_, err := th.EventElapsedTime(a, b)
	is(t, driver.ErrInvalidHandle, err, "neither is recorded")
	require.NoError(t, th.EventRecord(a, 0))
	_, err = th.EventElapsedTime(a, b)
	is(t, driver.ErrInvalidHandle, err, "the second is not recorded")
	require.NoError(t, th.EventRecord(b, 0))
	ms, err := th.EventElapsedTime(a, b)
	require.NoError(t, err)
	require.GreaterOrEqual(t, ms, float32(0))
	back, err := th.EventElapsedTime(b, a)
	require.NoError(t, err)
	require.Equal(t, -ms, back)

	untimed := event(t, th, driver.EventDisableTiming)
	require.NoError(t, th.EventRecord(untimed, 0))
	_, err = th.EventElapsedTime(a, untimed)
	is(t, driver.ErrInvalidHandle, err)

	_, err = th.EventCreate(8)
	is(t, driver.ErrInvalidValue, err)
	_, err = th.EventCreate(driver.EventInterprocess | driver.EventDisableTiming)
	is(t, driver.ErrNotSupported, err)
	require.NoError(t, th.EventDestroy(a))
	is(t, driver.ErrInvalidHandle, th.EventRecord(a, 0))
}

func TestStreams(t *testing.T) {
	th, _ := current(t)
	s, err := th.StreamCreate(1)
	require.NoError(t, err)
	_, err = th.StreamCreate(2)
	is(t, driver.ErrInvalidValue, err)
	require.NoError(t, th.StreamQuery(s))
	require.NoError(t, th.StreamQuery(0))
	require.NoError(t, th.StreamSynchronize(0))
	e := event(t, th, 0)
	require.NoError(t, th.EventRecord(e, s))
	require.NoError(t, th.StreamDestroy(s))
	is(t, driver.ErrInvalidHandle, th.EventRecord(e, s))
}

func TestEventsAndStreamsOfOtherContexts(t *testing.T) {
	th, a := current(t)
	e := event(t, th, 0)
	s, err := th.StreamCreate(0)
	require.NoError(t, err)
	create(t, th)
	is(t, driver.ErrInvalidHandle, th.EventRecord(e, 0), "event and stream differ in context")
	require.NoError(t, th.EventRecord(e, s))
	require.NoError(t, th.EventSynchronize(e))
	require.NoError(t, th.StreamSynchronize(s))
	is(t, driver.ErrInvalidHandle, th.MemcpyHtoDAsync(alloc(t, th, 4), make([]byte, 4), s), "work needs a stream of the current context")
	require.NoError(t, th.CtxSetCurrent(0))
	require.NoError(t, th.CtxSetCurrent(0))
	require.NoError(t, th.EventDestroy(e), "without any current context")
	require.NoError(t, th.CtxDestroy(a))
	require.NoError(t, th.CtxPushCurrent(create(t, th)))
	is(t, driver.ErrInvalidHandle, th.StreamDestroy(s), "gone with its context")
}
