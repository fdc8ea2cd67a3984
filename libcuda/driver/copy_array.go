package driver

// These calls copy bytes of an array as if its rows had no gaps. Offsets are in bytes, and are
// meant for arrays of one dimension.

// MemcpyHtoA copies src to the bytes of dst from offset on.
func (t *Thread) MemcpyHtoA(dst Array, offset uint64, src []byte) error {
	defer awaited(t)
	return t.MemcpyHtoAAsync(dst, offset, src, 0)
}

// MemcpyHtoAAsync is MemcpyHtoA in a stream.
func (t *Thread) MemcpyHtoAAsync(dst Array, offset uint64, src []byte, stream Stream) error {
	return t.inStream(stream, func(c *context) error {
		to, err := c.texels(dst, offset, uint64(len(src)))
		c.move(to, src)
		c.wroteArray(dst, len(to))
		if err == nil {
			copiesAsync(c, stream, 0, true, src)
		}
		return err
	})
}

// MemcpyAtoH fills dst from the bytes of src from offset on.
func (t *Thread) MemcpyAtoH(dst []byte, src Array, offset uint64) error {
	defer awaited(t)
	return t.MemcpyAtoHAsync(dst, src, offset, 0)
}

// MemcpyAtoHAsync is MemcpyAtoH in a stream. The bytes are there when it returns.
func (t *Thread) MemcpyAtoHAsync(dst []byte, src Array, offset uint64, stream Stream) error {
	return t.inStream(stream, func(c *context) error {
		from, err := c.texels(src, offset, uint64(len(dst)))
		c.move(dst, from)
		if err == nil {
			copiesAsync(c, stream, 0, false, dst)
		}
		return err
	})
}

// MemcpyDtoA copies size bytes of device memory.
func (t *Thread) MemcpyDtoA(dst Array, offset uint64, src DevicePtr, size uint64) error {
	return t.inStream(0, func(c *context) error {
		from, err := c.bytes(src, size)
		if err != nil {
			return err
		}
		to, err := c.texels(dst, offset, size)
		c.move(to, from)
		c.wroteArray(dst, len(to))
		return err
	})
}

// MemcpyAtoD copies size bytes to device memory.
func (t *Thread) MemcpyAtoD(dst DevicePtr, src Array, offset, size uint64) error {
	return t.inStream(0, func(c *context) error {
		from, err := c.texels(src, offset, size)
		if err != nil {
			return err
		}
		to, err := c.bytes(dst, size)
		c.move(to, from)
		c.wrote(dst, to)
		return err
	})
}

// MemcpyAtoA copies size bytes between arrays with elements of one size, or within an array.
func (t *Thread) MemcpyAtoA(dst Array, dstOffset uint64, src Array, srcOffset, size uint64) error {
	return t.inStream(0, func(c *context) error {
		from, err := c.texels(src, srcOffset, size)
		if err != nil {
			return err
		}
		to, err := c.texels(dst, dstOffset, size)
		if err != nil {
			return err
		}
		if !c.sameElements(dst, src) {
			return ErrInvalidValue
		}
		c.move(to, from)
		c.wroteArray(dst, len(to))
		return nil
	})
}

// Memcpy copies size bytes of device memory. On hardware with one address space for host and device
// it serves both.
func (t *Thread) Memcpy(dst, src DevicePtr, size uint64) error { return t.MemcpyDtoD(dst, src, size) }

// MemcpyAsync is Memcpy in a stream.
func (t *Thread) MemcpyAsync(dst, src DevicePtr, size uint64, stream Stream) error {
	return t.MemcpyDtoDAsync(dst, src, size, stream)
}

// texels returns size bytes of an array. The caller holds c's lock.
func (c *context) texels(handle Array, offset, size uint64) ([]byte, error) {
	a, err := find[*array](c, uintptr(handle))
	if err != nil {
		return nil, err
	}
	if have := uint64(len(a.texels)); offset > have || size > have-offset {
		return nil, ErrInvalidValue
	}
	return a.texels[offset : offset+size], nil
}

// sameElements reports whether the elements of two arrays have the same size. Both exist.
func (c *context) sameElements(x, y Array) bool {
	a, errA := find[*array](c, uintptr(x))
	b, errB := find[*array](c, uintptr(y))
	return errA == nil && errB == nil && a.desc.elementSize() == b.desc.elementSize()
}
