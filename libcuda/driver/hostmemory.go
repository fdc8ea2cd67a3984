package driver

import (
	"math"
	"syscall"
	"unsafe"
)

// MemAllocHost allocates page-locked host memory and returns its address. It lies outside
// Go's heap, and belongs to the context.
func (t *Thread) MemAllocHost(size uint64) (uintptr, error) {
	return t.MemHostAlloc(size, 0)
}

// MemHostAlloc is MemAllocHost with flags MemHostAllocPortable, MemHostAllocWriteCombined and
// MemHostAllocDeviceMap; memory mapped into the device is not supported.
func (t *Thread) MemHostAlloc(size uint64, flags uint32) (uintptr, error) {
	c, err := t.work()
	if err != nil {
		return 0, err
	}
	defer c.mu.Unlock()
	if size == 0 || flags&^(MemHostAllocPortable|MemHostAllocDeviceMap|MemHostAllocWriteCombined) != 0 {
		return 0, ErrInvalidValue
	}
	if flags&MemHostAllocDeviceMap != 0 {
		return 0, t.NotSupported("cuMemHostAlloc with CU_MEMHOSTALLOC_DEVICEMAP")
	}
	if size > math.MaxInt {
		return 0, ErrOutOfMemory
	}
	b, err := syscall.Mmap(-1, 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.d.log.info("host memory: %v", err)
		return 0, ErrOutOfMemory
	}
	at := uintptr(unsafe.Pointer(&b[0]))
	c.host[at] = b
	return at, nil
}

// MemFreeHost frees what MemAllocHost or MemHostAlloc returned.
func (t *Thread) MemFreeHost(at uintptr) error {
	c, err := t.work()
	if err != nil {
		return err
	}
	defer c.mu.Unlock()
	b, ok := c.host[at]
	if !ok {
		return ErrInvalidValue
	}
	delete(c.host, at)
	return unmap(b)
}

// unmap gives host memory back.
func unmap(b []byte) error {
	if err := syscall.Munmap(b); err != nil {
		return ErrOperatingSystem
	}
	return nil
}
