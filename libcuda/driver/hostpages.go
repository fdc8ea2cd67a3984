package driver

import (
	"math"
	"os"
	"syscall"
	"unsafe"
)

// The host's memory outside Go's heap. Addresses are numbers until their bytes are needed.

// mapPages returns size bytes of zeros, in whole pages.
func mapPages(size int) ([]byte, error) {
	return syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
}

// unmapPages gives back what mapPages returned.
func unmapPages(b []byte) error {
	if err := syscall.Munmap(b); err != nil {
		return ErrOperatingSystem
	}
	return nil
}

// addressOf returns where b begins.
func addressOf(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// firstPage is never mapped: what points there is as good as NULL, and Go takes a fault there for a
// mistake of its own.
const firstPage = 4096

// hostBytes returns the program's size bytes at first bytes after at. NULL, and what no memory can
// be, is an error; memory that is not there is noticed when it is used.
func hostBytes(at uintptr, first, size uint64) ([]byte, error) {
	const end = min(farthest, math.MaxUint) // of all addresses
	if at < firstPage || uint64(at) > end || first > end || size > min(end, math.MaxInt) || uint64(at)+first+size > end {
		return nil, ErrInvalidValue
	}
	at += uintptr(first)
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&at)), int(size)), nil
}

// pagesAround returns the whole pages that size bytes at at lie in.
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

// touch reads a byte of each page, so that memory which is not there is noticed now and not by a
// kernel. The sum is of no use but keeps the compiler from leaving out the reads.
//
//go:noinline
func touch(pages []byte) (sum byte) {
	for at := 0; at < len(pages); at += os.Getpagesize() {
		sum += pages[at]
	}
	return sum
}
