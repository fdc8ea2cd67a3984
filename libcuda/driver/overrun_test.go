package driver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/events"
	"jacquard/libcuda/driver/knobs"
	"jacquard/observe/bundle"
)

// overrunner adds vectors of floats in device memory. The sums lie between two allocations of 96
// bytes and may be too small for the result.
type overrunner struct {
	th           *driver.Thread
	f            driver.Function
	a, b         driver.DevicePtr // 2,048 bytes: 0, 1, 2 ... and ones
	below, above driver.DevicePtr
	sums         driver.DevicePtr
}

func newOverrunner(t *testing.T, th *driver.Thread, size uint64) *overrunner {
	t.Helper()
	create(t, th)
	o := &overrunner{th: th, f: function(t, th, "vecadd_sm13.cubin", "vecadd"), a: alloc(t, th, 2048), b: alloc(t, th, 2048)}
	var x, y []byte
	for i := range 512 {
		x = le.AppendUint32(x, math.Float32bits(float32(i)))
		y = le.AppendUint32(y, math.Float32bits(1))
	}
	require.NoError(t, th.MemcpyHtoD(o.a, x))
	require.NoError(t, th.MemcpyHtoD(o.b, y))
	o.below, o.sums, o.above = alloc(t, th, 96), alloc(t, th, size), alloc(t, th, 96)
	require.NoError(t, th.MemsetD8(o.below, 0x55, 96))
	require.NoError(t, th.MemsetD8(o.above, 0xaa, 96))
	return o
}

// add launches the addition of n floats at from and b.
func (o *overrunner) add(from, to driver.DevicePtr, n uint32) error {
	err := o.th.LaunchKernel(o.f, [3]uint32{(n + 63) / 64, 1, 1}, [3]uint32{64, 1, 1}, 0, 0,
		driver.Arguments{Packed: words(uint32(from), uint32(o.b), uint32(to), n)})
	if err != nil {
		return err
	}
	return o.th.CtxSynchronize()
}

// launches returns the launches in a summary.
func launches(t *testing.T, path string) (list []events.Launch) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for i, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		if i > 0 {
			var e events.Launch
			require.NoError(t, json.Unmarshal(line, &e))
			list = append(list, e)
		}
	}
	return list
}

const overrunLine = "kernel vecadd reaches beyond an allocation: block (0,0), warp 0, lanes ff000000, pc 0x70: " +
	"st b32 g14[$r0] $r1, address g[0x7060], 4 bytes beyond the 96 bytes at 0x7000"

// Where each allocation lies apart, a kernel that writes 2,048 bytes to an allocation of 96, as
// SiftGPU's does, runs, and the log names it once. Its data stays there for kernels; the program
// cannot reach it, and the neighbours keep their content.
func TestOverrunOnABoard(t *testing.T) {
	path := filepath.Join(t.TempDir(), "summary")
	_, th, log := start(t, knobs.Settings{Memory: "board", Summary: path})
	o := newOverrunner(t, th, 96)
	for range 2 {
		require.NoError(t, o.add(o.a, o.sums, 512))
	}
	require.NoError(t, o.add(o.sums, o.a, 512)) // reads past the end of the sums
	got := fetch(t, th, o.a, 2048)
	for i := range 512 {
		require.Equal(t, float32(i+2), math.Float32frombits(le.Uint32(got[4*i:])), i)
	}
	require.Equal(t, bytes.Repeat([]byte{0x55}, 96), fetch(t, th, o.below, 96))
	require.Equal(t, bytes.Repeat([]byte{0xaa}, 96), fetch(t, th, o.above, 96))

	require.Equal(t, "jacquard: "+overrunLine+"; with JACQUARD_MEMORY=exact that is a fault\n", log.String(), "once")
	list := launches(t, path)
	require.Len(t, list, 3)
	require.Equal(t, overrunLine, list[0].Overrun)
	require.Equal(t, overrunLine, list[1].Overrun)
	require.Contains(t, list[2].Overrun, "pc 0x48: ld b32 $r1 g14[$r1], address g[0x7060]")
	require.Equal(t, "CUDA_SUCCESS", list[2].Result)

	is(t, driver.ErrInvalidValue, th.MemcpyDtoH(make([]byte, 97), o.sums))
	is(t, driver.ErrInvalidValue, th.MemcpyHtoD(o.sums+96, []byte{1}))
	is(t, driver.ErrInvalidValue, th.MemcpyDtoD(o.sums, o.a, 97))
	is(t, driver.ErrInvalidValue, th.MemsetD8(o.sums, 0, 97))
	_, size, err := th.MemGetAddressRange(o.sums)
	require.NoError(t, err)
	require.Equal(t, uint64(96), size)
	_, _, err = th.MemGetAddressRange(o.sums + 96)
	is(t, driver.ErrInvalidValue, err)
}

// With exact memory the same access is a fault at the first byte past the end, and nothing is
// written there.
func TestOverrunOfExactMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "summary")
	_, th, log := start(t, knobs.Settings{Memory: "exact", Summary: path})
	o := newOverrunner(t, th, 96)
	is(t, driver.ErrIllegalAddress, o.add(o.a, o.sums, 512))
	require.Equal(t, "jacquard: illegal address in kernel vecadd, block (0,0), warp 0, lanes ff000000, pc 0x70: "+
		"st b32 g14[$r0] $r1, address g[0x7060] (address out of range)\n", log.String())
	require.Empty(t, launches(t, path)[0].Overrun)
}

// Boards and exact memory agree past the end of slack, and where there is none.
func TestNoSlack(t *testing.T) {
	for _, memory := range []string{"board", "exact"} {
		for name, launch := range map[string]func(*testing.T, *overrunner) error{
			"behind the page":       func(t *testing.T, o *overrunner) error { return o.add(o.b, o.sums, 513) },
			"before the allocation": func(t *testing.T, o *overrunner) error { return o.add(o.a, o.sums-4, 1) },
			"null":                  func(t *testing.T, o *overrunner) error { return o.add(o.a, 0, 1) },
			"freed": func(t *testing.T, o *overrunner) error {
				require.NoError(t, o.th.MemFree(o.sums))
				return o.add(o.a, o.sums, 1)
			},
		} {
			t.Run(memory+" "+name, func(t *testing.T) {
				_, th, log := start(t, knobs.Settings{Memory: memory})
				o := newOverrunner(t, th, 4096)
				if name == "behind the page" {
					o.b = alloc(t, th, 8192)
					require.NoError(t, o.add(o.b, o.sums, 512))
					o.sums += 2048 // 512 floats from here end at the end of the page
				}
				is(t, driver.ErrIllegalAddress, launch(t, o))
				require.Regexp(t, "^jacquard: illegal address in kernel vecadd.*\n$", log.String())
			})
		}
	}
}

// Spread memory and exact memory have the same addresses and the same free bytes.
func TestMemoriesAreLaidOutAlike(t *testing.T) {
	type layout struct {
		at   []driver.DevicePtr
		free []uint64
	}
	of := func(memory string) (l layout) {
		_, th, _ := start(t, knobs.Settings{Memory: memory})
		create(t, th)
		load(t, th, "variables.cubin")
		for _, size := range []uint64{1, 96, 4096, 4097, 1 << 20, 1<<20 - 1, 1<<20 + 1} {
			at := alloc(t, th, size)
			free, _, err := th.MemGetInfo()
			require.NoError(t, err)
			l.at, l.free = append(l.at, at), append(l.free, free)
		}
		at, _, err := th.MemAllocPitch(10, 3, 4)
		require.NoError(t, err)
		l.at = append(l.at, at)
		for _, at := range l.at {
			require.NoError(t, th.MemFree(at))
			free, _, err := th.MemGetInfo()
			require.NoError(t, err)
			l.free = append(l.free, free)
		}
		return l
	}
	require.Equal(t, of("exact"), of("board"))
}

// Variables of modules and pitched memory have slack, too. Mapped host memory has none.
func TestWhatHasSlack(t *testing.T) {
	for memory, want := range map[string]driver.Result{"board": driver.Success, "exact": driver.ErrIllegalAddress} {
		t.Run(memory, func(t *testing.T) {
			_, th, log := start(t, knobs.Settings{Memory: memory, Log: "error"})
			create(t, th)
			m := load(t, th, "variables.cubin")
			f, err := th.ModuleGetFunction(m, "gather") // stores 16 bytes
			require.NoError(t, err)
			counter, size, err := th.ModuleGetGlobal(m, "counter")
			require.NoError(t, err)
			require.Less(t, size, uint64(16))
			err = th.LaunchKernel(f, [3]uint32{1, 1, 1}, [3]uint32{1, 1, 1}, 0, 0, driver.Arguments{Packed: words(uint32(counter))})
			require.NoError(t, err)
			require.Equal(t, want, driver.ResultOf(th.CtxSynchronize()))
			require.NotEmpty(t, log.String())
		})
	}
	_, th, _ := start(t, knobs.Settings{})
	o := newOverrunner(t, th, 96)
	host, err := th.MemHostAlloc(96, driver.MemHostAllocDeviceMap)
	require.NoError(t, err)
	at, err := th.MemHostGetDevicePointer(host, 0)
	require.NoError(t, err)
	is(t, driver.ErrIllegalAddress, o.add(o.a, at, 25))
}

// Packed allocations lie one after the other: a kernel that goes on past the end of one comes to the
// next, as on a board, and the log says so once.
func TestOverrunOfPackedMemory(t *testing.T) {
	for _, engine := range []string{"", "interp", "reference"} {
		for _, size := range []uint64{256, 8192} {
			_, th, log := start(t, knobs.Settings{Engine: engine})
			o := newOverrunner(t, th, 8)
			from, next := alloc(t, th, size), alloc(t, th, size)
			require.Equal(t, from+driver.DevicePtr(size), next)
			require.NoError(t, th.MemsetD8(next, 0, size))
			to := from + driver.DevicePtr(size) - 64 // 16 floats before the end
			for range 2 {
				require.NoError(t, o.add(o.a, to, 32))
			}
			got := fetch(t, th, next, 64)
			for i := range 16 {
				require.Equal(t, float32(i+17), math.Float32frombits(le.Uint32(got[4*i:])), i)
			}
			require.Equal(t, fmt.Sprintf("jacquard: kernel vecadd reaches beyond an allocation: block (0,0), warp 0, lanes ffff0000, pc 0x70: "+
				"st b32 g14[$r0] $r1, address g[%#x], 4 bytes beyond the %d bytes at %#x; with JACQUARD_MEMORY=exact that is a fault\n",
				next, size, from), log.String())
		}
	}
}

// A bundle has the slack and its content: the second launch reads the first one's stores.
func TestRecordSlack(t *testing.T) {
	sums := func(l *bundle.Launch) *bundle.Object {
		for _, o := range l.Memory {
			if o.Address == 0x7000 {
				return o
			}
		}
		return nil
	}
	for memory, slack := range map[string]int{"board": 4000, "exact": 0} {
		recorded(t, knobs.Settings{Memory: memory}, func(th *driver.Thread) {
			o := newOverrunner(t, th, 96)
			n := uint32(24 + slack/16)
			require.NoError(t, o.add(o.a, o.sums, n))
			require.NoError(t, o.add(o.sums, o.a, n))
		}, func(l *bundle.Launch) {
			o := sums(l)
			require.Equal(t, slack, o.Slack)
			require.Equal(t, 96, o.Size())
			require.Equal(t, make([]byte, 96+slack), o.Bytes)
			require.Contains(t, o.String(), "of 96 bytes")
		}, func(l *bundle.Launch) {
			o := sums(l)
			for i := range 24 + slack/16 {
				require.Equal(t, float32(i+1), math.Float32frombits(le.Uint32(o.Bytes[4*i:])))
			}
		})
	}
}
