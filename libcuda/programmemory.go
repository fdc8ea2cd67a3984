package main

import (
	"errors"
	"runtime/debug"
	"unsafe"
)

// programMemory is the program's memory as an io.ReaderAt; offsets are addresses.
type programMemory struct{}

var errUnreadable = errors.New("memory that cannot be read")

// ReadAt copies bytes up to the first that cannot be read.
func (programMemory) ReadAt(p []byte, address int64) (n int, err error) {
	const page = 4096 // the smallest part of memory that is readable or not
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			err = errUnreadable
		}
	}()
	for n < len(p) {
		at := uintptr(address) + uintptr(n)
		part := min(len(p)-n, int(page-at%page))
		copy(p[n:n+part], unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(nil), at)), part))
		n += part
	}
	return n, nil
}
