package driver

import (
	"math"
	"os"
	"unsafe"
)

// Host memory outside Go's heap. Addresses are numbers until their bytes are needed.

func addressOf(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// firstPage is never mapped: a pointer into it counts as NULL, and Go takes a fault there for a nil
// dereference of its own.
const firstPage = 4096

// hostBytes returns the program's size bytes at first bytes after at. NULL and impossible addresses
// are errors; absent memory faults at its first use.
func hostBytes(at uintptr, first, size uint64) ([]byte, error) {
	const end = min(farthest, math.MaxUint) // of the address space
	if at < firstPage || uint64(at) > end || first > end || size > min(end, math.MaxInt) || uint64(at)+first+size > end {
		return nil, ErrInvalidValue
	}
	at += uintptr(first)
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&at)), int(size)), nil
}

// pagesAround returns the whole pages around the size bytes at at.
func pagesAround(at uintptr, size uint64) ([]byte, error) {
	page := uintptr(os.Getpagesize())
	if at == 0 || size == 0 || size > farthest {
		return nil, ErrInvalidValue
	}
	before := at % page
	pages, err := hostBytes(at-before, 0, (uint64(before)+size+uint64(page)-1)/uint64(page)*uint64(page))
	if err != nil {
		return nil, ErrInvalidValue
	}
	return pages, nil
}

// touch reads a byte of each page, so that absent memory faults now and not in a kernel. Only the
// sum keeps the compiler from dropping the reads.
//
//go:noinline
func touch(pages []byte) (sum byte) {
	for at := 0; at < len(pages); at += os.Getpagesize() {
		sum += pages[at]
	}
	return sum
}
