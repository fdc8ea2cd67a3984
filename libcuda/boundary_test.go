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
		{"bug with nil", func() { *(*int)(nil) = 1 }, driver.ErrUnknown},
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

func TestHost(t *testing.T) {
	var memory [4]byte
	b, ok := host(unsafe.Pointer(&memory), 4)
	require.True(t, ok)
	require.Len(t, b, 4)
	for _, c := range []struct {
		name  string
		p     unsafe.Pointer
		bytes uint64
		ok    bool
	}{
		{"nothing", nil, 0, true},
		{"NULL", nil, 1, false},
		{"too much", unsafe.Pointer(&memory), maxHost + 1, false},
		{"far too much", unsafe.Pointer(&memory), ^uint64(0), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, ok := host(c.p, c.bytes)
			require.Equal(t, c.ok, ok)
			require.Nil(t, b)
		})
	}
}
