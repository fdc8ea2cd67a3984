package driver

import "encoding/binary"

// Memory is set before a call returns: the forms with a stream only check the stream.

// MemsetD8 sets n bytes to value.
func (t *Thread) MemsetD8(dst DevicePtr, value uint8, n uint64) error {
	return t.MemsetD8Async(dst, value, n, 0)
}

// MemsetD8Async is MemsetD8 in a stream.
func (t *Thread) MemsetD8Async(dst DevicePtr, value uint8, n uint64, stream Stream) error {
	return t.memset(rectangle{dst, 0, n, 1}, []byte{value}, stream)
}

// MemsetD16 sets n 16-bit words to value; dst must be aligned to 2.
func (t *Thread) MemsetD16(dst DevicePtr, value uint16, n uint64) error {
	return t.MemsetD16Async(dst, value, n, 0)
}

// MemsetD16Async is MemsetD16 in a stream.
func (t *Thread) MemsetD16Async(dst DevicePtr, value uint16, n uint64, stream Stream) error {
	return t.memset(rectangle{dst, 0, n, 1}, binary.LittleEndian.AppendUint16(nil, value), stream)
}

// MemsetD32 sets n 32-bit words to value; dst must be aligned to 4.
func (t *Thread) MemsetD32(dst DevicePtr, value uint32, n uint64) error {
	return t.MemsetD32Async(dst, value, n, 0)
}

// MemsetD32Async is MemsetD32 in a stream.
func (t *Thread) MemsetD32Async(dst DevicePtr, value uint32, n uint64, stream Stream) error {
	return t.memset(rectangle{dst, 0, n, 1}, binary.LittleEndian.AppendUint32(nil, value), stream)
}

// MemsetD2D8 sets width bytes of each of height rows, which lie pitch bytes apart, to value.
func (t *Thread) MemsetD2D8(dst DevicePtr, pitch uint64, value uint8, width, height uint64, stream Stream) error {
	return t.memset(rectangle{dst, pitch, width, height}, []byte{value}, stream)
}

// MemsetD2D16 is MemsetD2D8 for 16-bit words; dst and pitch must be aligned to 2.
func (t *Thread) MemsetD2D16(dst DevicePtr, pitch uint64, value uint16, width, height uint64, stream Stream) error {
	return t.memset(rectangle{dst, pitch, width, height}, binary.LittleEndian.AppendUint16(nil, value), stream)
}

// MemsetD2D32 is MemsetD2D8 for 32-bit words; dst and pitch must be aligned to 4.
func (t *Thread) MemsetD2D32(dst DevicePtr, pitch uint64, value uint32, width, height uint64, stream Stream) error {
	return t.memset(rectangle{dst, pitch, width, height}, binary.LittleEndian.AppendUint32(nil, value), stream)
}

// rectangle is rows of elements in device memory.
type rectangle struct {
	at            DevicePtr
	pitch         uint64 // bytes; unused for one row
	width, height uint64 // elements, rows
}

// memset fills each element of r with pattern.
func (t *Thread) memset(r rectangle, pattern []byte, stream Stream) error {
	return t.inStream(stream, func(c *context) error {
		size := uint64(len(pattern))
		if uint64(r.at)%size != 0 || r.width > most/size || r.height > most {
			return ErrInvalidValue
		}
		bytes := r.width * size
		if bytes == 0 || r.height == 0 {
			return nil
		}
		if r.height > 1 && (r.pitch < bytes || r.pitch%size != 0 || r.pitch > most) {
			return ErrInvalidValue
		}
		if r.height > 1 && r.pitch > most/(r.height-1) {
			return ErrInvalidValue
		}
		to, err := c.bytes(r.at, (r.height-1)*r.pitch+bytes)
		if err != nil {
			return err
		}
		for y := range r.height {
			fill(to[y*r.pitch:][:bytes], pattern)
			c.checkers.defined(uint32(uint64(r.at)+y*r.pitch), bytes)
		}
		tell(c, MemoryWritten{c.handle, uint32(r.at), to, bytes, r.height, max(r.pitch, bytes)})
		return nil
	})
}

// inCache is a size that stays in the cache, so that reading it again costs nothing.
const inCache = 16 << 10

// fill repeats pattern over b, whose length is a multiple of the pattern's.
func fill(b, pattern []byte) {
	for done := copy(b, pattern); done < len(b); {
		done += copy(b[done:], b[:min(done, inCache)])
	}
}
