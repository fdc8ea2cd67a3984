package driver

import (
	"math"

	"jacquard/simt/mem"
	"jacquard/simt/shadow"
)

// MemAlloc allocates size bytes of zeros.
func (t *Thread) MemAlloc(size uint64) (DevicePtr, error) {
	return working(t, func(c *context) (DevicePtr, error) {
		if size == 0 {
			return 0, ErrInvalidValue
		}
		return blank(c, size)
	})
}

// MemAllocPitch allocates height rows of width bytes, and returns the pitch between them. Rows are
// aligned for texture fetches and coalesced accesses. Elements have 4, 8 or 16 bytes.
func (t *Thread) MemAllocPitch(width, height uint64, element uint32) (ptr DevicePtr, pitch uint64, err error) {
	c, err := t.work()
	if err != nil {
		return 0, 0, err
	}
	defer c.mu.Unlock()
	if element != 4 && element != 8 && element != 16 || width == 0 || height == 0 {
		return 0, 0, ErrInvalidValue
	}
	if width > uint64(c.device.attribute(AttributeMaxPitch)) {
		return 0, 0, ErrInvalidValue
	}
	// Unverified: the rounding is this driver's own; drivers of the time chose 64 to 512 bytes.
	unit := uint64(c.device.attribute(AttributeTextureAlignment))
	pitch = (width + unit - 1) / unit * unit
	if height > math.MaxUint32/pitch {
		free, _ := c.space.Info()
		return 0, 0, c.full(&mem.OutOfMemoryError{Size: pitch * min(height, math.MaxUint64/pitch), Free: free})
	}
	ptr, err = blank(c, pitch*height)
	return ptr, pitch, err
}

// MemFree frees what MemAlloc or MemAllocPitch allocated. NULL succeeds. Without a current context
// it frees memory of a primary context, because bindings clean up that way.
//
// Unverified: some drivers may have answered ErrInvalidValue for NULL; a run on one would tell.
func (t *Thread) MemFree(ptr DevicePtr) error {
	c, err := t.work()
	if err == ErrInvalidContext {
		c, err = t.primaryWith(func(c *context) bool {
			addr, ok := address(ptr)
			base, _, found := c.space.Range(addr)
			return ok && found && base == addr
		})
	}
	if err != nil {
		return err
	}
	defer c.mu.Unlock()
	if ptr == 0 {
		return nil
	}
	addr, ok := address(ptr)
	if !ok || c.owned[addr] {
		return ErrInvalidValue
	}
	base, _, found := c.space.Range(addr)
	if !found || base != addr {
		t.d.judge.FreedAgain(&t.calls, &c.checkers.blocks, addr)
		return ErrInvalidValue
	}
	tell(c, MemoryFrees{c.handle, addr})
	c.d.judge.Awaited(uintptr(c.handle))
	c.checkers.blocks.Free(addr, c.checkers.caller)
	if !c.free(addr) {
		panic("driver: memory is not where it was found")
	}
	return nil
}

// provide allocates device memory for the program. The caller holds c's lock.
func (c *context) provide(size uint64) (DevicePtr, error) {
	ptr, err := c.alloc(size)
	if err == nil && c.d.judge != nil {
		c.checkers.blocks.Allocated(uint32(ptr), size, c.checkers.caller)
	}
	if err == nil && len(c.d.listeners) > 0 {
		b, _ := c.space.Bytes(uint32(ptr), size)
		tell(c, MemoryAllocated{c.handle, uint32(ptr), b, c.space.Reach(uint32(ptr))})
	}
	return ptr, err
}

// MemGetAddressRange returns start and size of the allocation that ptr points into.
func (t *Thread) MemGetAddressRange(ptr DevicePtr) (base DevicePtr, size uint64, err error) {
	c, err := t.work()
	if err != nil {
		return 0, 0, err
	}
	defer c.mu.Unlock()
	if addr, ok := address(ptr); ok {
		if base, size, ok := c.space.Range(addr); ok {
			return DevicePtr(base), size, nil
		}
	}
	return 0, 0, ErrInvalidValue
}

// MemGetInfo returns the free bytes of device memory, and all bytes.
func (t *Thread) MemGetInfo() (free, total uint64, err error) {
	c, err := t.work()
	if err != nil {
		return 0, 0, err
	}
	defer c.mu.Unlock()
	free, total = c.space.Info()
	return free, total, nil
}

// MemcpyHtoD copies src to the device.
func (t *Thread) MemcpyHtoD(dst DevicePtr, src []byte) error {
	defer awaited(t)
	return t.MemcpyHtoDAsync(dst, src, 0)
}

// MemcpyHtoDAsync is MemcpyHtoD in a stream.
func (t *Thread) MemcpyHtoDAsync(dst DevicePtr, src []byte, stream Stream) error {
	return t.inStream(stream, func(c *context) error {
		to, err := c.bytes(dst, uint64(len(src)))
		judgeKinds(c, t, err, addressOf(src), dst)
		c.move(to, src)
		c.wrote(dst, to)
		if err == nil {
			copiesAsync(c, stream, dst, true, src)
		}
		return err
	})
}

// MemcpyDtoH fills dst from the device.
func (t *Thread) MemcpyDtoH(dst []byte, src DevicePtr) error {
	defer awaited(t)
	return t.MemcpyDtoHAsync(dst, src, 0)
}

// MemcpyDtoHAsync is MemcpyDtoH in a stream. The bytes are there when it returns.
func (t *Thread) MemcpyDtoHAsync(dst []byte, src DevicePtr, stream Stream) error {
	return t.inStream(stream, func(c *context) error {
		from, err := c.bytes(src, uint64(len(dst)))
		judgeKinds(c, t, err, addressOf(dst), src)
		c.move(dst, from)
		handed(c, shadow.Range{Addr: uint32(src), Size: uint64(len(from))})
		if err == nil {
			copiesAsync(c, stream, src, false, dst)
		}
		return err
	})
}

// MemcpyDtoD copies size bytes within the device; the ranges may overlap.
func (t *Thread) MemcpyDtoD(dst, src DevicePtr, size uint64) error {
	return t.MemcpyDtoDAsync(dst, src, size, 0)
}

// MemcpyDtoDAsync is MemcpyDtoD in a stream.
func (t *Thread) MemcpyDtoDAsync(dst, src DevicePtr, size uint64, stream Stream) error {
	return t.inStream(stream, func(c *context) error {
		from, err := c.bytes(src, size)
		if err != nil {
			judgeKinds(c, t, err, 0, dst, src)
			return err
		}
		to, err := c.bytes(dst, size)
		judgeKinds(c, t, err, 0, dst, src)
		c.move(to, from)
		told(c, dst, to)
		c.checkers.doubled(uint32(dst), uint32(src), uint64(len(to)))
		return err
	})
}

// inStream calls do with the current context, locked and sound, after it has checked the stream.
func (t *Thread) inStream(stream Stream, do func(*context) error) error {
	return t.sound(func(c *context) error {
		if err := c.checkStream(stream); err != nil {
			return err
		}
		return do(c)
	})
}

// move copies src to dst, with as many workers as launches have.
func (c *context) move(dst, src []byte) { c.d.launches.pool.Copy(dst, src, c.d.settings.Workers) }

// bytes returns the size bytes of device memory at ptr. If size is 0, ptr may be any address.
func (c *context) bytes(ptr DevicePtr, size uint64) ([]byte, error) {
	if size == 0 {
		return nil, nil
	}
	addr, ok := address(ptr)
	if !ok {
		return nil, ErrInvalidValue
	}
	b, err := c.space.Bytes(addr, size)
	if err != nil {
		return nil, ErrInvalidValue
	}
	return b, nil
}

// address returns ptr as a device address; ok is false if it does not fit.
func address(ptr DevicePtr) (addr uint32, ok bool) {
	return uint32(ptr), ptr <= math.MaxUint32
}
