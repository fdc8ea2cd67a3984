package carrier

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"sort"

	"jacquard/cubin"
)

// layout is a host file, laid out in memory as far as the file says how.
type layout struct {
	data     []byte
	word     int // bytes per pointer; 0 if the file does not say
	long     int // bytes per unsigned long, if that is less than a pointer
	segments []segment
	sections []section

	room    int // how many bytes segments may still have
	records int // how many relocations may still be applied
}

// segment is a part of the file that is loaded at an address.
type segment struct {
	address uint64
	size    uint64
	offset  uint64 // in the file
	data    []byte // of the file, relocated; zeros follow up to size
}

// section is a named part of the file.
type section struct {
	name         string
	offset, size uint64
}

// inFile returns size bytes at offset of the file, nil if the file does not have them.
func (l *layout) inFile(offset, size uint64) []byte {
	if all := uint64(len(l.data)); offset > all || size > all-offset {
		return nil
	}
	return l.data[offset : offset+size]
}

// load adds a segment. Parts of a file that overlap may be loaded as long as there is room.
func (l *layout) load(address, offset, inFile, size uint64) {
	data := l.inFile(offset, inFile)
	if data == nil || len(data) > l.room {
		return
	}
	l.room -= len(data)
	l.segments = append(l.segments, segment{address, max(size, inFile), offset, bytes.Clone(data)})
}

// loaded puts the segments in order. It comes after all load calls and before all others.
func (l *layout) loaded() {
	sort.SliceStable(l.segments, func(i, j int) bool { return l.segments[i].address < l.segments[j].address })
}

// at returns the segment of an address and the offset in it, or nil.
func (l *layout) at(address uint64) (*segment, uint64) {
	i := sort.Search(len(l.segments), func(i int) bool { return l.segments[i].address > address }) - 1
	if i < 0 || address-l.segments[i].address >= l.segments[i].size {
		return nil, 0
	}
	return &l.segments[i], address - l.segments[i].address
}

// take reports whether another relocation may be applied.
func (l *layout) take() bool {
	l.records--
	return l.records >= 0
}

// patch returns the width bytes at an address, to be changed; nil if they are not of the file.
func (l *layout) patch(address uint64, width int) []byte {
	s, offset := l.at(address)
	if s == nil || offset > uint64(len(s.data)) || uint64(width) > uint64(len(s.data))-offset {
		return nil
	}
	return s.data[offset : offset+uint64(width)]
}

// number reads an integer of len(b) bytes, and put stores one.
func number(b []byte) uint64 {
	if len(b) == 8 {
		return binary.LittleEndian.Uint64(b)
	}
	return uint64(binary.LittleEndian.Uint32(b))
}

func put(b []byte, v uint64) {
	if len(b) == 8 {
		binary.LittleEndian.PutUint64(b, v)
	} else {
		binary.LittleEndian.PutUint32(b, uint32(v))
	}
}

// ReadAt reads the program's memory as it is before the program starts.
func (l *layout) ReadAt(b []byte, address int64) (int, error) {
	n := 0
	if s, offset := l.at(uint64(address)); s != nil {
		n = int(min(s.size-offset, uint64(len(b))))
		clear(b[:n])
		copy(b[:n], s.data[min(offset, uint64(len(s.data))):])
	}
	if n < len(b) {
		return n, io.ErrUnexpectedEOF
	}
	return n, nil
}

// module returns the module whose magic number is at offset of the file, or nil if no module
// follows.
func (l *layout) module(offset int, reading *allowance) *cubin.Contents {
	memory, at := cubin.Memory{ReaderAt: reading.of(bytes.NewReader(l.data)), Word: 8}, uint64(offset)
	if bytes.HasPrefix(l.data[offset:], magics[1]) {
		reading.left -= int64(len(l.segments)) // which the search for an address passes
		if at = l.address(at); at == math.MaxUint64 || reading.left < 0 {
			return nil
		}
		memory = cubin.Memory{ReaderAt: reading.of(l), Word: l.word, Long: l.long}
	}
	contents, err := cubin.Open(memory, at)
	if err != nil || len(contents.Entries) == 0 {
		return nil
	}
	return contents
}

// address returns the address of the file's byte at offset, or the highest number if it is not
// loaded.
func (l *layout) address(offset uint64) uint64 {
	for _, s := range l.segments {
		if offset >= s.offset && offset-s.offset < uint64(len(s.data)) {
			return s.address + offset - s.offset
		}
	}
	return math.MaxUint64
}

// section returns the name of the section that holds the file's byte at offset, "" if the search for
// it would take too long.
func (l *layout) section(offset int, reading *allowance) string {
	if reading.left -= int64(len(l.sections)); reading.left < 0 {
		return ""
	}
	for _, s := range l.sections {
		if uint64(offset) >= s.offset && uint64(offset)-s.offset < s.size {
			return s.name
		}
	}
	return ""
}

// allowance is how many bytes may still be read from what looks like modules. A hostile file can
// have a large module begin at every eighth byte.
type allowance struct{ left int64 }

// of returns a reader that counts its reads.
func (a *allowance) of(r io.ReaderAt) io.ReaderAt { return counted{r, a} }

type counted struct {
	io.ReaderAt
	*allowance
}

func (c counted) ReadAt(b []byte, at int64) (int, error) {
	if c.left -= int64(len(b)); c.left < 0 {
		return 0, io.ErrUnexpectedEOF
	}
	return c.ReaderAt.ReadAt(b, at)
}
