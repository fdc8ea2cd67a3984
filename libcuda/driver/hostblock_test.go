package driver

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHostBlockEndsAfterItsMapping frees mapped memory while another thread empties the context of
// the mapping.
func TestHostBlockEndsAfterItsMapping(t *testing.T) {
	d := New(Config{Output: io.Discard})
	th := d.Thread(1)
	require.NoError(t, th.Init(0))
	_, err := th.CtxCreate(0, 0)
	require.NoError(t, err)
	owner, err := th.current()
	require.NoError(t, err)
	at, err := th.MemHostAlloc(4096, MemHostAllocPortable|MemHostAllocDeviceMap)
	require.NoError(t, err)
	other, err := th.CtxCreate(0, 0)
	require.NoError(t, err)
	_, err = th.MemHostGetDevicePointer(at, 0)
	require.NoError(t, err)

	b, err := d.host.take(at, func(*hostBlock) error { return nil })
	require.NoError(t, err)
	require.NoError(t, th.EndRuntimeContext(other))
	ptr, err := th.MemAlloc(4096)
	require.NoError(t, err)
	require.NoError(t, b.end())
	require.NoError(t, th.MemsetD8(ptr, 1, 4096), "where the mapping was there is other memory now")
	require.Equal(t, owner, b.owner)
}
