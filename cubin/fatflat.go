package cubin

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// FatBinaryError describes a mistake in a fat binary, with its place.
type FatBinaryError struct {
	Address uint64 // in the memory or file
	Problem string
}

// Error names the place and the problem.
func (e *FatBinaryError) Error() string {
	return fmt.Sprintf("fat binary at 0x%x: %s", e.Address, e.Problem)
}

func fatErrorf(at uint64, format string, args ...any) error {
	return &FatBinaryError{at, fmt.Sprintf(format, args...)}
}

// The flat container: a header, then entries back to back, each with a header of its own.
const (
	flatHeader  = 16
	flatVersion = 1

	flatEntryLeast = 0x38  // bytes of an entry's header, without strings
	flatEntrySized = 0x101 // first version of entries that record the size before compression
	flatSizeAt     = 0x38  // offset of that size

	flatKindPTX  = 1
	flatKindELF  = 2
	flatKindText = 4

	flatZlib = 0x1000 // flags
	flatLZ4  = 0x2000
	flatZstd = 0x8000
)

// openFlat reads the container at address at of m.
func openFlat(m Memory, at uint64) (*Contents, error) {
	header, err := m.bytes("fat binary header", at, flatHeader)
	if err != nil {
		return nil, err
	}
	le := binary.LittleEndian
	version, skip, size := le.Uint16(header[4:]), uint64(le.Uint16(header[6:])), le.Uint64(header[8:])
	switch {
	case version != flatVersion || skip < flatHeader:
		return nil, fatErrorf(at, "unknown version %d with a header of %d bytes", version, skip)
	case size > maxImage:
		return nil, fatErrorf(at, "a size of 0x%x bytes", size)
	}
	body, err := m.bytes("fat binary", at+skip, size)
	if err != nil {
		return nil, err
	}
	c := &Contents{Container: FatBinary, Size: int(skip + size)}
	end := uint64(len(bytes.TrimRight(body, "\x00"))) // zeros may follow the last entry
	for next := uint64(0); next < end; {
		e, n, err := flatEntry(at+skip+next, body[next:])
		if err != nil {
			return nil, err
		}
		c.Entries = append(c.Entries, e)
		next += n
	}
	return c, nil
}

// flatEntry reads the entry at the start of b and returns its length, too. The address of b is at.
func flatEntry(at uint64, b []byte) (Entry, uint64, error) {
	var e Entry
	if len(b) < flatEntryLeast {
		return e, 0, fatErrorf(at, "the header of an entry is cut off")
	}
	le := binary.LittleEndian
	kind, version := le.Uint16(b), le.Uint16(b[2:])
	skip, size := uint64(le.Uint32(b[4:])), le.Uint64(b[8:])
	if skip < flatEntryLeast || !within(skip, size, uint64(len(b))) {
		return e, 0, fatErrorf(at, "an entry with a header of %d bytes and %d bytes of content, %d are left", skip, size, len(b))
	}
	header, flags := b[:skip], le.Uint64(b[40:])
	e.stored = b[skip : skip+size]
	e.Arch = int(min(le.Uint32(b[28:]), maxArch))
	switch kind {
	case flatKindPTX:
		e.Container = PTX
	case flatKindELF:
		e.Container = ELF
	case flatKindText:
		e.Container = Text
	}
	if name, n := uint64(le.Uint32(b[32:])), uint64(le.Uint32(b[36:])); name > 0 && within(name, n, skip) {
		e.Source = string(header[name : name+n])
	}
	switch {
	case flags&flatZlib != 0:
		e.Compression = Zlib
	case flags&flatLZ4 != 0:
		e.Compression = LZ4
		if n := uint64(le.Uint32(b[16:])); n > 0 && n < size {
			e.stored = e.stored[:n]
		}
	case flags&flatZstd != 0:
		e.Compression = Other
	}
	if e.Compression != Stored {
		if version < flatEntrySized || skip < flatSizeAt+8 {
			return e, 0, fatErrorf(at, "a compressed entry without its size")
		}
		e.size = le.Uint64(b[flatSizeAt:])
	}
	return e, skip + size, nil
}

// openWrapper reads the container that the wrapper struct at address at of m points at.
func openWrapper(m Memory, at uint64) (*Contents, error) {
	b, err := m.bytes("fat binary wrapper", at, uint64(8+m.Word))
	if err != nil {
		return nil, err
	}
	// Version 2 lists further containers after the pointer. Only separate compilation fills the
	// list, and sm_1x does not have it.
	container := m.word(b[8:])
	start, err := m.start(container, 4)
	switch {
	case err != nil:
		return nil, err
	case magic(start) != magicFlat:
		return nil, fatErrorf(container, "the wrapper at 0x%x points at no container", at)
	}
	c, err := openFlat(m, container)
	if err == nil {
		c.Size = 0
	}
	return c, err
}
