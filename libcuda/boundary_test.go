//go:build cgo

package main

import (
	"errors"
	"runtime/debug"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
)

// highest are the last addresses of the address space.
var highest = ^uintptr(15)

func TestReport(t *testing.T) {
	page, err := syscall.Mmap(-1, 0, 4096, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	require.NoError(t, err)
	for _, c := range []struct {
		name string
		f    func()
		want driver.Result
	}{
		{"bug", func() { panic("simt: no such thing") }, driver.ErrUnknown},
		{"bug with an error", func() { panic(errors.New("broken")) }, driver.ErrUnknown},
		{"bug with nil", func() { (*driver.Driver)(nil).Interrupt() }, driver.ErrUnknown},
		{"program's NULL", func() { *(*int)(nil) = 1 }, driver.ErrInvalidValue},
		{"program's NULL, for any type", func() { *absent[int32]() = 1 }, driver.ErrInvalidValue},
		{"past the end of memory", func() { _ = unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(nil), highest)), len(page)) }, driver.ErrInvalidValue},
		{"program's memory", func() { page[0] = 1 }, driver.ErrInvalidValue},
	} {
		t.Run(c.name, func(t *testing.T) {
			defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // of this goroutine, as in do
			defer func() { require.Equal(t, c.want, report(recover())) }()
			c.f()
		})
	}
	require.NoError(t, syscall.Munmap(page))
}

func absent[T any]() *T { return nil }

func TestPackageOf(t *testing.T) {
	for function, want := range map[string]string{
		"main.goInit": "main", "main.get[go.shape.uint32,a/b.T].func1": "main", "jacquard/libcuda.do.func1": "jacquard/libcuda",
		"jacquard/libcuda/driver.(*Thread).Init": "jacquard/libcuda/driver", "runtime.memmove": "runtime", "": "",
	} {
		require.Equal(t, want, packageOf(function), function)
	}
}

func TestHost(t *testing.T) {
	var memory [4]byte
	b, ok := host(uintptr(unsafe.Pointer(&memory)), 4)
	require.True(t, ok)
	require.Len(t, b, 4)
	for _, c := range []struct {
		name  string
		p     uintptr
		bytes uint64
		ok    bool
	}{
		{"nothing", 0, 0, true},
		{"nothing in the first page", 4, 0, true},
		{"NULL", 0, 1, false},
		{"too much", uintptr(unsafe.Pointer(&memory)), maxHost + 1, false},
		{"in the first page", 4095, 1, false},
		{"past the end of memory", highest, 17, false},
		{"far too much", uintptr(unsafe.Pointer(&memory)), ^uint64(0), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, ok := host(c.p, c.bytes)
			require.Equal(t, c.ok, ok)
			require.Nil(t, b)
		})
	}
}
