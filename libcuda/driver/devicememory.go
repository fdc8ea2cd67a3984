package driver

import (
	"errors"
	"fmt"
	"math"

	"jacquard/simt/mem"
)

// Large blocks of device memory are pages of the operating system, which fails when it has no more
// and gets them back at once; Go's runtime would end the process.

// ownPages is the size from which a block gets pages of its own.
const ownPages = 1 << 20

// space returns the memory of a context on a device. A cross-check needs the slack of each
// allocation to itself, so that both sides have the same.
func (d *Driver) space(device *device) *mem.Space {
	s := mem.NewPadded(device.model.memory, d.settings.Padding)
	if _, other := d.listener.(Placer); d.settings.Packed && !other {
		s.Pack()
	}
	return s
}

// zeros returns size bytes of zeros that live until release, or until the context is emptied. The
// caller holds c's lock.
func (c *context) zeros(size uint64) ([]byte, error) {
	if size < ownPages {
		return mem.Zeros(int(size)), nil
	}
	if free, _ := c.space.Info(); size > min(free, math.MaxInt) {
		return nil, c.full(&mem.OutOfMemoryError{Size: size, Free: free})
	}
	pages, err := mapPages(int(size))
	if err != nil {
		return nil, c.d.logged(failure(ErrOutOfMemory, err, "the system has no memory for %d bytes of device memory: %v", size, err))
	}
	preferHuge(pages)
	c.pages[addressOf(pages)] = pages
	return pages, nil
}

// release frees memory that zeros returned; b is the beginning of it. The caller holds c's lock.
func (c *context) release(b []byte) {
	at := addressOf(b)
	pages, own := c.pages[at]
	if !own {
		return
	}
	if err := unmapPages(pages); err != nil {
		c.d.log.Error("device memory: %v", err)
	}
	delete(c.pages, at)
}

// slack returns how many bytes after an allocation of size bytes kernels can reach. A board's
// memory unit knows only pages of at least 4 KiB, so it cannot protect the rest of an allocation's
// last page (docs/design/0025). Calls of the driver stay within the allocation's size.
//
// Unverified: which page size NVIDIA's driver used, and whether it placed other allocations in the
// rest of a last page; here nothing else lies there. Allocations of growing sizes, and a kernel
// that walks off the end of each, would tell.
func (c *context) slack(size uint64) int {
	if c.d.settings.Exact || size > math.MaxUint32 { // no allocation is larger
		return 0
	}
	return int(mem.WithSlack(size) - size)
}

// alloc allocates device memory. The caller holds c's lock.
func (c *context) alloc(size uint64) (DevicePtr, error) {
	if c.space.Packs(size) {
		addr, err := c.space.AllocSmall(size)
		if err != nil {
			return 0, c.full(err)
		}
		return DevicePtr(addr), nil
	}
	slack := c.slack(size)
	b, err := c.zeros(size + uint64(slack))
	if err != nil {
		return 0, err
	}
	addr, err := c.space.AllocIn(b, slack)
	if err != nil {
		c.release(b)
		return 0, c.full(err)
	}
	return DevicePtr(addr), nil
}

// full reports that an allocation does not fit, with the device that has more memory if it would fit
// there. Programs that look for the largest allocation that fits get one line too.
func (c *context) full(err error) error {
	free, total := c.space.Info()
	var asked uint64
	if e, ok := errors.AsType[*mem.OutOfMemoryError](err); ok {
		asked = e.Size
	}
	advice := ""
	if p := c.d.settings.Padding; p > 0 {
		advice = fmt.Sprintf("; %d bytes of padding around each allocation take addresses, too", p)
	} else if larger := largestModel(); larger.memory > total && asked <= larger.memory-(total-free) {
		advice = fmt.Sprintf("; device %s has %d: --device %s, or JACQUARD_DEVICE=%s", larger.key, larger.memory, larger.key, larger.key)
	}
	c.d.log.onceOf("out of memory", fmt.Sprintf("%v of the %d bytes of device %s%s", err, total, c.device.model.key, advice))
	return ErrOutOfMemory
}

// free ends the allocation that starts at addr; ok is false if there is none. The caller holds c's
// lock.
func (c *context) free(addr uint32) (ok bool) {
	_, size, _ := c.space.Range(addr)
	b, err := c.space.Bytes(addr, size)
	if err != nil || c.space.Free(addr) != nil {
		return false
	}
	c.release(b)
	c.checkers.defined(addr, size)
	return true
}
