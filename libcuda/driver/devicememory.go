package driver

import "math"

// The bytes of device memory. Large blocks are pages of the system's: it says when it has no more, and gets them back
// at once, while Go's runtime would end the process.

// ownPages is the size from which a block has its own pages.
const ownPages = 1 << 20

// zeros returns size bytes of zeros that live until release, or until the context is emptied. The caller holds c's
// lock.
func (c *context) zeros(size uint64) ([]byte, error) {
	if size < ownPages {
		return make([]byte, size), nil
	}
	if free, _ := c.space.Info(); size > min(free, math.MaxInt) {
		c.d.log.info("out of device memory: %d bytes asked for, %d free", size, free)
		return nil, ErrOutOfMemory
	}
	pages, err := mapPages(int(size))
	if err != nil {
		c.d.log.error("the system has no memory for %d bytes of device memory: %v", size, err)
		return nil, ErrOutOfMemory
	}
	c.pages[addressOf(pages)] = pages
	return pages, nil
}

// release gives back what zeros returned. Nobody may use it any more. The caller holds c's lock.
func (c *context) release(b []byte) {
	if len(b) < ownPages {
		return
	}
	at := addressOf(b)
	if err := unmapPages(c.pages[at]); err != nil {
		c.d.log.error("device memory: %v", err)
	}
	delete(c.pages, at)
}

// alloc allocates device memory. The caller holds c's lock.
func (c *context) alloc(size uint64) (DevicePtr, error) {
	b, err := c.zeros(size)
	if err != nil {
		return 0, err
	}
	addr, err := c.space.AllocIn(b, 0)
	if err != nil {
		c.release(b)
		c.d.log.info("%v", err)
		return 0, ErrOutOfMemory
	}
	return DevicePtr(addr), nil
}

// free ends the allocation that starts at addr; not ok if there is none. The caller holds c's lock.
func (c *context) free(addr uint32) (ok bool) {
	_, size, _ := c.space.Range(addr)
	b, err := c.space.Bytes(addr, size)
	if err != nil || c.space.Free(addr) != nil {
		return false
	}
	c.release(b)
	return true
}
