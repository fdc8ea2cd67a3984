package driver

import "encoding/binary"

// MemsetD8 sets n bytes to value.
func (t *Thread) MemsetD8(dst DevicePtr, value uint8, n uint64) error {
	return t.memset(dst, []byte{value}, n)
}

// MemsetD16 sets n 16-bit words to value; dst must be aligned to 2.
func (t *Thread) MemsetD16(dst DevicePtr, value uint16, n uint64) error {
	return t.memset(dst, binary.LittleEndian.AppendUint16(nil, value), n)
}

// MemsetD32 sets n 32-bit words to value; dst must be aligned to 4.
func (t *Thread) MemsetD32(dst DevicePtr, value uint32, n uint64) error {
	return t.memset(dst, binary.LittleEndian.AppendUint32(nil, value), n)
}

// memset fills n elements with pattern.
func (t *Thread) memset(dst DevicePtr, pattern []byte, n uint64) error {
	c, err := t.work()
	if err != nil {
		return err
	}
	defer c.mu.Unlock()
	size := uint64(len(pattern))
	if uint64(dst)%size != 0 || n > 1<<32/size {
		return ErrInvalidValue
	}
	to, err := c.bytes(dst, n*size)
	if err != nil {
		return err
	}
	fill(to, pattern)
	return nil
}

// fill repeats pattern all over b, whose length is a multiple of the pattern's.
func fill(b, pattern []byte) {
	for done := copy(b, pattern); done < len(b); {
		done += copy(b[done:], b[:done])
	}
}
