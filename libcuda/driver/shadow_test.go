package driver_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
)

// host copies n bytes to the program.
func (c *checking) host(from driver.DevicePtr, n int) {
	c.t.Helper()
	require.NoError(c.t, c.MemcpyDtoH(make([]byte, n), from))
}

// vecadd adds n floats.
func (c *checking) vecadd(a, b, sum driver.DevicePtr, n int) {
	c.t.Helper()
	f := function(c.t, c.Thread, "vecadd_sm13.cubin", "vecadd")
	args := driver.Arguments{Packed: words(uint32(a), uint32(b), uint32(sum), uint32(n))}
	require.NoError(c.t, c.LaunchKernel(f, [3]uint32{1, 1, 1}, [3]uint32{32, 1, 1}, 0, 0, args))
}

// Copies, sets and kernels give memory values; the host gets nothing else unseen.
func TestWhatNobodyWrote(t *testing.T) {
	const n = 32
	for _, c := range []struct {
		name  string
		write func(c *checking, a, b driver.DevicePtr)
		found []string
	}{
		{"nothing", func(c *checking, a, b driver.DevicePtr) { c.host(a, 4*n) }, []string{"init output 1"}},
		{"the host", func(c *checking, a, b driver.DevicePtr) {
			require.NoError(t, c.MemcpyHtoD(a, make([]byte, 4*n)))
			c.host(a, 4*n)
			c.host(a, 4*n)
		}, []string{}},
		{"a part", func(c *checking, a, b driver.DevicePtr) {
			require.NoError(t, c.MemsetD8(a, 0, n))
			c.host(a, n)
			c.host(a, n+1)
		}, []string{"init output 1"}},
		{"a copy of a copy", func(c *checking, a, b driver.DevicePtr) {
			require.NoError(t, c.MemcpyDtoD(a, b, 4*n))
			require.NoError(t, c.MemsetD32(b, 0, n))
			c.host(b, 4*n)
			c.host(a, 4*n)
		}, []string{"init output 1"}},
		{"freed and allocated again", func(c *checking, a, b driver.DevicePtr) {
			require.NoError(t, c.MemsetD32(a, 0, n))
			require.NoError(t, c.MemFree(a))
			c.host(alloc(t, c.Thread, 4*n), 4*n)
		}, []string{"init output 1"}},
		{"rows", func(c *checking, a, b driver.DevicePtr) {
			device := driver.CopySide{Type: driver.MemoryDevice, Device: a, Pitch: 16}
			other := driver.CopySide{Type: driver.MemoryDevice, Device: b, Pitch: 16}
			require.NoError(t, c.MemsetD2D8(a, 16, 0, 8, 4, 0))
			require.NoError(t, c.Memcpy2D(driver.Copy{Src: device, Dst: other, Width: 8, Height: 4}))
			for y := range driver.DevicePtr(4) {
				c.host(b+16*y, 8)
			}
			at, _ := c.pinned(64)
			host := driver.CopySide{Type: driver.MemoryHost, Host: at, Pitch: 16}
			require.NoError(t, c.Memcpy2D(driver.Copy{Src: other, Dst: host, Width: 8, Height: 4}))
			require.NoError(t, c.Memcpy2D(driver.Copy{Src: other, Dst: host, Width: 9, Height: 4}))
		}, []string{"init output 1"}},
		{"a kernel", func(c *checking, a, b driver.DevicePtr) {
			require.NoError(t, c.MemsetD32(a, 0, n))
			require.NoError(t, c.MemcpyHtoD(b, make([]byte, 4*n)))
			sum := alloc(t, c.Thread, 4*n)
			c.vecadd(a, b, sum, n)
			c.host(sum, 4*n)
		}, []string{}},
		{"a kernel without input", func(c *checking, a, b driver.DevicePtr) {
			require.NoError(t, c.MemsetD32(a, 0, n))
			sum := alloc(t, c.Thread, 4*n)
			c.vecadd(a, b, sum, n)
			c.host(sum, 4*n)
		}, []string{"init output 1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := checked(t, "init")
			c.write(p, alloc(t, p.Thread, 4*n), alloc(t, p.Thread, 4*n))
			require.Equal(t, c.found, p.found())
		})
	}
}

// A context that is emptied has forgotten its memory.
func TestShadowOfReset(t *testing.T) {
	c := checked(t, "init")
	a := alloc(t, c.Thread, 64)
	require.NoError(t, c.MemsetD8(a, 0, 64))
	ctx := create(t, c.Thread)
	b := alloc(t, c.Thread, 64)
	require.Equal(t, a, b)
	require.NoError(t, c.CtxDestroy(ctx))
	c.host(a, 64)
	require.Empty(t, c.found())
}
