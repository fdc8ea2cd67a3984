package driver_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
)

// ready returns a thread with a context, for benchmarks.
func ready(b *testing.B, s knobs.Settings) *driver.Thread {
	b.Helper()
	_, th, _ := fresh(s)
	require.NoError(b, th.Init(0))
	_, err := th.CtxCreate(0, 0)
	require.NoError(b, err)
	return th
}

// BenchmarkLaunch launches a kernel that is lowered already. The time includes the kernel's work;
// with one block of two warps it is little more than the cost of the launch itself.
func BenchmarkLaunch(b *testing.B) {
	for _, workers := range []string{"1", "0"} {
		for _, blocks := range []uint32{1, 16, 512} {
			b.Run(fmt.Sprintf("%d blocks/%s workers", blocks, workers), func(b *testing.B) {
				th := ready(b, knobs.Settings{Workers: workers})
				m, err := th.ModuleLoad("testdata/vecadd_sm13.cubin")
				require.NoError(b, err)
				f, err := th.ModuleGetFunction(m, "vecadd")
				require.NoError(b, err)
				var buffers [3]uint32
				for i := range buffers {
					ptr, err := th.MemAlloc(uint64(4 * 64 * blocks))
					require.NoError(b, err)
					buffers[i] = uint32(ptr)
				}
				args := driver.Arguments{Packed: words(buffers[0], buffers[1], buffers[2], 64*blocks)}
				b.ReportAllocs()
				for b.Loop() {
					if err := th.LaunchKernel(f, [3]uint32{blocks, 1, 1}, [3]uint32{64, 1, 1}, 0, 0, args); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkMemcpy copies between program and device, beside Go's own copy. All pages have been
// touched before.
func BenchmarkMemcpy(b *testing.B) {
	for _, size := range []int{4 << 10, 256 << 10, 4 << 20, 64 << 20} {
		x, y := bytes.Repeat([]byte{1}, size), bytes.Repeat([]byte{2}, size)
		for _, workers := range []string{"1", "0"} {
			th := ready(b, knobs.Settings{Workers: workers})
			var buffers [2]driver.DevicePtr
			for i := range buffers {
				var err error
				buffers[i], err = th.MemAlloc(uint64(size))
				require.NoError(b, err)
				require.NoError(b, th.MemcpyHtoD(buffers[i], x))
			}
			for _, c := range []struct {
				name string
				copy func() error
			}{
				{"copy", func() error { copy(y, x); return nil }},
				{"HtoD", func() error { return th.MemcpyHtoD(buffers[0], x) }},
				{"DtoH", func() error { return th.MemcpyDtoH(y, buffers[0]) }},
				{"DtoD", func() error { return th.MemcpyDtoD(buffers[1], buffers[0], uint64(size)) }},
			} {
				b.Run(fmt.Sprintf("%s/%d KB/%s workers", c.name, size>>10, workers), func(b *testing.B) {
					b.SetBytes(int64(size))
					for b.Loop() {
						if err := c.copy(); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}
