package driver_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
)

func array(t *testing.T, th *driver.Thread, desc driver.ArrayDescriptor) driver.Array {
	t.Helper()
	a, err := th.Array3DCreate(desc)
	require.NoError(t, err)
	require.NotZero(t, a)
	return a
}

func TestArrays(t *testing.T) {
	th, _ := current(t)
	free, _, err := th.MemGetInfo()
	require.NoError(t, err)
	desc := driver.ArrayDescriptor{Width: 5, Height: 3, Depth: 2, Format: driver.FormatFloat, Channels: 4}
	a := array(t, th, desc)
	got, err := th.Array3DGetDescriptor(a)
	require.NoError(t, err)
	require.Equal(t, desc, got)
	got, err = th.ArrayGetDescriptor(a)
	require.NoError(t, err)
	desc.Depth = 0
	require.Equal(t, desc, got)
	less, _, err := th.MemGetInfo()
	require.NoError(t, err)
	require.Less(t, less, free)
	data := bytes.Repeat([]byte{9}, 5*3*2*16)
	require.NoError(t, th.MemcpyAtoH(data, a, 0))
	require.Equal(t, make([]byte, len(data)), data, "zeros")

	require.NoError(t, th.ArrayDestroy(a))
	is(t, driver.ErrInvalidHandle, th.ArrayDestroy(a))
	again, _, err := th.MemGetInfo()
	require.NoError(t, err)
	require.Equal(t, free, again)
}

func TestArrayShapes(t *testing.T) {
	th, _ := current(t)
	for _, c := range []struct {
		name string
		desc driver.ArrayDescriptor
		want driver.Result
	}{
		{"line", driver.ArrayDescriptor{Width: 8192, Format: driver.FormatFloat, Channels: 1}, 0},
		{"long line", driver.ArrayDescriptor{Width: 8193, Format: driver.FormatFloat, Channels: 1}, 1},
		{"plane", driver.ArrayDescriptor{Width: 65536, Height: 1, Format: driver.FormatUnsignedInt8, Channels: 2}, 0},
		{"wide plane", driver.ArrayDescriptor{Width: 65537, Height: 1, Format: driver.FormatUnsignedInt8, Channels: 2}, 1},
		{"high plane", driver.ArrayDescriptor{Width: 1, Height: 32769, Format: driver.FormatUnsignedInt8, Channels: 2}, 1},
		{"volume", driver.ArrayDescriptor{Width: 2048, Height: 1, Depth: 1, Format: driver.FormatHalf, Channels: 4}, 0},
		{"deep volume", driver.ArrayDescriptor{Width: 1, Height: 1, Depth: 2049, Format: driver.FormatHalf, Channels: 4}, 1},
		{"volume without height", driver.ArrayDescriptor{Width: 1, Depth: 2, Format: driver.FormatHalf, Channels: 4}, 1},
		{"layers", driver.ArrayDescriptor{Width: 8192, Depth: 512, Format: driver.FormatSignedInt8, Channels: 1, Flags: driver.Array3dLayered}, 0},
		{"layered planes", driver.ArrayDescriptor{Width: 2, Height: 2, Depth: 512, Format: driver.FormatSignedInt8, Channels: 1, Flags: driver.Array3dLayered}, 0},
		{"too many layers", driver.ArrayDescriptor{Width: 2, Height: 2, Depth: 513, Format: driver.FormatSignedInt8, Channels: 1, Flags: driver.Array3dLayered}, 1},
		{"no layers", driver.ArrayDescriptor{Width: 2, Height: 2, Format: driver.FormatSignedInt8, Channels: 1, Flags: driver.Array3dLayered}, 1},
		{"surface", driver.ArrayDescriptor{Width: 2, Format: driver.FormatFloat, Channels: 1, Flags: driver.Array3dSurfaceLdst}, 1},
		{"cube", driver.ArrayDescriptor{Width: 2, Height: 2, Depth: 6, Format: driver.FormatFloat, Channels: 1, Flags: driver.Array3dCubemap}, 1},
		{"nothing", driver.ArrayDescriptor{Format: driver.FormatFloat, Channels: 1}, 1},
		{"three channels", driver.ArrayDescriptor{Width: 2, Format: driver.FormatFloat, Channels: 3}, 1},
		{"no format", driver.ArrayDescriptor{Width: 2, Format: 4, Channels: 1}, 1},
		{"no such format", driver.ArrayDescriptor{Width: 2, Format: 257, Channels: 1}, 1},
		{"out of memory", driver.ArrayDescriptor{Width: 2048, Height: 2048, Depth: 2048, Format: driver.FormatFloat, Channels: 4}, driver.ErrOutOfMemory},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := th.Array3DCreate(c.desc)
			is(t, c.want, err)
			if err == nil {
				require.NoError(t, th.ArrayDestroy(a))
			}
		})
	}
	a, err := th.ArrayCreate(driver.ArrayDescriptor{Width: 4, Height: 4, Depth: 99, Flags: 99, Format: driver.FormatFloat, Channels: 1})
	require.NoError(t, err, "of no account for two dimensions")
	require.NoError(t, th.ArrayDestroy(a))
}

func TestArrayErrors(t *testing.T) {
	th, _ := current(t)
	desc := driver.ArrayDescriptor{Width: 4, Format: driver.FormatFloat, Channels: 1}
	elsewhere := array(t, th, desc)
	create(t, th)
	here := array(t, th, desc)
	event := event(t, th, 0)
	ptr := alloc(t, th, 16)
	requireCalls(t, th, []callTest{
		{"create", func(th *driver.Thread) error { _, err := th.ArrayCreate(desc); return err }, 0},
		{"descriptor", func(th *driver.Thread) error { _, err := th.ArrayGetDescriptor(here); return err }, 0},
		{"other context", func(th *driver.Thread) error { return th.ArrayDestroy(elsewhere) }, driver.ErrInvalidHandle},
		{"other kind", func(th *driver.Thread) error { return th.ArrayDestroy(driver.Array(event)) }, driver.ErrInvalidHandle},
		{"copy from other context", func(th *driver.Thread) error { return th.MemcpyAtoA(here, 0, elsewhere, 0, 4) }, driver.ErrInvalidHandle},
		{"host", func(th *driver.Thread) error { return th.MemcpyHtoA(here, 8, make([]byte, 8)) }, 0},
		{"beyond", func(th *driver.Thread) error { return th.MemcpyHtoA(here, 12, make([]byte, 8)) }, driver.ErrInvalidValue},
		{"far beyond", func(th *driver.Thread) error { return th.MemcpyAtoH(make([]byte, 8), here, ^uint64(0)) }, driver.ErrInvalidValue},
		{"device", func(th *driver.Thread) error { return th.MemcpyDtoA(here, 0, ptr, 16) }, 0},
		{"to device", func(th *driver.Thread) error { return th.MemcpyAtoD(ptr, here, 0, 16) }, 0},
		{"device beyond", func(th *driver.Thread) error { return th.MemcpyDtoA(here, 0, ptr, 17) }, driver.ErrInvalidValue},
		{"to device beyond", func(th *driver.Thread) error { return th.MemcpyAtoD(ptr+4, here, 0, 16) }, driver.ErrInvalidValue},
		{"stream", func(th *driver.Thread) error { return th.MemcpyHtoAAsync(here, 0, nil, 12345) }, driver.ErrInvalidHandle},
	})
	wide := array(t, th, driver.ArrayDescriptor{Width: 4, Format: driver.FormatFloat, Channels: 2})
	is(t, driver.ErrInvalidValue, th.MemcpyAtoA(wide, 0, here, 0, 8), "elements of different sizes")
}

func TestArrayBytes(t *testing.T) {
	th, _ := current(t)
	a := array(t, th, driver.ArrayDescriptor{Width: 16, Format: driver.FormatUnsignedInt8, Channels: 1})
	b := array(t, th, driver.ArrayDescriptor{Width: 16, Format: driver.FormatSignedInt8, Channels: 1})
	ptr := alloc(t, th, 16)
	require.NoError(t, th.MemcpyHtoA(a, 2, []byte("loom")))
	require.NoError(t, th.MemcpyAtoA(b, 0, a, 3, 3))
	require.NoError(t, th.MemcpyAtoA(b, 1, b, 0, 3), "within one")
	require.NoError(t, th.MemcpyAtoD(ptr+4, b, 0, 4))
	require.NoError(t, th.MemcpyDtoA(a, 10, ptr+4, 4))
	got := make([]byte, 16)
	require.NoError(t, th.MemcpyAtoH(got, a, 0))
	require.Equal(t, "\x00\x00loom\x00\x00\x00\x00ooom\x00\x00", string(got))
	require.NoError(t, th.Memcpy(ptr, ptr+4, 4))
	require.NoError(t, th.MemcpyAsync(ptr+8, ptr, 2, 0))
	require.Equal(t, "ooomooomoo", string(fetch(t, th, ptr, 10)))
}
