package driver_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
	"jacquard/observe/findings"
)

// checking is a program under the check knob.
type checking struct {
	*driver.Thread
	t      *testing.T
	d      *driver.Driver
	report string
}

// checked begins a program with a context.
func checked(t *testing.T, kinds string) *checking {
	t.Helper()
	report := filepath.Join(t.TempDir(), "report")
	d, th, _ := start(t, knobs.Settings{Check: kinds, CheckReport: report})
	create(t, th)
	return &checking{th, t, d, report}
}

// found ends the program and returns what is found: kind, what, and how often.
func (c *checking) found() []string {
	c.t.Helper()
	c.d.End()
	r, err := findings.Read(c.report)
	require.NoError(c.t, err)
	list := []string{}
	for _, f := range r.Findings {
		list = append(list, fmt.Sprintf("%s %s %d", f.Kind, f.What, f.Count))
	}
	return list
}

// pinned allocates page-locked memory.
func (c *checking) pinned(size int) (uintptr, []byte) {
	c.t.Helper()
	at, err := c.MemAllocHost(uint64(size))
	require.NoError(c.t, err)
	return at, unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(nil), at)), size)
}

// What is left at the end is found once for each call, and what a context took with it is not.
func TestLeaks(t *testing.T) {
	c := checked(t, "leak")
	kept, freed := alloc(t, c.Thread, 100), alloc(t, c.Thread, 100)
	require.NoError(t, c.MemFree(freed))
	require.NotZero(t, kept)
	stream, err := c.StreamCreate(0)
	require.NoError(t, err)
	require.NoError(t, c.StreamDestroy(stream))
	for range 2 {
		_, err = c.EventCreate(0)
		require.NoError(t, err)
	}
	_, err = c.ArrayCreate(driver.ArrayDescriptor{Width: 4, Format: driver.FormatFloat, Channels: 1})
	require.NoError(t, err)
	c.pinned(64)
	load(t, c.Thread, "vecadd_sm13.cubin")
	require.ElementsMatch(t, []string{"leak device 1", "leak event 2", "leak array 1", "leak host 1"}, c.found())

	c = checked(t, "leak")
	alloc(t, c.Thread, 100)
	c.pinned(64)
	ctx, err := c.CtxGetCurrent()
	require.NoError(t, err)
	require.NoError(t, c.CtxDestroy(ctx))
	require.Empty(t, c.found())
}

// A second free is found, also if other memory was freed since; the free of an address at which
// nothing was allocated is none.
func TestFreedAgain(t *testing.T) {
	c := checked(t, "memory")
	a, b := alloc(t, c.Thread, 64), alloc(t, c.Thread, 64)
	require.NoError(t, c.MemFree(a))
	require.NoError(t, c.MemFree(b))
	is(t, driver.ErrInvalidValue, c.MemFree(a))
	is(t, driver.ErrInvalidValue, c.MemFree(a+4))
	is(t, driver.ErrInvalidValue, c.MemFree(0x7000000))
	require.Equal(t, []string{"memory double-free 1"}, c.found())
}

// An access that reaches another allocation is found if padding keeps the two apart.
func TestPadding(t *testing.T) {
	for padding, want := range map[string]string{"": "", "65536": "29908 bytes beyond the end of the 96 bytes at 0x"} {
		report := filepath.Join(t.TempDir(), "report")
		d, th, _ := start(t, knobs.Settings{Check: "memory", CheckReport: report, Padding: padding})
		o := newOverrunner(t, th, 96)
		first, second := alloc(t, th, 96), alloc(t, th, 1<<20)
		err := o.add(o.a, first+30000, 1)
		d.End()
		r, readErr := findings.Read(report)
		require.NoError(t, readErr)
		if want == "" {
			require.NoError(t, err)
			require.Empty(t, r.Findings)
			require.Equal(t, first+0x2000, second)
			continue
		}
		is(t, driver.ErrIllegalAddress, err)
		require.Contains(t, r.Findings[0].Text, want)
		require.Equal(t, first+0x11000, second)
	}
}

// Accesses of a kernel are explained: the memory that was freed there, or the nearest memory.
func TestAccessesExplained(t *testing.T) {
	for name, c := range map[string]struct {
		launch func(*checking, *overrunner) error
		what   string
		text   string
	}{
		"freed": {func(c *checking, o *overrunner) error {
			require.NoError(c.t, c.MemFree(o.sums))
			return o.add(o.a, o.sums, 1)
		}, "after-free", "is byte 0 of the 96 bytes at 0x7000"},
		"beyond": {func(_ *checking, o *overrunner) error { return o.add(o.a, o.sums, 25) }, "out-of-bounds", "4 bytes beyond the end of the 96 bytes at 0x7000"},
		"before": {func(_ *checking, o *overrunner) error { return o.add(o.a, o.sums-4, 1) }, "out-of-bounds", "4 bytes before the 96 bytes at 0x7000"},
		"null":   {func(_ *checking, o *overrunner) error { return o.add(o.a, 0, 1) }, "null", "null pointer"},
	} {
		t.Run(name, func(t *testing.T) {
			report := filepath.Join(t.TempDir(), "report")
			d, th, log := start(t, knobs.Settings{Check: "all", CheckReport: report})
			o := newOverrunner(t, th, 96)
			is(t, driver.ErrIllegalAddress, c.launch(&checking{th, t, d, report}, o))
			d.End()
			r, err := findings.Read(report)
			require.NoError(t, err)
			require.Len(t, r.Findings, 1, "behind a fault nothing is judged")
			require.Equal(t, c.what, r.Findings[0].What)
			require.Contains(t, r.Findings[0].Text, c.text)
			require.Equal(t, "global", r.Findings[0].Space)
			require.Empty(t, log.String(), "the report tells of the fault")
		})
	}
}

// An asynchronous copy uses its host memory until the program has waited for it, in any of these
// ways.
func TestAsynchronousCopies(t *testing.T) {
	for name, wait := range map[string]func(*checking, driver.Stream, driver.Event) error{
		"stream":  func(c *checking, s driver.Stream, _ driver.Event) error { return c.StreamSynchronize(s) },
		"default": func(c *checking, _ driver.Stream, _ driver.Event) error { return c.StreamSynchronize(0) },
		"event":   func(c *checking, _ driver.Stream, e driver.Event) error { return c.EventSynchronize(e) },
		"context": func(c *checking, _ driver.Stream, _ driver.Event) error { return c.CtxSynchronize() },
		"free":    func(c *checking, _ driver.Stream, _ driver.Event) error { return c.MemFree(alloc(c.t, c.Thread, 4)) },
		"through another stream": func(c *checking, _ driver.Stream, e driver.Event) error {
			other, err := c.StreamCreate(0)
			require.NoError(c.t, err)
			require.NoError(c.t, c.StreamWaitEvent(other, e, 0))
			return c.StreamSynchronize(other)
		},
		"callback": func(c *checking, s driver.Stream, _ driver.Event) error {
			return c.StreamAddCallback(s, func() {}, 0)
		},
	} {
		for _, reads := range []bool{true, false} {
			for _, early := range []string{"", "change", "free"} {
				t.Run(strings.TrimSpace(fmt.Sprint(name, " ", reads, " ", early)), func(t *testing.T) {
					c := checked(t, "api,leak")
					at, memory := c.pinned(256)
					p := alloc(t, c.Thread, 256)
					s, err := c.StreamCreate(0)
					require.NoError(t, err)
					e, err := c.EventCreate(0)
					require.NoError(t, err)
					if reads {
						require.NoError(t, c.MemcpyHtoDAsync(p, memory, s))
					} else {
						require.NoError(t, c.MemcpyDtoHAsync(memory, p, s))
					}
					require.NoError(t, c.EventRecord(e, s))
					switch early {
					case "change":
						memory[255]++
					case "free":
						require.NoError(t, c.MemFreeHost(at))
					}
					require.NoError(t, wait(c, s, e))
					if early != "free" {
						memory[0]++
						require.NoError(t, c.MemFreeHost(at))
					}
					var got []string
					for _, f := range c.found() {
						if strings.HasPrefix(f, "api") {
							got = append(got, f)
						}
					}
					if early == "" {
						require.Empty(t, got)
					} else {
						require.Equal(t, []string{"api early-" + early + " 1"}, got)
					}
				})
			}
		}
	}
}

// A copy whose rows lie apart leaves the bytes between them alone.
func TestAsynchronousRows(t *testing.T) {
	c := checked(t, "api")
	_, memory := c.pinned(256)
	p := alloc(t, c.Thread, 256)
	at := uintptr(unsafe.Pointer(unsafe.SliceData(memory)))
	rows := driver.Copy{
		Src:   driver.CopySide{Type: driver.MemoryHost, Host: at, Pitch: 64},
		Dst:   driver.CopySide{Type: driver.MemoryDevice, Device: p, Pitch: 64},
		Width: 32, Height: 4,
	}
	s, err := c.StreamCreate(0)
	require.NoError(t, err)
	require.NoError(t, c.Memcpy2DAsync(rows, s))
	memory[40]++
	require.NoError(t, c.StreamSynchronize(s))
	require.NoError(t, c.Memcpy2DAsync(rows, s))
	memory[65]++
	require.NoError(t, c.StreamSynchronize(s))
	require.Equal(t, []string{"api early-change 1"}, c.found())
}

// A copy that takes a pointer for one of the other memory is found; a copy that is too long is not
// one of those.
func TestKindsOfCopies(t *testing.T) {
	c := checked(t, "api")
	p := alloc(t, c.Thread, 64)
	h := make([]byte, 64)
	at := driver.DevicePtr(uintptr(unsafe.Pointer(unsafe.SliceData(h))))
	is(t, driver.ErrInvalidValue, c.MemcpyHtoD(at, h))
	is(t, driver.ErrInvalidValue, c.MemcpyDtoH(h, at))
	is(t, driver.ErrInvalidValue, c.MemcpyDtoD(p, at, 64))
	is(t, driver.ErrInvalidValue, c.MemcpyDtoD(at, p, 64))
	is(t, driver.ErrInvalidValue, c.MemcpyHtoD(p, make([]byte, 65)))
	is(t, driver.ErrInvalidValue, c.MemcpyDtoD(p, p+64, 64))
	require.Equal(t, []string{"api copy-kind 4"}, c.found())
}

// Without the knob nobody is told of calls.
func TestNothingIsChecked(t *testing.T) {
	d, th, log := start(t, knobs.Settings{})
	require.False(t, d.Checks())
	create(t, th)
	driver.CallBegins(th, []uintptr{1, 2})
	alloc(t, th, 64)
	driver.RuntimeFailed(th, "cudaMalloc", "cudaErrorUnknown")
	driver.CallEnds(th, driver.ErrUnknown)
	d.End()
	require.Empty(t, log.String())
}

// Under another memory than the exact one the first overrun of a launch is found, and the launch
// goes on.
func TestOverrunFound(t *testing.T) {
	for _, memory := range []string{"board", "packed"} {
		report := filepath.Join(t.TempDir(), "report")
		d, th, _ := start(t, knobs.Settings{Check: "memory", CheckReport: report, Memory: memory})
		o := newOverrunner(t, th, 96)
		require.NoError(t, o.add(o.a, o.sums, 27))
		d.End()
		r, err := findings.Read(report)
		require.NoError(t, err)
		require.Len(t, r.Findings, 1)
		require.Contains(t, r.Findings[0].String(), "memory out-of-bounds (global) in kernel vecadd at pc 0x70: an access of 4 bytes to 0x")
		require.Contains(t, r.Findings[0].Text, "4 bytes beyond the end of the 96 bytes at 0x")
		require.EqualValues(t, 3, r.Findings[0].Count)
		require.Len(t, r.Findings[0].With, 1)
	}
}
