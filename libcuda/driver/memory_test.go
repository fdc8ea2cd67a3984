package driver_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
)

func alloc(t *testing.T, th *driver.Thread, size uint64) driver.DevicePtr {
	t.Helper()
	ptr, err := th.MemAlloc(size)
	require.NoError(t, err)
	require.NotZero(t, ptr)
	require.Zero(t, ptr%256)
	return ptr
}

// fetch returns n bytes of device memory.
func fetch(t *testing.T, th *driver.Thread, ptr driver.DevicePtr, n int) []byte {
	t.Helper()
	b := make([]byte, n)
	require.NoError(t, th.MemcpyDtoH(b, ptr))
	return b
}

func TestAlloc(t *testing.T) {
	th, _ := current(t)
	free, total, err := th.MemGetInfo()
	require.NoError(t, err)
	require.Equal(t, uint64(1073414144), total)
	require.Equal(t, total, free)

	_, err = th.MemAlloc(0)
	is(t, driver.ErrInvalidValue, err)
	for _, size := range []uint64{total + 1, 1 << 32, 1 << 40, ^uint64(0)} {
		_, err = th.MemAlloc(size)
		is(t, driver.ErrOutOfMemory, err, size)
	}
	ptr := alloc(t, th, 1000)
	less, _, err := th.MemGetInfo()
	require.NoError(t, err)
	require.LessOrEqual(t, less, free-1000)
	require.Equal(t, make([]byte, 1000), fetch(t, th, ptr, 1000))

	base, size, err := th.MemGetAddressRange(ptr + 999)
	require.NoError(t, err)
	require.Equal(t, ptr, base)
	require.Equal(t, uint64(1000), size)
	for _, bad := range []driver.DevicePtr{0, ptr + 1000, ptr + 1<<32, ptr - 1} {
		_, _, err = th.MemGetAddressRange(bad)
		is(t, driver.ErrInvalidValue, err, bad)
		if bad != 0 {
			is(t, driver.ErrInvalidValue, th.MemFree(bad), bad)
		}
	}
	is(t, driver.ErrInvalidValue, th.MemFree(ptr+4))
	require.NoError(t, th.MemFree(ptr))
	is(t, driver.ErrInvalidValue, th.MemFree(ptr), "a second time")
	is(t, driver.ErrInvalidValue, th.MemsetD8(ptr, 0, 1), "after it was freed")
	require.NoError(t, th.MemFree(0))
}

// Large blocks have pages of their own, which the system takes back on free.
func TestAllocPages(t *testing.T) {
	_, th, log := start(t, knobs.Settings{})
	ctx := create(t, th)
	for range 3 {
		ptr := alloc(t, th, 8<<20)
		require.NoError(t, th.MemsetD8(ptr, 1, 8<<20))
		require.NoError(t, th.MemFree(ptr))
	}
	alloc(t, th, 8<<20)
	require.NoError(t, th.CtxDestroy(ctx))
	require.Empty(t, log.String())
}

func TestCopies(t *testing.T) {
	th, _ := current(t)
	a, b := alloc(t, th, 64), alloc(t, th, 64)
	data := bytes.Repeat([]byte("jacquard"), 8)
	require.NoError(t, th.MemcpyHtoD(a, data))
	require.NoError(t, th.MemcpyDtoD(b, a, 64))
	require.Equal(t, data, fetch(t, th, b, 64))
	require.NoError(t, th.MemcpyDtoD(b+1, b, 63), "overlapping")
	require.Equal(t, append([]byte("j"), data[:63]...), fetch(t, th, b, 64))

	stream, err := th.StreamCreate(0)
	require.NoError(t, err)
	require.NoError(t, th.MemcpyHtoDAsync(a+8, []byte("loom"), stream))
	require.NoError(t, th.MemcpyDtoDAsync(b, a+8, 4, stream))
	got := make([]byte, 4)
	require.NoError(t, th.MemcpyDtoHAsync(got, b, stream))
	require.NoError(t, th.StreamSynchronize(stream))
	require.Equal(t, "loom", string(got))

	for _, bad := range []driver.DevicePtr{0, a - 1, a + 1, a + 64, 1 << 32, ^driver.DevicePtr(0)} {
		is(t, driver.ErrInvalidValue, th.MemcpyHtoD(bad, data), bad)
		is(t, driver.ErrInvalidValue, th.MemcpyDtoH(make([]byte, 64), bad), bad)
		is(t, driver.ErrInvalidValue, th.MemcpyDtoD(bad, b, 64), bad)
		is(t, driver.ErrInvalidValue, th.MemcpyDtoD(b, bad, 64), bad)
		require.NoError(t, th.MemcpyHtoD(bad, nil), "no bytes may go anywhere")
	}
	is(t, driver.ErrInvalidValue, th.MemcpyDtoD(b, a, ^uint64(0)))
}

func TestMemset(t *testing.T) {
	th, _ := current(t)
	ptr := alloc(t, th, 16)
	require.NoError(t, th.MemsetD8(ptr, 0xab, 16))
	require.NoError(t, th.MemsetD16(ptr+2, 0x1234, 3))
	require.NoError(t, th.MemsetD32(ptr+8, 0xdeadbeef, 1))
	require.Equal(t, []byte{0xab, 0xab, 0x34, 0x12, 0x34, 0x12, 0x34, 0x12, 0xef, 0xbe, 0xad, 0xde, 0xab, 0xab, 0xab, 0xab}, fetch(t, th, ptr, 16))
	require.NoError(t, th.MemsetD32(ptr, 0, 0))
	is(t, driver.ErrInvalidValue, th.MemsetD16(ptr+1, 0, 1))
	is(t, driver.ErrInvalidValue, th.MemsetD32(ptr+2, 0, 1))
	is(t, driver.ErrInvalidValue, th.MemsetD8(ptr, 0, 17))
	is(t, driver.ErrInvalidValue, th.MemsetD16(ptr, 0, 9))
	is(t, driver.ErrInvalidValue, th.MemsetD32(ptr, 0, 5))
	is(t, driver.ErrInvalidValue, th.MemsetD32(ptr, 0, 1<<62+1), "the size in bytes overflows")
}

func TestPitch(t *testing.T) {
	th, _ := current(t)
	for _, c := range []struct{ width, height, pitch uint64 }{{1, 1, 256}, {256, 3, 256}, {257, 2, 512}} {
		ptr, pitch, err := th.MemAllocPitch(c.width, c.height, 4)
		require.NoError(t, err)
		require.Equal(t, c.pitch, pitch)
		_, size, err := th.MemGetAddressRange(ptr)
		require.NoError(t, err)
		require.Equal(t, c.pitch*c.height, size)
		require.NoError(t, th.MemFree(ptr))
	}
	for _, c := range []struct {
		width, height uint64
		element       uint32
		want          driver.Result
	}{
		{0, 1, 4, driver.ErrInvalidValue}, {1, 0, 4, driver.ErrInvalidValue}, {1, 1, 2, driver.ErrInvalidValue},
		{1 << 31, 1, 4, driver.ErrInvalidValue}, {1 << 30, 1 << 40, 4, driver.ErrOutOfMemory}, {1 << 20, 1 << 11, 16, driver.ErrOutOfMemory},
	} {
		_, _, err := th.MemAllocPitch(c.width, c.height, c.element)
		is(t, c.want, err, c)
	}
}

func TestHostMemory(t *testing.T) {
	th, ctx := current(t)
	at, err := th.MemAllocHost(100)
	require.NoError(t, err)
	require.Zero(t, at%4096)
	host := unsafe.Slice((*byte)(pointer(at)), 100)
	copy(host, "thread")
	ptr := alloc(t, th, 100)
	require.NoError(t, th.MemcpyHtoD(ptr, host))
	require.Equal(t, "thread", string(fetch(t, th, ptr, 6)))
	is(t, driver.ErrInvalidValue, th.MemFreeHost(at+1))
	require.NoError(t, th.MemFreeHost(at))
	is(t, driver.ErrInvalidValue, th.MemFreeHost(at))

	for flags, want := range map[uint32]driver.Result{
		driver.MemHostAllocPortable: 0, driver.MemHostAllocWriteCombined: 0,
		driver.MemHostAllocDeviceMap: 0, 8: driver.ErrInvalidValue,
	} {
		_, err := th.MemHostAlloc(100, flags)
		is(t, want, err, flags)
	}
	_, err = th.MemAllocHost(0)
	is(t, driver.ErrInvalidValue, err)
	_, err = th.MemAllocHost(^uint64(0))
	is(t, driver.ErrOutOfMemory, err)
	require.NoError(t, th.CtxDestroy(ctx), "with host memory alive")
}

// pointer converts an address outside Go's memory.
func pointer(at uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&at)) }

// Memory that does not fit is an error line that names the device with more, once.
func TestOutOfMemoryIsSaid(t *testing.T) {
	for _, c := range []struct {
		device, advice string
		size           uint64
	}{
		{"gtx280", "; device c1060 has 4294770688: --device c1060, or JACQUARD_DEVICE=c1060\n", 2 << 30},
		{"gtx280", " of device gtx280\n", 1 << 32},
		{"c1060", " of device c1060\n", 1 << 32},
	} {
		_, th, log := start(t, knobs.Settings{Device: c.device})
		create(t, th)
		for _, size := range []uint64{c.size, 5 << 30, math.MaxUint64} {
			_, err := th.MemAlloc(size)
			is(t, driver.ErrOutOfMemory, err)
		}
		_, err := th.ArrayCreate(driver.ArrayDescriptor{Width: 1 << 16, Height: 1 << 15, Format: driver.FormatFloat, Channels: 4})
		is(t, driver.ErrOutOfMemory, err)
		require.Equal(t, 1, strings.Count(log.String(), "\n"), "one line: %s", log)
		require.True(t, strings.HasPrefix(log.String(), fmt.Sprintf("jacquard: out of device memory: %d bytes asked for, ", c.size)), log.String())
		require.True(t, strings.HasSuffix(log.String(), c.advice), log.String())
	}
}
