package driver

import "math"

// MemAllocHost allocates page-locked host memory and returns its address. The memory lies outside
// Go's heap and belongs to the context.
func (t *Thread) MemAllocHost(size uint64) (uintptr, error) {
	return t.MemHostAlloc(size, 0)
}

// MemHostAlloc is MemAllocHost with flags. MemHostAllocPortable memory may be used and freed in
// every context. Kernels can reach MemHostAllocDeviceMap memory (MemHostGetDevicePointer).
// MemHostAllocWriteCombined changes nothing here.
//
// CtxMapHost changes nothing: every context of a device that can map memory maps it.
func (t *Thread) MemHostAlloc(size uint64, flags uint32) (uintptr, error) {
	return working(t, func(c *context) (uintptr, error) {
		if size == 0 || flags&^(MemHostAllocPortable|MemHostAllocDeviceMap|MemHostAllocWriteCombined) != 0 {
			return 0, ErrInvalidValue
		}
		if size > math.MaxInt {
			return 0, ErrOutOfMemory
		}
		pages, err := mapPages(int(size))
		if err != nil {
			t.d.log.Info("host memory: %v", err)
			return 0, ErrOutOfMemory
		}
		b := &hostBlock{owner: c, pages: pages, at: addressOf(pages), size: uintptr(size), flags: flags, made: c.checkers.caller}
		t.d.host.add(b)
		return b.at, nil
	})
}

// MemFreeHost frees what MemAllocHost or MemHostAlloc returned.
func (t *Thread) MemFreeHost(at uintptr) error {
	return t.removeHost(at, func(c *context, b *hostBlock) error {
		if b == nil || b.registered || !b.usable(c) {
			return ErrInvalidValue
		}
		return nil
	})
}

// MemHostRegister page-locks size bytes of the program's own memory at at. Flags are
// MemHostRegisterPortable and MemHostRegisterDeviceMap, with their meaning for MemHostAlloc.
// Kernels reach the whole pages around the memory, as on hardware. The program must not unmap them
// before MemHostUnregister.
func (t *Thread) MemHostRegister(at uintptr, size uint64, flags uint32) error {
	return t.sound(func(c *context) error {
		if flags&^(MemHostRegisterPortable|MemHostRegisterDeviceMap) != 0 {
			return ErrInvalidValue
		}
		pages, err := pagesAround(at, size)
		if err != nil {
			return err
		}
		touch(pages)
		b := &hostBlock{owner: c, pages: pages, at: at, size: uintptr(size), flags: flags, registered: true, made: c.checkers.caller}
		if !t.d.host.addAlone(b) {
			return ErrHostMemoryAlreadyRegistered
		}
		return nil
	})
}

// MemHostUnregister undoes MemHostRegister for the memory registered at at.
func (t *Thread) MemHostUnregister(at uintptr) error {
	return t.removeHost(at, func(c *context, b *hostBlock) error {
		if b == nil || !b.registered || !b.usable(c) {
			return ErrHostMemoryNotRegistered
		}
		return nil
	})
}

// removeHost ends the block at at if may allows it; may gets nil without such a block. Like MemFree
// it needs no current context for a block of a primary context.
func (t *Thread) removeHost(at uintptr, may func(*context, *hostBlock) error) error {
	c, err := t.work()
	if err == ErrInvalidContext {
		if b := t.d.host.find(at); b != nil {
			c, err = t.primaryWith(b.holds)
		}
	}
	if err != nil {
		return err
	}
	c.mu.Unlock()
	b, err := t.d.host.take(at, func(b *hostBlock) error { return may(c, b) })
	if err != nil {
		return err
	}
	t.d.judge.HostFreed(b.at, t.d.judge.Call(&t.calls))
	return b.end()
}

// MemHostGetDevicePointer returns the device address for any address inside host memory with the
// DeviceMap flag. Flags must be 0. The current context's device must be able to map memory.
func (t *Thread) MemHostGetDevicePointer(at uintptr, flags uint32) (DevicePtr, error) {
	return working(t, func(c *context) (DevicePtr, error) {
		if flags != 0 {
			return 0, ErrInvalidValue
		}
		return t.d.host.devicePointer(c, at)
	})
}

// MemHostGetFlags returns the flags of memory that MemHostAlloc allocated.
func (t *Thread) MemHostGetFlags(at uintptr) (uint32, error) {
	return working(t, func(c *context) (uint32, error) {
		b := t.d.host.find(at)
		if b == nil || b.registered || !b.usable(c) {
			return 0, ErrInvalidValue
		}
		return b.flags, nil
	})
}
