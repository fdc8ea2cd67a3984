package cubin

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// Memory is a program's memory, or a file that stands for one. An image is measured by its own
// headers, so that no byte past it is touched.
type Memory struct {
	// ReaderAt takes addresses as offsets. io.EOF is the end of a file; any other error is memory
	// that cannot be read.
	io.ReaderAt
	Word int // bytes of the program's pointers: 4 or 8
	Long int // bytes of its unsigned long: 4 for 64-bit programs of Windows; 0 means Word
}

// MemoryError says that an image extends into unreadable memory: a file is cut off, or a program
// passed a wrong pointer.
type MemoryError struct {
	What    string // the object of the read
	Address uint64
	Bytes   uint64
}

// Error names the missing memory and its place.
func (e *MemoryError) Error() string {
	return fmt.Sprintf("%s: the %d bytes at 0x%x cannot be read", e.What, e.Bytes, e.Address)
}

const (
	maxImage = 1 << 30 // bytes per image; more means a broken header
	page     = 4096    // bytes that are readable together or not at all
)

// bytes returns a copy of the n bytes at address at. It allocates as reads succeed, so that a
// broken size costs nothing.
func (m Memory) bytes(what string, at, n uint64) ([]byte, error) {
	if n > maxImage || at > math.MaxInt64-n {
		return nil, &MemoryError{what, at, n}
	}
	var b []byte
	for step := uint64(1 << 16); uint64(len(b)) < n; step *= 2 {
		have := len(b)
		b = append(b, make([]byte, min(step, n-uint64(have)))...)
		got, _ := m.ReadAt(b[have:], int64(at)+int64(have))
		if got < len(b)-have {
			return nil, &MemoryError{what, at, n}
		}
	}
	return b, nil
}

// start returns the first bytes at address at: n, or fewer at the end of the file.
func (m Memory) start(at uint64, n int) ([]byte, error) {
	if at > math.MaxInt64-page {
		return nil, &MemoryError{"image", at, uint64(n)}
	}
	b := make([]byte, n)
	got, err := m.ReadAt(b, int64(at))
	if got < n && !errors.Is(err, io.EOF) {
		return nil, &MemoryError{"image", at, uint64(n)}
	}
	return b[:got], nil
}

// text returns the bytes at address at before the first NUL or the end of the file. It reads page
// by page: the page after the NUL may be unreadable.
func (m Memory) text(what string, at uint64) ([]byte, error) {
	var b []byte
	for at <= math.MaxInt64-page && len(b) < maxImage {
		chunk := make([]byte, page-at%page)
		n, err := m.ReadAt(chunk, int64(at))
		if end := bytes.IndexByte(chunk[:n], 0); end >= 0 {
			return append(b, chunk[:end]...), nil
		}
		b = append(b, chunk[:n]...)
		at += uint64(n)
		if n < len(chunk) {
			if errors.Is(err, io.EOF) {
				return b, nil
			}
			break
		}
	}
	return nil, &MemoryError{what + " without a NUL", at, 1}
}

// long returns the bytes of an unsigned long.
func (m Memory) long() int { return cmp.Or(m.Long, m.Word) }

// word reads a pointer from the start of b.
func (m Memory) word(b []byte) uint64 {
	if m.Word == 4 {
		return uint64(binary.LittleEndian.Uint32(b))
	}
	return binary.LittleEndian.Uint64(b)
}
