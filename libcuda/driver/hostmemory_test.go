package driver_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
)

// kernelOf returns a kernel of textures.cubin.
func kernelOf(t *testing.T, th *driver.Thread, name string) driver.Function {
	t.Helper()
	f, err := th.ModuleGetFunction(load(t, th, "textures.cubin"), name)
	require.NoError(t, err)
	require.NoError(t, th.FuncSetBlockShape(f, 1, 1, 1))
	return f
}

// increment has a kernel add 1 to the word at ptr.
func increment(t *testing.T, th *driver.Thread, ptr driver.DevicePtr) error {
	t.Helper()
	f := kernelOf(t, th, "increment")
	require.NoError(t, th.ParamSeti(f, 0, uint32(ptr)))
	require.NoError(t, th.ParamSetSize(f, 4))
	require.NoError(t, th.Launch(f))
	return th.CtxSynchronize()
}

// word is the host's word at an address outside Go's memory.
func word(at uintptr) *uint32 { return (*uint32)(pointer(at)) }

// A kernel that comes to memory which the program has taken away, or may only read, ends its call
// alone: the context goes on, and every file has the launch.
func TestLostHostMemory(t *testing.T) {
	for name, protection := range map[string]int{"read-only": syscall.PROT_READ, "gone": syscall.PROT_NONE} {
		t.Run(name, func(t *testing.T) {
			defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
			folder := t.TempDir()
			record, summary := filepath.Join(folder, "x.jqb"), filepath.Join(folder, "summary")
			d, th, log := start(t, knobs.Settings{Record: record, Summary: summary})
			create(t, th)
			good := alloc(t, th, 4)
			require.NoError(t, th.MemsetD32(good, 40, 1))
			page, err := syscall.Mmap(-1, 0, 4096, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
			require.NoError(t, err)
			defer func() { require.NoError(t, syscall.Munmap(page)) }()
			at := uintptr(unsafe.Pointer(&page[0]))
			require.NoError(t, th.MemHostRegister(at, 4096, driver.MemHostRegisterDeviceMap))
			lost, err := th.MemHostGetDevicePointer(at, 0)
			require.NoError(t, err)
			f := kernelOf(t, th, "increment")
			require.NoError(t, th.ParamSetSize(f, 4))

			require.NoError(t, increment(t, th, good))
			require.NoError(t, syscall.Mprotect(page, protection))
			require.NoError(t, th.ParamSeti(f, 0, uint32(lost)))
			is(t, driver.ErrInvalidValue, th.Launch(f))
			require.Contains(t, log.String(), "kernel increment: host address "+fmt.Sprintf("%#x", at)+", given by the program, cannot be accessed")
			require.NoError(t, increment(t, th, good))
			require.Equal(t, words(42), fetch(t, th, good, 4))
			d.End()
			requireLaunches(t, record, 3)
			text, err := os.ReadFile(summary)
			require.NoError(t, err)
			require.Equal(t, 3, strings.Count(string(text), `"event":"launch"`))
		})
	}
}

func TestMappedMemory(t *testing.T) {
	th, _ := current(t)
	free, _, err := th.MemGetInfo()
	require.NoError(t, err)
	at, err := th.MemHostAlloc(100, driver.MemHostAllocDeviceMap|driver.MemHostAllocWriteCombined)
	require.NoError(t, err)
	flags, err := th.MemHostGetFlags(at + 99)
	require.NoError(t, err)
	require.Equal(t, uint32(driver.MemHostAllocDeviceMap|driver.MemHostAllocWriteCombined), flags)
	ptr, err := th.MemHostGetDevicePointer(at, 0)
	require.NoError(t, err)
	inside, err := th.MemHostGetDevicePointer(at+4, 0)
	require.NoError(t, err)
	require.Equal(t, ptr+4, inside)

	*word(at + 4) = 41
	require.NoError(t, increment(t, th, ptr+4))
	require.Equal(t, uint32(42), *word(at + 4))
	require.NoError(t, th.MemsetD32(ptr+8, 7, 1))
	require.Equal(t, uint32(7), *word(at + 8))
	after, _, err := th.MemGetInfo()
	require.NoError(t, err)
	require.Equal(t, free, after, "it is not the device's memory")
	is(t, driver.ErrInvalidValue, th.MemFree(ptr), "nor to be freed as such")

	require.NoError(t, th.MemFreeHost(at))
	is(t, driver.ErrInvalidValue, th.MemsetD32(ptr, 7, 1))
	is(t, driver.ErrIllegalAddress, increment(t, th, ptr))
}

func TestMappedMemoryErrors(t *testing.T) {
	th, _ := current(t)
	plain, err := th.MemAllocHost(16)
	require.NoError(t, err)
	mapped, err := th.MemHostAlloc(16, driver.MemHostAllocDeviceMap)
	require.NoError(t, err)
	requireCalls(t, th, []callTest{
		{"plain", func(th *driver.Thread) error { _, err := th.MemHostGetDevicePointer(plain, 0); return err }, driver.ErrInvalidValue},
		{"flags", func(th *driver.Thread) error { _, err := th.MemHostGetDevicePointer(mapped, 1); return err }, driver.ErrInvalidValue},
		{"NULL", func(th *driver.Thread) error { _, err := th.MemHostGetDevicePointer(0, 0); return err }, driver.ErrInvalidValue},
		{"beyond", func(th *driver.Thread) error { _, err := th.MemHostGetDevicePointer(mapped+16, 0); return err }, driver.ErrInvalidValue},
		{"flags of nothing", func(th *driver.Thread) error { _, err := th.MemHostGetFlags(1); return err }, driver.ErrInvalidValue},
		{"free in the middle", func(th *driver.Thread) error { return th.MemFreeHost(mapped + 4) }, driver.ErrInvalidValue},
		{"unregister", func(th *driver.Thread) error { return th.MemHostUnregister(mapped) }, driver.ErrHostMemoryNotRegistered},
		{"allocated already", func(th *driver.Thread) error { return th.MemHostRegister(mapped+4, 4, 0) }, driver.ErrHostMemoryAlreadyRegistered},
		{"allocate too much", func(th *driver.Thread) error { _, err := th.MemHostAlloc(1<<62, 0); return err }, driver.ErrOutOfMemory},
		{"register NULL", func(th *driver.Thread) error { return th.MemHostRegister(0, 4, 0) }, driver.ErrInvalidValue},
		{"register nothing", func(th *driver.Thread) error { return th.MemHostRegister(plain, 0, 0) }, driver.ErrInvalidValue},
		{"register too much", func(th *driver.Thread) error { return th.MemHostRegister(plain, 1<<60, 0) }, driver.ErrInvalidValue},
		{"register all there is", func(th *driver.Thread) error { return th.MemHostRegister(plain, math.MaxUint64, 0) }, driver.ErrInvalidValue},
		{"register past the end", func(th *driver.Thread) error { return th.MemHostRegister(math.MaxUint-4095, 1<<32, 0) }, driver.ErrInvalidValue},
		{"register with flags", func(th *driver.Thread) error { return th.MemHostRegister(plain, 4, 4) }, driver.ErrInvalidValue},
	})
	create(t, th)
	is(t, driver.ErrInvalidValue, th.MemFreeHost(mapped), "another context's")
	_, err = th.MemHostGetDevicePointer(mapped, 0)
	is(t, driver.ErrInvalidValue, err)

	_, old, _ := start(t, knobs.Settings{Device: "8800gtx"})
	create(t, old)
	at, err := old.MemHostAlloc(16, driver.MemHostAllocDeviceMap)
	require.NoError(t, err, "a G80 allocates it")
	_, err = old.MemHostGetDevicePointer(at, 0)
	is(t, driver.ErrInvalidValue, err, "but cannot map it")
}

func TestPortableMemory(t *testing.T) {
	th, first := current(t)
	at, err := th.MemHostAlloc(16, driver.MemHostAllocDeviceMap|driver.MemHostAllocPortable)
	require.NoError(t, err)
	second := create(t, th)
	ptr, err := th.MemHostGetDevicePointer(at, 0)
	require.NoError(t, err)
	*word(at) = 1
	require.NoError(t, increment(t, th, ptr))
	require.Equal(t, uint32(2), *word(at))
	require.NoError(t, th.CtxDestroy(first), "takes the memory away from the second context too")
	is(t, driver.ErrInvalidValue, th.MemsetD8(ptr, 0, 1))
	is(t, driver.ErrInvalidValue, th.MemFreeHost(at))

	at, err = th.MemHostAlloc(16, driver.MemHostAllocDeviceMap|driver.MemHostAllocPortable)
	require.NoError(t, err)
	third := create(t, th)
	_, err = th.MemHostGetDevicePointer(at, 0)
	require.NoError(t, err)
	require.NoError(t, th.CtxDestroy(third), "which only borrowed it")
	require.NoError(t, th.CtxSetCurrent(second))
	*word(at) = 1
	create(t, th)
	require.NoError(t, th.MemFreeHost(at), "from another context")
}

func TestRegisteredMemory(t *testing.T) {
	th, ctx := current(t)
	pages, err := syscall.Mmap(-1, 0, 3*4096, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	require.NoError(t, err)
	at := uintptr(unsafe.Pointer(&pages[0])) + 4000
	require.NoError(t, th.MemHostRegister(at, 200, driver.MemHostRegisterDeviceMap))
	is(t, driver.ErrHostMemoryAlreadyRegistered, th.MemHostRegister(at+100, 4000, 0))
	is(t, driver.ErrHostMemoryAlreadyRegistered, th.MemHostRegister(at-8, 9, 0))
	require.NoError(t, th.MemHostRegister(at+200, 4, 0), "beside it")
	ptr, err := th.MemHostGetDevicePointer(at+100, 0)
	require.NoError(t, err)
	require.Equal(t, uint64(at+100)%4096, uint64(ptr)%4096)
	pages[4100] = 9
	require.NoError(t, increment(t, th, ptr))
	require.Equal(t, byte(10), pages[4100])
	is(t, driver.ErrInvalidValue, th.MemFreeHost(at), "it is the program's")
	_, err = th.MemHostGetFlags(at)
	is(t, driver.ErrInvalidValue, err)
	is(t, driver.ErrHostMemoryNotRegistered, th.MemHostUnregister(at+4))
	require.NoError(t, th.MemHostUnregister(at))
	is(t, driver.ErrHostMemoryNotRegistered, th.MemHostUnregister(at))
	is(t, driver.ErrInvalidValue, th.MemsetD8(ptr, 0, 1))
	require.NoError(t, th.MemHostRegister(at, 200, 0), "once more")
	require.NoError(t, th.CtxDestroy(ctx))
	pages[0] = 1
	require.NoError(t, syscall.Munmap(pages), "still there")
}

func TestPointers(t *testing.T) {
	th, ctx := current(t)
	ptr := alloc(t, th, 16)
	at, err := th.MemHostAlloc(16, driver.MemHostAllocDeviceMap)
	require.NoError(t, err)
	mapped, err := th.MemHostGetDevicePointer(at, 0)
	require.NoError(t, err)
	plain, err := th.MemAllocHost(16)
	require.NoError(t, err)
	for _, c := range []struct {
		name string
		ptr  uint64
		want [6]uint64 // by attribute; 0 is refused
	}{
		{"device", uint64(ptr + 4), [6]uint64{0, uint64(ctx), uint64(driver.MemoryDevice), uint64(ptr + 4)}},
		{"mapped", uint64(mapped + 8), [6]uint64{0, uint64(ctx), uint64(driver.MemoryHost), uint64(mapped + 8), uint64(at + 8)}},
		{"host", uint64(at + 8), [6]uint64{0, uint64(ctx), uint64(driver.MemoryHost), uint64(mapped + 8), uint64(at + 8)}},
		{"plain", uint64(plain), [6]uint64{0, uint64(ctx), uint64(driver.MemoryHost), 0, uint64(plain)}},
		{"nothing", 12345, [6]uint64{}},
		{"NULL", 0, [6]uint64{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var list []driver.PointerAttribute
			for a, want := range c.want {
				value, err := th.PointerGetAttribute(driver.PointerAttribute(a), c.ptr)
				require.Equal(t, want, value)
				if want == 0 {
					is(t, driver.ErrInvalidValue, err)
				}
				if a > 0 {
					list = append(list, driver.PointerAttribute(a))
				}
			}
			values, err := th.PointerGetAttributes(list, c.ptr)
			require.NoError(t, err)
			require.Equal(t, c.want[1:], values)
		})
	}
	_, err = th.PointerGetAttributes([]driver.PointerAttribute{driver.PointerContext, 6}, uint64(ptr))
	is(t, driver.ErrInvalidValue, err)
	requireCalls(t, th, []callTest{
		{"one", func(th *driver.Thread) error {
			_, err := th.PointerGetAttribute(driver.PointerContext, uint64(ptr))
			return err
		}, 0},
		{"several", func(th *driver.Thread) error { _, err := th.PointerGetAttributes(nil, uint64(ptr)); return err }, 0},
	})
}
